# SPDX-License-Identifier: MIT
"""The background service under measurement: its folder, process, resources, and socket."""

import collections
import json
import os
import shutil
import signal
import socket
import time

from processes import Failure, Processes

# Seconds of CPU time, context switches of each thread, current and peak resident bytes.
Usage = collections.namedtuple("Usage", "cpu switches rss peak")

LONGEST_END = 30


class Place:
    """A folder on one file system, with the service's FILEQ_HOME and downloads, and processes with that environment."""

    def __init__(self, name, folder, tools):
        self.name, self.folder, self.tools = name, folder, tools
        self.processes = Processes(folder)
        self.home = self.processes.environment["FILEQ_HOME"]
        self.collected = self.path("collected")

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def fileq(self, *words):
        return [self.tools["fileq"], *words]

    def run(self, *words, output=os.devnull):
        """Runs a command of fileq under the stopwatch, its standard output to a file."""
        return self.processes.measure(["/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh", output, *self.fileq(*words)])

    def pid(self):
        return json.loads(self.processes.output(self.fileq("service", "status", "--json")))["pid"]

    def usage(self, pid):
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            memory = dict(line.split(":", 1) for line in file)
        switches = {}
        for thread in os.listdir(f"/proc/{pid}/task"):
            try:
                with open(f"/proc/{pid}/task/{thread}/status", encoding="ascii") as file:
                    switches[thread] = sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
            except FileNotFoundError:  # it has ended meanwhile
                pass
        return Usage(self.cpu(pid), switches, *(int(memory[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM")))

    def cpu(self, pid):
        """Seconds of CPU time of the process, ended threads included (clock_getcpuclockid(3))."""
        return time.clock_gettime(~pid << 3 | 2)

    def kill(self, pid):
        """Ends it like a crash; returns when the process has ended."""
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + LONGEST_END
        while is_alive(pid):
            if time.monotonic() > deadline:
                raise Failure("the service outlives its SIGKILL")
            time.sleep(0.005)

    def stop(self):
        """Stops the service, if one runs; kills it if that fails."""
        lock = os.path.join(self.home, "service.lock")
        try:
            self.processes.output(self.fileq("service", "stop"))
        except Failure:
            with open(lock, encoding="utf-8") as file:
                pid = int(file.readline())
            if is_alive(pid) and os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(self.tools["fileq"]):
                self.kill(pid)

    def begin_anew(self):
        """An empty queue without a service, and no downloads."""
        self.stop()
        for folder in (self.home, self.collected):
            if os.path.isdir(folder):
                shutil.rmtree(folder)
            os.mkdir(folder, 0o700)

    def remove(self):
        try:
            self.stop()
        except (Failure, OSError, ValueError):
            pass
        self.processes.stop_all()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_alive(pid):
    """A zombie, not reaped yet, does not count."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Control:
    """One connection to the service's socket, as docs/Control.md specifies it."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.number = 0
        greeting = json.loads(self.lines.readline())
        if "error" in greeting:
            raise Failure(f"the service greets with: {greeting['error']['message']}")
        hello = {name: greeting["params"][name] for name in ("protocol", "version")}
        self.ask("hello", {**hello, "program": "benchmark"})

    def ask(self, method, params=None):
        return self.time(method, params)[1]

    def time(self, method, params=None):
        """Seconds from the first byte of the request to the last of the reply, and its result."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, **({"params": params} if params else {})}
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        began = time.perf_counter()
        self.socket.sendall(line)
        answer = self.lines.readline()
        took = time.perf_counter() - began
        answer = json.loads(answer or b'{"error":{"message":"the service has hung up"}}')
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return took, answer["result"]

    def close(self):
        self.lines.close()
        self.socket.close()


class Echo:
    """A process that echoes every line: the time of any reply on a machine as busy as this one."""

    def __init__(self):
        self.socket, other = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            self.socket.close()
            while line := other.recv(4096):
                other.sendall(line)
            os._exit(0)
        other.close()

    def time(self):
        began = time.perf_counter()
        self.socket.sendall(b"{}\n")
        self.socket.recv(4096)
        return time.perf_counter() - began

    def close(self):
        self.socket.close()
        os.waitpid(self.pid, 0)
