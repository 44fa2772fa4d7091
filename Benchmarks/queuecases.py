# SPDX-License-Identifier: MIT
"""The measured cases of the background queue, and their targets."""

import json
import os
import re
import signal
import threading
import time

from processes import Failure, say
from remotecases import measure_remote
from report import median
from screencases import measure_screen
from service import Control, Echo

GROUPS = ("items", "small", "syncs", "latency", "screen", "remote", "million")
ITEMS, FILES, RUNS = 100_000, 10_000, 3
MILLION = 1_000_000
PAGE = 100
RUNNING = 16
REQUESTS = 300
STARTS = 5
IDLE = 10

# Seconds, bytes, shares and numbers a second; the small files' are ratios of wall time.
TARGETS = {"add": 3.0, "list": 0.5, "start": 1.0, "rss": 150e6, "peak": 200e6, "idle": 0.001, "syncs": 2.0,
           "latency": 0.010, "beyond echo": 0.005, "remote": 0.005, "add million": 30.0, "page": 0.050, "start million": 3.0, "rss million": 1e9}
# Of the small files, by client and home.
SMALL_TARGETS = {("curl", "memory"): 1.0, ("aria2c", "memory"): 0.45, ("curl", "disk"): 1.0, ("aria2c", "disk"): 0.2}


class Row:
    """One line of the table. `target`: the largest acceptable value, of `judged` if that differs from `value`."""

    def __init__(self, what, place, value, unit="s", target=None, judged=None, note="", values=()):
        self.what, self.place, self.value, self.unit, self.note = what, place, value, unit, note
        self.target, self.judged, self.values = target, value if judged is None else judged, values

    @property
    def verdict(self):
        return "" if self.target is None else "meets" if self.judged <= self.target else "falls short"


def measure_items(bench, place):
    """A long queue without running transfers."""
    count, rows, name = bench.arguments.items, [], place.name
    place.begin_anew()
    addresses, listed = place.path("items.txt"), place.path("listed")
    with open(addresses, "w", encoding="utf-8") as file:
        file.writelines(f"http://127.0.0.1:9/pool/{number:06}.bin\n" for number in range(count))
    words = f"{count:,}"
    place.run("list")
    pid = place.pid()
    empty = place.usage(pid)
    before = place.cpu(pid)
    added = place.run("add", "get", "--paused", "-d", place.collected, "-i", addresses, output=listed)
    expect_lines(listed, count)
    time.sleep(2)
    rows.append(Row(f"add --paused -i, {words}", name, added.wall, target=TARGETS["add"],
                    note=f"CPU: command {added.cpu:.2f} s, service {place.cpu(pid) - before:.2f} s"))
    for option in ((), ("--json",)):
        before, samples = place.cpu(pid), []
        for _ in range(STARTS):
            samples.append(place.run("list", *option, output=listed))
            expect_lines(listed, count)
        wall = [sample.wall for sample in samples]
        rows.append(Row(f"list {' '.join(option)}".strip() + ", to a file", name, median(wall), target=TARGETS["list"], values=wall,
                        note=f"CPU: command {median([sample.cpu for sample in samples]):.2f} s, "
                             f"service {(place.cpu(pid) - before) / STARTS:.2f} s"))
    loaded = idle_row(rows, place, pid)
    rows.append(Row("service's memory then", name, loaded.rss, "MB", TARGETS["rss"], note=f"{empty.rss / 1e6:.1f} MB while empty"))
    rows.append(Row("most that it ever had", name, loaded.peak, "MB", TARGETS["peak"]))
    for words, end in (("after service stop", lambda _: place.run("service", "stop")), ("after kill -9", place.kill)):
        wall = []
        for _ in range(STARTS):
            end(place.pid())
            wall.append(place.run("list", "1", output=listed).wall)
            expect_lines(listed, 1)
        rows.append(Row(f"start and list 1, {words}", name, median(wall), target=TARGETS["start"], values=wall))
    pid = place.pid()
    time.sleep(1)
    usage = place.usage(pid)
    rows.append(Row("service's memory after its start", name, usage.rss, "MB", TARGETS["rss"], note=f"at most {usage.peak / 1e6:.1f} MB"))
    place.begin_anew()
    return rows


def measure_million(bench, place):
    """A very long queue, paused; in memory only."""
    if place.name == "disk":
        return []
    place.begin_anew()
    addresses, listed, name, words = place.path("items.txt"), place.path("listed"), place.name, f"{MILLION:,}"
    with open(addresses, "w", encoding="utf-8") as file:
        file.writelines(f"http://127.0.0.1:9/pool/{number:07}.bin\n" for number in range(MILLION))
    place.run("list")
    added = place.run("add", "get", "--paused", "-d", place.collected, "-i", addresses, output=listed)
    expect_lines(listed, MILLION)
    rows = [Row(f"add --paused -i, {words}", name, added.wall, target=TARGETS["add million"], note=f"CPU: command {added.cpu:.2f} s"),
            page_row(place, words)]
    place.run("service", "stop")
    wall = place.run("list", "1", output=listed).wall
    expect_lines(listed, 1)
    rows.append(Row(f"start and list 1, {words}", name, wall, target=TARGETS["start million"]))
    usage = place.usage(place.pid())
    rows.append(Row(f"service's memory then, {words}", name, usage.rss, "MB", TARGETS["rss million"], note=f"at most {usage.peak / 1e6:.1f} MB"))
    place.begin_anew()
    return rows


def page_row(place, words):
    control = Control(status(place)["socket"])
    try:
        wall = [control.time("list", {"limit": PAGE})[0] for _ in range(STARTS)]
    finally:
        control.close()
    return Row(f"list, the first {PAGE} of {words}", place.name, median(wall), target=TARGETS["page"], values=wall)


def idle_row(rows, place, pid):
    first, began = place.usage(pid), time.monotonic()
    time.sleep(IDLE)
    last, seconds = place.usage(pid), time.monotonic() - began
    rows.append(Row(f"idle service, CPU over {IDLE} s", place.name, (last.cpu - first.cpu) / seconds, "%", TARGETS["idle"],
                    note=f"{sum(count - first.switches.get(thread, 0) for thread, count in last.switches.items())} context switches"))
    return last


def expect_lines(path, count):
    with open(path, "rb") as file:
        lines = sum(1 for _ in file)
    if lines != count:
        raise Failure(f"{lines} lines received instead of {count}")


def measure_small(bench, place):
    """Small files through the queue, and with other clients from the same server to the same file system."""
    material, files = bench.material, bench.arguments.files
    material.collected = place.collected
    for_fileq, for_curl = material.write_lists(bench.address, os.path.basename(place.folder))
    commands = {
        "curl": [bench.tools["curl"], "-q", "-sSf", "-Z", "--parallel-max", str(RUNNING), "-K", for_curl],
        "aria2c": [bench.tools["aria2c"], "--no-conf", "-q", f"-j{RUNNING}", "-x1", "-d", place.collected, "-i", for_fileq],
        "fileq": ["/bin/sh", "-c", '"$1" add get -q -d "$2" -i "$3" >"$4" && exec "$1" wait --all -q', "sh", bench.tools["fileq"],
                  place.collected, for_fileq, place.path("ids")]}
    samples = {client: [] for client in commands}
    service, peaks = [], []
    for run in range(bench.arguments.runs + 1):
        for client, command in commands.items():
            place.begin_anew()
            if client == "fileq":
                place.run("set", "--concurrent", str(RUNNING))
                pid = place.pid()
                before = place.cpu(pid)
            sample = place.processes.measure(command)
            if client == "fileq" and run > 0:
                service.append(place.cpu(pid) - before)
                peaks.append(place.usage(pid).peak)
            try:
                material.check_small()
            except Failure as failure:
                raise Failure(f"with {client}, {failure}") from None
            if run > 0:
                samples[client].append(sample)
        say(".", end="")
    place.begin_anew()
    wall = {client: [sample.wall for sample in found] for client, found in samples.items()}
    cpu = {client: median([sample.cpu for sample in found]) for client, found in samples.items()}
    rows = []
    for client in commands:
        note = f"CPU {cpu[client]:.2f} s"
        if client == "fileq":
            note = f"CPU: commands {cpu[client]:.2f} s, service {median(service):.2f} s; service's peak {max(peaks) / 1e6:.0f} MB"
        rows.append(Row(f"{files:,} x 4 KiB, {client}", place.name, median(wall[client]), values=wall[client], note=note))
    for client in ("curl", "aria2c"):
        pairs = [mine / theirs for mine, theirs in zip(wall["fileq"], wall[client])]
        rows.append(Row(f"  fileq to {client}", place.name, median(wall["fileq"]) / median(wall[client]), "x", SMALL_TARGETS[client, place.name],
                        note=f"median of the pairs {median(pairs):.3f}"))
    return rows


def measure_syncs(bench, place):
    """How often the service syncs while rate-limited transfers run, and while very many complete."""
    seconds, rate = bench.arguments.seconds, 256 << 10
    place.begin_anew()
    pid, _ = run_large(bench, place, RUNNING, ("--limit", str(rate)))
    time.sleep(2)
    with Trace(bench, place, pid) as trace:
        time.sleep(seconds)
    expect_running(place, RUNNING)
    rows = [Row(f"syncs, {RUNNING} at {rate >> 10} KiB/s", place.name, trace.rate, "/s", TARGETS["syncs"], note=trace.words)]
    place.begin_anew()
    material = bench.material
    material.collected = place.collected
    addresses, _ = material.write_lists(bench.address, os.path.basename(place.folder))
    place.run("set", "--concurrent", str(RUNNING))
    with Trace(bench, place, place.pid()) as trace:
        place.run("add", "get", "-q", "-d", place.collected, "-i", addresses)
        place.run("wait", "--all", "-q")
    material.check_small()
    rows.append(Row(f"syncs, {material.files:,} x 4 KiB", place.name, trace.rate, "/s", TARGETS["syncs"], note=trace.words))
    place.begin_anew()
    return rows


class Trace:
    """Counts the service's calls that wait for the disk, with strace, while its block runs."""

    def __init__(self, bench, place, pid):
        self.place, self.path = place, place.path("trace")
        # A traced recvfrom shows that strace is attached.
        self.argv = [bench.tools["strace"], "-f", "-p", str(pid), "-o", self.path, "-e",
                     "trace=recvfrom,fsync,fdatasync,syncfs,sync,msync,sync_file_range"]

    def __enter__(self):
        self.tracer = self.place.processes.start(self.argv)
        # Attaching takes a moment.
        time.sleep(0.5)
        self.began = time.monotonic()
        return self

    def __exit__(self, kind, *_):
        took = time.monotonic() - self.began
        if self.place.processes.has_ended(self.tracer):
            raise Failure(f"strace cannot attach to the service: {self.place.processes.complaint(self.argv)}")
        os.kill(self.tracer, signal.SIGINT)
        while not self.place.processes.has_ended(self.tracer):
            time.sleep(0.01)
        with open(self.path, encoding="utf-8", errors="replace") as file:
            calls = re.findall(r"^\d+ +(\w+)\(", file.read(), re.MULTILINE)
        syncs = [name for name in calls if name != "recvfrom"]
        if kind is None and len(syncs) == len(calls):
            raise Failure("strace has seen nothing of the service")
        self.rate = len(syncs) / took
        self.words = f"in {took:.0f} s: " + (", ".join(f"{name} {syncs.count(name)}" for name in sorted(set(syncs))) or "none")


def measure_latency(bench, place):
    """Replies while transfers run at full speed. The files go to memory, the queue to the folder under test."""
    place.begin_anew()
    sink = bench.material.path("sink")
    os.makedirs(sink, exist_ok=True)
    pid, ids = run_large(bench, place, 20 * RUNNING, (), sink)
    echo, sweeper = Echo(), Sweeper(sink)
    control = Control(status(place)["socket"])
    kinds = {
        "list of what runs": lambda _: ("list", {"states": ["running"]}),
        f"list of all {len(ids)}": lambda _: ("list", None),
        "info": lambda number: ("info", {"id": ids[number % RUNNING]}),
        "perform": lambda number: ("perform", {"command": ("pause", "resume")[number % 2], "ids": [ids[-1]]})}
    took, began, before = {kind: [] for kind in (*kinds, "bare echo of another process")}, time.monotonic(), place.cpu(pid)
    try:
        for number in range(REQUESTS):
            for kind, request in kinds.items():
                took[kind].append(control.time(*request(number))[0])
            took["bare echo of another process"].append(echo.time())
            time.sleep(0.01)
        seconds, used = time.monotonic() - began, place.cpu(pid) - before
        # Those whose end is being stored hold their places; there must be others for them.
        left = control.ask("list", {"states": ["running", "queued"]})["transfers"]
        if len(left) < RUNNING:
            raise Failure(f"only {len(left)} transfers were left at the end")
        moved = sum(transfer.get("bytes", 0) for transfer in control.ask("list")["transfers"])
    finally:
        control.close()
        place.stop()
        sweeper.end()
        echo.close()
    place.begin_anew()
    speed = f"{moved / seconds / 1e6:.0f} MB/s in all, service's CPU {used / seconds:.0%}"
    rows = []
    bare = percentile(took["bare echo of another process"])
    for kind, values in took.items():
        ordered = sorted(values)
        p99 = percentile(values)
        target = bare + TARGETS["beyond echo"] if kind == "info" else TARGETS["latency"] if kind in kinds else None
        rows.append(Row(f"p99, {kind}", place.name, p99, target=target,
                        note=f"median {median(ordered) * 1e3:.2f} ms, longest {ordered[-1] * 1e3:.1f} ms"))
    rows[0].note += f"; {speed}"
    return rows


def percentile(values):
    """The 99th."""
    return sorted(values)[-(-len(values) * 99 // 100) - 1]


class Sweeper:
    """Removes complete downloads, so that many large ones need little space."""

    def __init__(self, folder):
        self.folder, self.has_ended = folder, threading.Event()
        self.thread = threading.Thread(target=self._sweep)
        self.thread.start()

    def _sweep(self):
        while not self.has_ended.wait(0.1):
            for name in os.listdir(self.folder):
                if name.endswith(".bin"):
                    os.unlink(os.path.join(self.folder, name))

    def end(self):
        self.has_ended.set()
        self.thread.join()
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))


def run_large(bench, place, count, options, folder=None):
    """Queues the large file `count` times under different names, and waits until the maximum runs. Returns the service's PID and the IDs."""
    addresses, listed = place.path("large.txt"), place.path("ids")
    with open(addresses, "w", encoding="utf-8") as file:
        file.writelines(f"{bench.address}/large.bin\n  out={number:04}.bin\n" for number in range(count))
    place.run("set", "--concurrent", str(RUNNING))
    place.run("add", "get", "-q", *options, "-d", folder or place.collected, "-i", addresses, output=listed)
    with open(listed, encoding="ascii") as file:
        ids = [int(line) for line in file]
    deadline = time.monotonic() + 20
    while status(place)["transfers"]["running"] < RUNNING:
        if time.monotonic() > deadline:
            raise Failure(f"fewer than {RUNNING} transfers run")
        time.sleep(0.05)
    return place.pid(), ids


def expect_running(place, count):
    running = status(place)["transfers"]["running"]
    if running != count:
        raise Failure(f"{running} transfers ran at the end instead of {count}; --size makes the file larger")


def status(place):
    return json.loads(place.processes.output(place.fileq("service", "status", "--json")))


MEASURES = {"items": measure_items, "small": measure_small, "syncs": measure_syncs, "latency": measure_latency,
            "screen": lambda bench, place: measure_screen(bench, place, Row, run_large),
            "remote": lambda bench, place: measure_remote(bench, place, Row, TARGETS["remote"]), "million": measure_million}
