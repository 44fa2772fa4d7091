#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hours of a queue in real time: the background service, an interface and `fileq serve`, under steady use and faults.

Each minute prints resident memory, descriptors and threads of the three. At the end the last quarter is compared with the
second one: the first is the warm-up. Each completed file is compared byte by byte. Exits with 1 where one of the three grew
or ended, or bytes were wrong.

    Tests/endurance/endurance.py PROGRAM [--hours 2] [--seed 1]
"""

import argparse
import hashlib
import http.server
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"))
from terminal import Terminal  # noqa: E402

KIB = 1024
SIZES = {"tiny": 700, "small": 40 * KIB, "medium": 3_000_000, "large": 40_000_000}
# Finished transfers leave the queue when there are so many.
LONGEST_QUEUE = 400
# Growth that counts as none: of resident bytes (a part, and a fixed amount), descriptors and threads.
MEMORY_SHARE, MEMORY_SLACK, DESCRIPTORS, THREADS = 0.08, 3_000_000, 8, 4


class Rude(http.server.BaseHTTPRequestHandler):
    """Sends errors, and bodies that break off: the first requests of a path fail, as its name says."""

    protocol_version = "HTTP/1.1"
    seen = {}
    lock = threading.Lock()

    def do_GET(self):
        kind = self.path.split("/")[1]
        with self.lock:
            count = self.seen[self.path] = self.seen.get(self.path, 0) + 1
            if len(self.seen) > 10_000:
                self.seen.clear()
        body = content("medium")
        if kind == "missing":
            return self.respond(404, b"no such file\n")
        if kind == "busy" and count < 3:
            return self.respond(503, b"busy\n", {"Retry-After": "2"})
        if kind == "broken" and count < 3:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) * count // 3])
            self.close_connection = True
            return None
        return self.respond(200, body)

    def respond(self, status, body, fields=None):
        self.send_response(status)
        for name, value in (fields or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class RudeServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Clients are paused and cancelled in the middle of a response."""


def content(kind):
    return CONTENT[kind]


CONTENT = {kind: random.Random(kind).randbytes(size) for kind, size in SIZES.items()}
DIGESTS = {kind: hashlib.sha256(body).hexdigest() for kind, body in CONTENT.items()}


def figures(pid):
    """- Returns: resident bytes, descriptors, threads."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["VmRSS"].split()[0]) * 1024, len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"])


class Course:
    def __init__(self, program, folder, seed):
        self.program, self.folder, self.random = program, folder, random.Random(seed)
        self.environment = {**os.environ, "FILEQ_HOME": os.path.join(folder, "home"), "LC_ALL": "C.UTF-8"}
        self.begun, self.counts, self.problems, self.number = time.monotonic(), {}, [], 0
        for name in ("site", "down", "sources", "home"):
            os.mkdir(os.path.join(folder, name), 0o700)
        for kind, body in CONTENT.items():
            for place in ("site", "sources"):
                pathlib.Path(folder, place, kind).write_bytes(body)
        self.serve = subprocess.Popen(
            [program, "serve", os.path.join(folder, "site"), "--port", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=self.environment, text=True)
        self.url = self.serve.stdout.readline().split()[-1]
        rude = RudeServer(("127.0.0.1", 0), Rude)
        threading.Thread(target=rude.serve_forever, daemon=True).start()
        self.rude = f"http://127.0.0.1:{rude.server_port}"
        self.run("list")
        self.run("set", "--concurrent", "8")
        self.service = json.loads(self.run("service", "status", "--json"))["pid"]
        self.screen = Terminal([program], self.environment, 120, 40)

    def run(self, *words, allowed=(0,)):
        """- Returns: standard output."""
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, timeout=120)
        if done.returncode not in allowed:
            self.problems.append(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[-200:]}")
        return done.stdout

    def count(self, name, amount=1):
        self.counts[name] = self.counts.get(name, 0) + amount

    # The user

    def step(self):
        rows = [json.loads(line) for line in self.run("list", "--json").splitlines()]
        waiting = sum(row["state"] not in ("completed", "failed", "cancelled") for row in rows)
        if waiting < 60:
            self.add()
        if rows and self.random.random() < 0.3:
            word = self.random.choice(["pause", "resume", "resume", "cancel", "retry", "move"])
            ids = [str(row["id"]) for row in self.random.sample(rows, min(3, len(rows)))]
            # Some of them cannot be resumed, or are completed.
            self.run(word, *([self.random.choice(["top", "bottom"])] if word == "move" else []), *ids, allowed=(0, 1, 2))
            self.count(word)
        if len(rows) > LONGEST_QUEUE:
            self.sweep()
        self.screen.output = b""
        os.write(self.screen.master, self.random.choice([b"j", b"k", b"1", b"2", b"3", b"4", b"6", b"s", b"z", b"\t", b"\x0c"]))
        self.screen.read_for(0.4)

    def add(self):
        self.number += 1
        kind = self.random.choices(list(SIZES), [6, 8, 3, 0.4])[0]
        what = self.random.random()
        target = os.path.join(self.folder, "down", f"{self.number}-{kind}")
        if what < 0.5:
            self.run("add", "-o", target, f"{self.url}/{kind}")
        elif what < 0.65:
            fault = self.random.choice(["busy", "broken", "missing"])
            self.run("add", "-o", os.path.join(self.folder, "down", f"{self.number}-medium"), f"{self.rude}/{fault}/{self.number}")
        else:
            source = os.path.join(self.folder, "sources", kind)
            protocol = self.random.choice(["never", "ietf", "tus", "auto"])
            self.run("add", "put", "--resumable", protocol, source, f"{self.url}/up-{self.number}-{kind}")
        self.count("added")

    def sweep(self):
        """Compares what is complete, removes it, and lets finished transfers leave queue and history."""
        for place in ("down", "site"):
            for file in pathlib.Path(self.folder, place).glob("*-*"):
                kind = file.name.rsplit("-", 1)[-1]
                if kind in DIGESTS and file.is_file():
                    self.count("compared")
                    if hashlib.sha256(file.read_bytes()).hexdigest() != DIGESTS[kind]:
                        self.problems.append(f"{file}: has other bytes")
                    file.unlink()
        self.run("clear", "state:completed,failed,cancelled")
        for file in pathlib.Path(self.folder, "down").glob("*.part*"):
            if time.time() - file.stat().st_mtime > 1800:
                file.unlink()

    # What is measured

    def sample(self):
        pids = {"service": self.service, "screen": self.screen.pid, "server": self.serve.pid}
        found = {name: figures(pid) for name, pid in pids.items()}
        minutes = (time.monotonic() - self.begun) / 60
        text = "  ".join(f"{name} {rss / 1e6:6.1f} MB {fds:3d} fd {threads:2d} thr" for name, (rss, fds, threads) in found.items())
        print(f"{minutes:6.1f} min  {text}  {self.counts.get('added', 0)} added", flush=True)
        return found

    def end(self):
        os.write(self.screen.master, b"q")
        os.waitpid(self.screen.pid, 0)
        self.run("service", "stop")
        self.serve.terminate()
        self.serve.wait()


def verdict(samples):
    """- Returns: what grew from the second quarter to the last one."""
    quarter = max(1, len(samples) // 4)
    early, late = samples[quarter : 2 * quarter] or samples, samples[-quarter:]
    grown = []
    for name in samples[0]:
        before, after = ([statistics.median(sample[name][i] for sample in part) for i in range(3)] for part in (early, late))
        print(f"{name}: memory {before[0] / 1e6:.1f} -> {after[0] / 1e6:.1f} MB, descriptors {before[1]:.0f} -> {after[1]:.0f}, "
              f"threads {before[2]:.0f} -> {after[2]:.0f}")
        if after[0] > before[0] * (1 + MEMORY_SHARE) + MEMORY_SLACK:
            grown.append(f"{name}: memory")
        if after[1] > before[1] + DESCRIPTORS:
            grown.append(f"{name}: descriptors")
        if after[2] > before[2] + THREADS:
            grown.append(f"{name}: threads")
    return grown


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="fileq-endurance-")
    course = Course(os.path.abspath(options.program), folder, options.seed)
    end, samples, due = time.monotonic() + options.hours * 3600, [], 0
    try:
        while time.monotonic() < end:
            course.step()
            if time.monotonic() >= due:
                samples.append(course.sample())
                due = time.monotonic() + 60
        course.sweep()
    finally:
        course.end()
        shutil.rmtree(folder)
    print(", ".join(f"{count} {name}" for name, count in sorted(course.counts.items())))
    problems = course.problems + [f"{what} grew" for what in verdict(samples)]
    for problem in problems[:20]:
        print(f"✘ {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
