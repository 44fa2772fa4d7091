# SPDX-License-Identifier: MIT
"""The background queue's benchmark: arguments, order, table, clean-up. Run it as Benchmarks/queue."""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time

import report
from bench import byte_count, positive
from cases import in_words
from material import Material, file_system
from processes import Failure, run_to_end, say
from queuecases import FILES, GROUPS, ITEMS, MEASURES, RUNNING, RUNS
from servers import Servers
from service import Place

SIZE, SECONDS = 256 << 20, 15
COLUMNS = "{:<36} {:<7} {:>10}  {:<9} {:<11} {}"
PROGRAMS = {"items": (), "million": (), "remote": (), "small": ("curl", "aria2c", "nginx", "openssl"), "syncs": ("nginx", "openssl", "strace"),
            "latency": ("nginx", "openssl"), "screen": ("nginx", "openssl")}
PACKAGES = {"aria2c": "aria2", "nginx": "nginx-light"}


class Bench:
    """The shared state of the measurements."""

    def __init__(self, arguments, tools, material):
        self.arguments, self.tools, self.material = arguments, tools, material
        self.places, self.address, self.load = [], None, os.getloadavg()

    def start(self):
        memory = self.material.path("queue")
        os.mkdir(memory, 0o700)
        self.places.append(Place("memory", memory, self.tools))
        disk = tempfile.mkdtemp(prefix="fileq-queue-", dir=self.arguments.disk)
        self.places.append(Place("disk", disk, self.tools))
        if file_system(disk) in ("tmpfs", "ramfs"):
            raise Failure(f"{self.arguments.disk} is not a disk; --disk names a folder on one")
        if set(self.arguments.groups) - {"items", "remote", "million"}:
            self.material.create()
            servers = Servers(self.places[0].processes, self.tools, self.material)
            servers.start_nginx()
            self.address = servers.sites["nginx"]["http"][0]

    def measure(self):
        rows, failures = [], []
        for group in self.arguments.groups:
            for place in self.places:
                say(f"{group}, {place.name}: ", end="")
                try:
                    found = MEASURES[group](self, place)
                    rows += [*found, None] if found else []
                    say(" done")
                except Failure as failure:
                    failures.append(f"{group}, {place.name}: could not be measured: {failure}")
                    say(failures[-1])
        return rows, failures

    def stop(self):
        for place in reversed(self.places):
            place.remove()


def figure(value, unit):
    if unit == "s":
        return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e3:.2f} ms"
    return {"MB": f"{value / 1e6:.1f} MB", "%": f"{value:.3%}", "x": f"{value:.3f}", "/s": f"{value:.2f}/s", "B": f"{value:.0f} bytes"}[unit]


def goal(value, unit):
    if value is None:
        return ""
    return {"s": f"{value:.3g} s" if value >= 0.1 else f"{value * 1e3:.3g} ms", "MB": f"{value / 1e6:.0f} MB", "%": f"{value:.1%}",
            "x": f"{value:.2f}", "/s": f"{value:g}/s", "B": f"{value:.0f} bytes"}[unit]


def table(rows):
    lines = [COLUMNS.format("what", "home", "median of", "target", "", "").rstrip(), ""]
    for row in rows:
        lines.append("" if row is None else COLUMNS.format(
            row.what, row.place, figure(row.value, row.unit), goal(row.target, row.unit), row.verdict, row.note).rstrip())
    short = [(row.what, row.place, "") for row in rows if row and row.verdict == "falls short"]
    return "\n".join([*("\n".join(lines).rstrip().split("\n")), *report.why(short)])


def raw(rows):
    lines = ["every counted run, in order (wall s)"]
    lines += [f"{row.what.strip()}, {row.place}: {' '.join(f'{value:.4f}' for value in row.values)}" for row in rows if row and row.values]
    return "\n".join(lines)


def heading(bench):
    arguments, tools, processes = bench.arguments, bench.tools, bench.places[0].processes
    versions = [f"fileq {processes.output([tools['fileq'], '--version']).split()[0]}"]
    for name in ("curl", "aria2c"):
        if name in tools:
            versions.append(f"{name} {re.search(r'[0-9]+[.][0-9.]+', processes.output([tools[name], '--version'])).group(0)}")
    if "nginx" in tools:
        processes.output([tools["nginx"], "-v"])
        versions.append("nginx " + processes.complaint([tools["nginx"]]).rpartition("/")[2])
    now = os.getloadavg()
    return "\n".join([
        f"the background queue of fileq, {report.now()}",
        f"commit:   {report.commit()}",
        f"machine:  {report.cpu_model()}, {os.cpu_count()} cores, Linux {os.uname().release.partition('-')[0]}; "
        f"load when it began: {bench.load[0]:.2f}, when it ended: {now[0]:.2f}",
        f"versions: {'; '.join(versions)}",
        "home:     " + "; ".join(f"{place.name}: FILEQ_HOME and downloads on {file_system(place.folder)}" for place in bench.places)
        + f"; what is downloaded, and while latency is measured where to, on {file_system(bench.material.work)}",
        f"runs:     {arguments.runs} of the small files counted after a warm-up, curl, aria2c and fileq by turns, {RUNNING} at a time; "
        f"large file {in_words(arguments.size)}"])


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/queue", description="Measures fileq's background queue.")
    parser.add_argument("binary", help="a release build of fileq")
    parser.add_argument("--only", choices=GROUPS, help="measure this alone")
    parser.add_argument("--items", type=positive, default=ITEMS, help="in the long queue (default: 100000)")
    parser.add_argument("--files", type=positive, default=FILES, help="small files to download (default: 10000)")
    parser.add_argument("--runs", type=positive, default=RUNS, help="counted runs of the small files (default: 3)")
    parser.add_argument("--size", type=byte_count, default=SIZE, help="size of the large file (default: 256M)")
    parser.add_argument("--seconds", type=positive, default=SECONDS, help="duration of counting syncs (default: 15)")
    parser.add_argument("--disk", default=os.environ.get("TMPDIR") or "/var/tmp", help="a folder on a disk (default: $TMPDIR or /var/tmp)")
    arguments = parser.parse_args()
    usual = parser.parse_args([arguments.binary])
    arguments.groups = (arguments.only,) if arguments.only else GROUPS
    arguments.differences = ["-queue"] + [
        f"-{name}-{in_words(value).replace(' ', '') if name == 'size' else value}" for name in ("only", "items", "files", "runs", "size", "seconds")
        if (value := getattr(arguments, name)) != getattr(usual, name)]
    return arguments


def find_tools(arguments):
    tools = {"fileq": os.path.abspath(arguments.binary)}
    if not os.access(tools["fileq"], os.X_OK):
        raise Failure(f"{arguments.binary} is not a program; `make bench` builds it")
    places = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/usr/local/sbin"
    for name in sorted({name for group in arguments.groups for name in PROGRAMS[group]}):
        tools[name] = shutil.which(name, path=places)
        if not tools[name]:
            raise Failure(f"{name} is not installed: apt-get install {PACKAGES.get(name, name)}")
    return tools


def main():
    arguments = parse()

    def body(undo_later):
        tools = find_tools(arguments)
        with_large = bool({"syncs", "latency", "screen"} & set(arguments.groups))
        with_small = "small" in arguments.groups or "syncs" in arguments.groups
        # While latency is measured, complete copies wait a moment for their removal.
        material = Material(arguments.size if with_large else 0, arguments.files if with_small else 0, RUNNING + 4)
        undo_later(material.remove)
        bench = Bench(arguments, tools, material)
        undo_later(bench.stop)
        bench.start()
        rows, failures = bench.measure()
        text = "\n\n".join([heading(bench), table(rows), *failures])
        print(text)
        path = report.save("\n\n".join([text, raw(rows)]) + "\n", arguments)
        say(f"\nwritten to {os.path.relpath(path)}")
        return 1 if failures else 0

    return run_to_end("Benchmarks/queue", body)


if __name__ == "__main__":
    sys.exit(main())
