# SPDX-License-Identifier: MIT
"""Downloads over a link that goes down and up: how soon bytes move again, and how many are sent twice. Run it as
Benchmarks/outage, as root: it creates network namespaces, and removes them at the end."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import report
from bench import byte_count, positive
from processes import Failure, run_to_end, say

SERVER, CLIENT = "10.77.0.1", "10.77.0.2"
# Bytes that the client's interface must have received since the link was up: more than handshakes and a head, and more than
# what a server retransmits to a dead connection.
FIRST_BYTES = 16 << 10
LONGEST_WAIT = 120
# A careful user's options: unlimited retries, the shortest delay that does not flood, and timeouts that detect a dead
# connection and a dead link as soon as these programs can.
CLIENTS = {
    "fileq": lambda tool, url, file: [tool, "get", "--json", "--split", "1", "-o", file, url],
    "curl": lambda tool, url, file: [tool, "-sS", "--retry", "100", "--retry-all-errors", "--retry-delay", "1",
                                     "--connect-timeout", "2", "--speed-limit", "1", "--speed-time", "3",
                                     "-C", "-", "-o", file, url],
    "aria2c": lambda tool, url, file: [tool, "--quiet", "--continue=true", "--max-tries=0", "--retry-wait=1",
                                       "--connect-timeout=2", "--timeout=3", "--file-allocation=none",
                                       "--max-connection-per-server=1", "-d", os.path.dirname(file) or ".",
                                       "-o", os.path.basename(file), url],
}


class Network:
    """A server's and a client's namespace, and a switch between them."""

    def __init__(self):
        self.server, self.client, self.switch = (f"fileq-outage-{letter}{os.getpid()}" for letter in "scw")
        self.made = []

    def make(self):
        for name in (self.server, self.client, self.switch):
            ip("netns", "add", name)
            self.made.append(name)
        ip("-n", self.switch, "link", "add", "br0", "type", "bridge")
        ip("-n", self.switch, "link", "set", "br0", "up")
        for name, link, port, address in ((self.server, "far0", "away0", SERVER), (self.client, "lan0", "near0", CLIENT)):
            ip("-n", self.switch, "link", "add", port, "type", "veth", "peer", "name", link, "netns", name)
            ip("-n", self.switch, "link", "set", port, "master", "br0", "up")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "address", "add", f"{address}/24", "dev", link)
            ip("-n", name, "link", "set", link, "up")
        ip("-n", self.client, "route", "add", "default", "via", SERVER)

    def cable(self, is_plugged):
        """Disables the client's port of the switch: its interface stays up without a link; the server notices nothing."""
        ip("-n", self.switch, "link", "set", "near0", "up" if is_plugged else "down")

    def remove(self):
        for name in self.made:
            subprocess.run(["ip", "netns", "delete", name], check=False)


class Counter:
    """Bytes received by the client's interface, read by a process inside its namespace."""

    def __init__(self, network):
        self.process = subprocess.Popen(["ip", "netns", "exec", network.client, sys.executable, "-c", """
import sys
with open("/proc/net/dev") as file:
    for order in sys.stdin:
        file.seek(0)
        line = next(line for line in file if line.lstrip().startswith("lan0:"))
        print(line.split(":")[1].split()[0], flush=True)
"""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def wait(self, more, since, process):
        """Seconds until `more` bytes have arrived; None if the program ended before."""
        began = time.monotonic()
        while True:
            if self.read() - since >= more:
                return time.monotonic() - began
            if process.poll() is not None:
                return None
            if time.monotonic() - began > LONGEST_WAIT:
                raise Failure(f"nothing received within {LONGEST_WAIT} s")
            time.sleep(0.002)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Bench:
    def __init__(self, arguments, tools, work):
        self.arguments, self.tools, self.work = arguments, tools, work
        self.network = Network()
        self.running = []
        self.counter = None

    def start(self):
        self.network.make()
        root = os.path.join(self.work, "root")
        os.mkdir(root)
        os.chmod(self.work, 0o755)
        self.source = os.path.join(root, "file")
        with open("/dev/urandom", "rb") as random, open(self.source, "wb") as file:
            shutil.copyfileobj(Limited(random, self.arguments.size), file)
        config = os.path.join(self.work, "nginx.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"""daemon off; master_process off; pid {self.work}/nginx.pid; error_log {self.work}/error.log;
events {{}}
http {{ access_log off; client_body_temp_path {self.work}/body; proxy_temp_path {self.work}/proxy;
  fastcgi_temp_path {self.work}/fastcgi; uwsgi_temp_path {self.work}/uwsgi; scgi_temp_path {self.work}/scgi;
  server {{ listen {SERVER}:80; root {root}; limit_rate {self.arguments.rate}; }} }}
""")
        self.spawn([self.tools["nginx"], "-p", self.work, "-e", f"{self.work}/error.log", "-c", config], self.network.server)
        self.counter = Counter(self.network)
        time.sleep(0.5)

    def spawn(self, words, namespace):
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": self.work, "FILEQ_HOME": self.work,
                       "LANG": "C.UTF-8"}
        log = open(os.path.join(self.work, os.path.basename(words[0]) + ".log"), "wb")
        process = subprocess.Popen(["ip", "netns", "exec", namespace, *words], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log, cwd=self.work)
        self.running.append(process)
        return process

    def run(self, client, outages, first=0):
        """Seconds from each link up to new bytes, seconds in all, bytes received on the cable."""
        file = os.path.join(self.work, f"out-{client}")
        before, began, waits = self.counter.read(), time.monotonic(), []
        process = self.spawn(CLIENTS[client](self.tools[client], f"http://{SERVER}/file", file), self.network.client)
        for number in range(outages):
            share = self.arguments.size * (number + 1) // (outages + 1)
            since = self.counter.read()
            if self.counter.wait(share - (since - before) if number == 0 else self.arguments.size // (outages + 1),
                                 since, process) is None:
                break
            self.network.cable(False)
            # Slightly different durations, the same for every client, so that no client's delays match by chance.
            time.sleep(self.arguments.down + (first + number) * 0.37 % 1)
            since = self.counter.read()
            self.network.cable(True)
            waited = self.counter.wait(FIRST_BYTES, since, process)
            if waited is not None:
                waits.append(waited)
        try:
            code = process.wait(LONGEST_WAIT)
        except subprocess.TimeoutExpired:
            code = None
            process.kill()
        total = time.monotonic() - began
        moved = self.counter.read() - before
        is_whole = code == 0 and subprocess.run(["cmp", "-s", self.source, file], check=False).returncode == 0
        if os.path.exists(file):
            os.remove(file)
        return waits, total, moved, code, is_whole

    def stop(self):
        if self.counter:
            self.counter.close()
        for process in self.running:
            if process.poll() is None:
                process.terminate()
        for process in self.running:
            process.wait()
        self.network.remove()


class Limited:
    def __init__(self, file, count):
        self.file, self.left = file, count

    def read(self, count):
        taken = self.file.read(min(count, self.left))
        self.left -= len(taken)
        return taken


def version(tool, words):
    text = subprocess.run([tool, words], capture_output=True, text=True, check=False)
    found = re.search(r"\d+\.\d+[\w.]*", text.stdout + text.stderr)
    return found.group(0) if found else "?"


def measure(arguments, tools, bench):
    bench.start()
    lines, raw, medians = [], [], {}
    columns = "{:<8} {:>13} {:>13} {:>6} {:>13} {:>11}  {}"
    lines.append(columns.format("client", "until bytes", "longest", "ratio", "moved again", "total", "").rstrip())
    failed = False
    for client in arguments.clients:
        say(f"{client}: without outages", end="")
        _, calm, base, code, is_whole = bench.run(client, 0)
        if not is_whole:
            raise Failure(f"{client} ended with {code} on a link that stays up")
        waits, totals, again, words = [], [], [], set()
        for number in range(arguments.runs):
            say(f"\r{client}: run {number + 1} of {arguments.runs}     ", end="")
            found, total, moved, code, is_whole = bench.run(client, arguments.outages, number * arguments.outages)
            waits, totals, again = waits + found, totals + [total], again + [moved - base]
            if code != 0:
                words.add(f"ended with {code}")
            elif not is_whole:
                words.add("wrong bytes")
        say()
        raw.append(f"{client}: seconds until bytes: {' '.join(f'{value:.3f}' for value in waits)}; seconds in all: "
                   f"{' '.join(f'{value:.2f}' for value in totals)} ({calm:.2f} without outages); bytes moved again: "
                   f"{' '.join(str(value) for value in again)}")
        if not waits:
            lines.append(f"{client:<8} did not resume: {', '.join(sorted(words))}")
            failed = failed or client == "fileq"
            continue
        medians[client] = report.median(waits)
        verdict = ", ".join(sorted(words))
        if client == "fileq":
            meets = medians[client] <= 0.150 + 0.001 and not words
            failed = failed or not meets
            verdict = ", ".join(filter(None, [verdict, "meets 150 ms" if meets else "falls short of 150 ms"]))
        ratio = f"{medians[client] / medians['fileq']:.1f}" if medians.get("fileq") else ""
        lines.append(columns.format(client, f"{medians[client] * 1e3:.0f} ms", f"{max(waits) * 1e3:.0f} ms", ratio,
                                    f"{report.median(again) / 1024:.0f} KiB", f"{report.median(totals):.2f} s", verdict).rstrip())
    heading = "\n".join([
        f"downloads over a link that goes down, {time.strftime('%Y-%m-%d')}",
        f"machine:  {report.cpu_model()}, {os.cpu_count()} cores, Linux {os.uname().release.partition('-')[0]}; a client's and a server's "
        "network namespace and a switch between them, no delay",
        "versions: " + "; ".join([f"{name} {version(tools[name], '--version')}" for name in arguments.clients]
                                 + [f"nginx {version(tools['nginx'], '-v')}"]),
        f"outages:  {arguments.outages} in each of {arguments.runs} runs, {arguments.down:g} to {arguments.down + 1:g} s each, at equal shares of "
        f"{arguments.size >> 20} MiB that come at {arguments.rate >> 20} MiB/s",
        *(f"{name + ':':<9} {' '.join(CLIENTS[name](name, 'URL', 'FILE'))}" for name in arguments.clients),
        "until bytes: median time from link up to new bytes on the client's interface, sampled every 2 ms; moved again: bytes "
        "received on the interface beyond those of a run without outages, median of a run"])
    text = heading + "\n\n" + "\n".join(lines)
    print(text)
    path = report.save(text + "\n\n" + "\n".join(raw) + "\n", arguments)
    say(f"\nwritten to {os.path.relpath(path)}")
    return 1 if failed else 0


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/outage", description="Measures how soon a download resumes.")
    parser.add_argument("binary", help="a release build of fileq")
    parser.add_argument("--runs", type=positive, default=2, help="of each client (default: 2)")
    parser.add_argument("--outages", type=positive, default=3, help="in each run (default: 3)")
    parser.add_argument("--down", type=float, default=5, help="seconds that each lasts, and up to one more (default: 5)")
    parser.add_argument("--size", type=byte_count, default=16 << 20, help="of the file (default: 16M)")
    parser.add_argument("--rate", type=byte_count, default=2 << 20, help="bytes a second (default: 2M)")
    parser.add_argument("--clients", type=lambda text: text.split(","), default=list(CLIENTS), help="of fileq,curl,aria2c")
    arguments = parser.parse_args()
    usual = parser.parse_args([arguments.binary])
    arguments.differences = ["-outage"] + [f"-{name}-{value:g}" for name in ("runs", "outages", "down", "size", "rate")
                                           if (value := getattr(arguments, name)) != getattr(usual, name)]
    return arguments


def find_tools(arguments):
    if os.geteuid() != 0 or not shutil.which("ip"):
        raise Failure("needs root and iproute2, to make network namespaces")
    tools = {"fileq": os.path.abspath(arguments.binary)}
    places = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/usr/local/sbin"
    for name in [client for client in arguments.clients if client != "fileq"] + ["nginx"]:
        tools[name] = shutil.which(name, path=places)
        if not tools[name]:
            raise Failure(f"{name} is not installed; apt-get install {'aria2' if name == 'aria2c' else name}")
    return tools


def main():
    arguments = parse()

    def body(undo_later):
        work = tempfile.mkdtemp(prefix="fileq-outage-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        undo_later(lambda: shutil.rmtree(work))
        tools = find_tools(arguments)
        bench = Bench(arguments, tools, work)
        undo_later(bench.stop)
        return measure(arguments, tools, bench)

    return run_to_end("Benchmarks/outage", body)


if __name__ == "__main__":
    sys.exit(main())
