# SPDX-License-Identifier: MIT
"""Several connections for one file: against aria2 on a server that limits each connection, and what they cost where one
connection is enough. Run it as Benchmarks/split."""

import argparse
import os
import shutil
import signal
import sys
import time

import links
import report
from bench import byte_count, positive
from material import choose_folder
from processes import Failure, Processes, run_to_end, say
from servers import accepts, free_ports

NGINX = """\
daemon off; master_process off; pid {work}/nginx.pid; error_log {work}/error.log;
events {{}}
http {{
  log_format requests '$request_uri';
  access_log {work}/requests requests;
  default_type application/octet-stream;
  sendfile on;
  client_body_temp_path {work}/body; proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/fastcgi; uwsgi_temp_path {work}/uwsgi; scgi_temp_path {work}/scgi;
  server {{
    listen {listen}:{port};
    root {root};
    location /limited/ {{ alias {root}/; limit_rate {rate}; }}
  }}
}}
"""


def fileq(tool, count, url, file):
    return [tool, "get", "-q", "--no-sync", "--split", str(count), "-o", file, url]


def aria2(tool, count, url, file):
    return [tool, "--quiet", "--file-allocation=none", "-k", "1M", "-x", str(count), "-s", str(count),
            "-d", os.path.dirname(file), "-o", os.path.basename(file), url]


# Of the links: MiB/s of all connections together; seconds in each direction, share of lost packets, MiB/s.
SHARED = 16
DELAY, LOSS, WIDTH = 0.05, 0.005, 20


class Bench:
    def __init__(self, arguments, tools, work, processes):
        self.arguments, self.tools, self.work, self.processes = arguments, tools, work, processes
        self.root = os.path.join(work, "root")
        self.log = os.path.join(work, "requests")
        self.server = None
        # What stands before a client's command on another link than loopback.
        self.before = []

    def make_files(self):
        os.mkdir(self.root)
        size = self.arguments.size
        for name, size in (("wide", size), ("narrow", size // 4), ("far", size // 8), ("local", self.arguments.local)):
            with open(os.path.join(self.root, name), "wb") as file:
                left = size
                while left > 0:
                    left -= file.write(os.urandom(min(left, 1 << 20)))

    def start(self, link=None):
        """nginx on loopback, or at the server's end of a link."""
        configuration = os.path.join(self.work, "nginx.conf")
        (port,) = free_ports(1)
        listen = links.SERVER if link else "127.0.0.1"
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(NGINX.format(work=self.work, root=self.root, listen=listen, port=port, rate=self.arguments.rate))
        argv = [self.tools["nginx"], "-p", self.work, "-e", f"{self.work}/error.log", "-c", configuration]
        self.server = self.processes.start(link.inside(link.server, argv) if link else argv)
        deadline = time.monotonic() + 20
        while not os.path.exists(f"{self.work}/nginx.pid") if link else not accepts(port):
            if self.processes.has_ended(self.server) or time.monotonic() > deadline:
                raise Failure(f"nginx does not start: {self.processes.complaint(argv)}")
            time.sleep(0.02)
        self.address = f"http://{listen}:{port}"
        self.before = link.inside(link.client, []) if link else []

    def stop(self):
        os.kill(self.server, signal.SIGTERM)
        while not self.processes.has_ended(self.server):
            time.sleep(0.02)

    def run(self, make, tool, count, path):
        """Seconds of wall and CPU time, and the number of requests."""
        out = os.path.join(self.work, "out")
        if os.path.exists(out):
            os.remove(out)
        before = self.requests()
        sample = self.processes.measure(self.before + make(self.tools[tool], count, f"{self.address}/{path}", out))
        name = os.path.basename(path)
        with open(out, "rb") as mine, open(os.path.join(self.root, name), "rb") as source:
            while True:
                piece = source.read(1 << 20)
                if mine.read(1 << 20) != piece:
                    raise Failure(f"{tool}: the bytes differ")
                if not piece:
                    break
        return sample.wall, sample.cpu, self.requests() - before

    def requests(self):
        if not os.path.exists(self.log):
            return 0
        with open(self.log, encoding="utf-8") as file:
            return sum(1 for _ in file)


def compare(bench, lines, raw, name, path, sides, limit):
    """Medians of the two sides, run in turn."""
    found = {label: [] for label, *_ in sides}
    for number in range(bench.arguments.runs):
        for label, make, tool, count in sides:
            say(f"\r{name}: {label}, run {number + 1} of {bench.arguments.runs}          ", end="")
            found[label].append(bench.run(make, tool, count, path))
    say()
    (theirs, *_), (mine, *_) = sides
    walls = {label: report.median([run[0] for run in runs]) for label, runs in found.items()}
    ratio = walls[mine] / walls[theirs]
    verdict = "meets" if ratio <= limit else "falls short"
    lines.append(f"{name:<36} {theirs + f' {walls[theirs]:.2f} s':<32} {mine + f' {walls[mine]:.2f} s':<28} {ratio:.3f}  "
                 f"{limit:.3f}  {verdict}")
    for label, runs in found.items():
        raw.append(f"{name}, {label}: wall {' '.join(f'{run[0]:.3f}' for run in runs)}; CPU "
                   f"{' '.join(f'{run[1]:.3f}' for run in runs)}; requests {' '.join(str(run[2]) for run in runs)}")


def against_aria2(count):
    return [(f"aria2c -x {count} -s {count}", aria2, "aria2c", count), (f"fileq --split {count}", fileq, "fileq", count)]


def against_one(count):
    return [("fileq --split 1", fileq, "fileq", 1), (f"fileq --split {count}", fileq, "fileq", count)]


def measure(bench, where, undo):
    bench.make_files()
    lines, raw = [], []
    bench.start()
    for count, path in ((16, "limited/wide"), (4, "limited/narrow")):
        compare(bench, lines, raw, f"each connection limited, {count} at most", path, against_aria2(count), 1 / 0.95)
    compare(bench, lines, raw, "loopback without a limit", "local", against_one(4), 1.02)
    bench.stop()
    if links.can_be_made():
        for name, make, sides, limit in (
                ("one limit for all connections", lambda link: link.limited(SHARED), against_one(4), 1.02),
                ("long path with loss, 16 at most", lambda link: link.long(DELAY, LOSS, WIDTH), against_aria2(16), 1 / 0.95)):
            link = links.Link(bench.processes)
            undo(link.remove)
            make(link)
            bench.start(link)
            compare(bench, lines, raw, name, "far", sides, limit)
            bench.stop()
            link.remove()
    else:
        say("only root makes network namespaces: no shared limit, no long path")
    arguments = bench.arguments
    heading = "\n".join([
        f"several connections for one file, {report.now()}",
        f"commit:   {report.commit()}",
        f"machine:  {report.cpu_model()}, {os.cpu_count()} cores, Linux {os.uname().release.partition('-')[0]}; nginx on loopback, "
        f"limit_rate {arguments.rate} for each connection, files {where}",
        f"links:    between namespaces; one limit: tbf, {SHARED} MiB/s; long path: {2000 * DELAY:.0f} ms for a round trip, {100 * LOSS:.1f} % of packets "
        f"lost, {WIDTH} MiB/s",
        f"files:    {arguments.size >> 20} MiB for 16 connections, {arguments.size >> 22} MiB for 4, {arguments.local >> 20} MiB "
        f"without a limit, {arguments.size >> 23} MiB over links; medians of {arguments.runs} runs in turn"])
    return heading + "\n\n" + "\n".join(lines) + "\n\nevery run, in order (s)\n" + "\n".join(raw) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Measures several connections for one file.")
    parser.add_argument("fileq")
    parser.add_argument("--runs", type=positive, default=3)
    parser.add_argument("--size", type=byte_count, default=1 << 30, help="of the file for 16 connections; a quarter for 4")
    parser.add_argument("--local", type=byte_count, default=1 << 30, help="of the file without a limit")
    parser.add_argument("--rate", type=byte_count, default=2 << 20, help="bytes a second of one connection")
    arguments = parser.parse_args()
    tools = {"fileq": os.path.abspath(arguments.fileq), "aria2c": shutil.which("aria2c"),
             "nginx": shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")}
    missing = [name for name, path in tools.items() if not path or not os.path.exists(path)]
    if missing:
        say(f"Benchmarks/split needs {', '.join(missing)}")
        return 1

    def body(undo):
        work, where = choose_folder(5 * arguments.size // 2 + 2 * arguments.local)
        undo(lambda: shutil.rmtree(work, ignore_errors=True))
        processes = Processes(work)
        undo(processes.stop_all)
        text = measure(Bench(arguments, tools, work, processes), where, undo)
        print(text, end="")
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
        stem = os.path.join(folder, f"{time.strftime('%Y-%m-%d')}-split")
        if (arguments.runs, arguments.size, arguments.local, arguments.rate) != (3, 1 << 30, 1 << 30, 2 << 20):
            stem += f"-size-{arguments.size >> 20}M-{arguments.local >> 20}M-{arguments.runs}"
        path, number = f"{stem}.txt", 2
        while os.path.exists(path):
            path, number = f"{stem}-{number}.txt", number + 1
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
        say(f"written to {os.path.relpath(path)}")
        return 0

    return run_to_end("Benchmarks/split", body)


if __name__ == "__main__":
    sys.exit(main())
