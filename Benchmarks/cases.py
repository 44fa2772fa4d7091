# SPDX-License-Identifier: MIT
"""The measured cases, their commands and targets."""

import os
import resource
import socket

from material import SMALL_SIZE
from processes import Failure, Sample, say

GROUPS = ("large", "small", "start", "size", "disk", "serve", "uploads")
CLIENTS = ("curl", "fileq")
SERVERS = ("nginx", "fileq serve")
START_RUNS = 30
IDLE_CONNECTIONS = 1000

# Ratios to curl for times, bytes for memory.
DOWN_TARGETS = {"wall": 0.90, "cpu": 1.00, "rss": 36_000_000}
UP_TARGETS = {"wall": 1.00, "cpu": 1.00, "rss": 36_000_000}
SMALL_TARGETS = {"wall": 0.85, "cpu": 1.20, "rss": 45_000_000}
SMALL_UP_TARGETS = {"wall": 0.70}
START_TARGETS = {"wall": 0.80}
GET_TARGETS = {"wall": 2.20}
LIST_TARGETS = {"wall": 2.00}
PROGRAM_TARGETS = {"rss": 58_000_000}
PACKAGE_TARGETS = {"rss": 16_500_000}
# Both sync: completed files are on disk.
DISK_TARGETS = {"wall": 1.05}
# Of `fileq serve` to nginx, with curl as the client of both.
SERVED_SMALL_TARGETS = {"wall": 1.50}
SERVED_LARGE_TARGETS = {"wall": 1.05}
IDLE_TARGETS = {"rss": 64_000_000}


class Case:
    """One table entry: a command for each client, and what happens around it outside the timed part.

    `commands` has two entries: of what is compared with, and of fileq. `quantities`: the measured ones; all if `None`."""

    def __init__(self, name, server, commands, targets, runs, prepare=None, check=None, quantities=None):
        self.name, self.server, self.commands, self.targets, self.runs = name, server, commands, targets, runs
        self.prepare, self.check, self.quantities = prepare, check, quantities
        self.samples = {client: [] for client in commands}
        self.failure = None

    def measure(self, processes):
        """One warm-up, then `runs` counted ones: curl, fileq, curl, fileq, …"""
        say(f"{self.name}, {self.server}: " if self.server else f"{self.name}: ", end="")
        try:
            for run in range(self.runs + 1):
                for client in self.commands:
                    if self.prepare:
                        self.prepare()
                    sample = processes.measure(self.commands[client])
                    if self.check:
                        self._check(client)
                    if run > 0:
                        self.samples[client].append(sample)
                say(".", end="")
            say(" done")
        except Failure as failure:
            self.failure = str(failure)
            say(f" could not be measured: {failure}")
        if self.prepare:
            self.prepare()

    def _check(self, client):
        try:
            self.check()
        except Failure as failure:
            raise Failure(f"with {client}, {failure}") from None


def all_cases(groups, runs, tools, material, servers):
    cases = []
    if "large" in groups:
        for server, sites in servers.sites.items():
            for scheme in ("http", "https"):
                cases += large_cases(runs, tools, material, server, sites[scheme], servers.certificate)
    if "small" in groups:
        for server, sites in servers.sites.items():
            cases.append(small_case(runs, tools, material, server, sites["http"][0]))
            cases.append(small_up_case(runs, tools, material, server, sites["http"]))
    if "start" in groups:
        cases += start_cases(tools, material, servers.sites["nginx"]["http"][0])
    if "size" in groups:
        cases += [SizeCase(tools, material), PackageCase(tools, material)]
    if "disk" in groups:
        cases += disk_cases(runs, tools, material, servers.sites["nginx"]["http"])
    if "serve" in groups:
        cases += serve_cases(runs, tools, material, servers)
    return cases


def start_cases(tools, material, address):
    """Whole commands that do next to nothing. `list` is compared with text that the same program prints without a library."""
    commands = {client: [tools[client], "--version"] for client in CLIENTS}
    empty, target = address + "/empty", material.received
    get = {"curl": [tools["curl"], "-q", "-sSf", "-o", target, empty], "fileq": [tools["fileq"], "get", "-q", "-o", target, empty]}
    listing = {"curl": [tools["fileq"], "help", "exit-codes"], "fileq": [tools["fileq"], "list"]}
    return [Case("start-up (--version)", "", commands, START_TARGETS, START_RUNS),
            Case("start-up (get of an empty file)", "nginx", get, GET_TARGETS, START_RUNS, material.clear),
            Case("start-up (list; to help exit-codes)", "", listing, LIST_TARGETS, START_RUNS)]


def serve_cases(runs, tools, material, servers):
    """curl as the client of both servers."""
    curl = [tools["curl"], "-q", "-sSf"]
    addresses = {server: servers.sites[server]["http"][0] for server in SERVERS}
    lists = {server: material.write_lists(addresses[server], "served-" + server.replace(" ", "-"))[1] for server in SERVERS}
    small = {server: [*curl, "-Z", "--parallel-max", "16", "-K", lists[server]] for server in SERVERS}
    large = {server: [*curl, "-o", material.received, addresses[server] + "/large.bin"] for server in SERVERS}
    return [Case(f"served: {material.files} x {in_words(SMALL_SIZE)}", "to curl -Z", small, SERVED_SMALL_TARGETS, runs, material.clear,
                 material.check_small, ("wall",)),
            Case(f"served: {in_words(material.size)}", "to curl", large, SERVED_LARGE_TARGETS, runs, material.clear,
                 lambda: material.check_large(material.received), ("wall",)),
            IdleCase(servers)]


class IdleCase(Case):
    """The memory of a server while connections that have had one response stay open."""

    def __init__(self, servers):
        super().__init__(f"idle: {IDLE_CONNECTIONS} connections", "", dict.fromkeys(SERVERS), IDLE_TARGETS, 1, quantities=("rss",))
        self.servers = servers

    def measure(self, processes):
        say(f"{self.name}: ", end="")
        try:
            for server in SERVERS:
                self.samples[server].append(Sample(0, 0, self._memory(server)))
            say("done")
        except (Failure, OSError) as failure:
            self.failure = str(failure)
            say(f"could not be measured: {failure}")

    def _memory(self, server):
        port = int(self.servers.sites[server]["http"][0].rpartition(":")[2])
        connections = []
        try:
            for _ in range(IDLE_CONNECTIONS):
                connection = socket.create_connection(("127.0.0.1", port), timeout=20)
                connections.append(connection)
                connection.sendall(b"GET /small/00000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                read_response(connection)
            with open(f"/proc/{self.servers.pids[server]['http']}/status", encoding="ascii") as file:
                return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))
        finally:
            for connection in connections:
                connection.close()


class SizeCase(Case):
    """The program as `make install` copies it."""

    label = "size"

    def __init__(self, tools, material, name="size: installed program", targets=None):
        super().__init__(name, "", {"fileq": None}, targets or PROGRAM_TARGETS, 1, quantities=("rss",))
        self.tools, self.stripped = tools, material.path("stripped", "fileq")

    def measure(self, processes):
        say(f"{self.name}: ", end="")
        try:
            self.samples["fileq"].append(Sample(0, 0, self._size(processes)))
            say("done")
        except (Failure, OSError) as failure:
            self.failure = str(failure)
            say(f"could not be measured: {failure}")

    def _size(self, processes):
        os.makedirs(os.path.dirname(self.stripped), exist_ok=True)
        processes.output([self.tools["strip"], "-o", self.stripped, self.tools["fileq"]])
        return os.path.getsize(self.stripped)


class PackageCase(SizeCase):
    """The program, its manual page and its completions, compressed as Linux distributions do."""

    def __init__(self, tools, material):
        super().__init__(tools, material, "size: package (.tar.zst)", PACKAGE_TARGETS)
        self.package = material.path("package.tar")

    def _size(self, processes):
        super()._size(processes)
        assets = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "assets")
        processes.output([self.tools["tar"], "-cf", self.package, "-C", os.path.dirname(self.stripped), "fileq", "-C", assets, "."])
        processes.output([self.tools["zstd"], "-q", "-19", "-T0", "--rm", self.package])
        return os.path.getsize(self.package + ".zst")


def read_response(connection):
    received = b""
    while b"\r\n\r\n" not in received:
        received += receive(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), None)
    if not head.startswith(b"HTTP/1.1 200 ") or length is None:
        raise Failure(f"a response begins with {head[:40]!r}")
    while len(body) < length:
        body += receive(connection)


def receive(connection):
    received = connection.recv(65536)
    if not received:
        raise Failure("a server closes an idle connection")
    return received


def allow_many_descriptors():
    """For the connections of `IdleCase`, here and in the servers started afterwards."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else 8192, hard))


def disk_cases(runs, tools, material, site):
    """To a disk, synced. No writes of an earlier run are pending when the next one starts."""
    address, _ = site
    target, source = material.on_disk, address + "/large.bin"
    shell = [tools["sh"], "-c", '"$1" -q -sSf -o "$2" "$3" && "$4" "$2"', "sh", tools["curl"], target, source, tools["sync"]]
    commands = {"curl": shell, "fileq": [tools["fileq"], "get", "-q", "-o", target, source]}

    def prepare():
        material.clear()
        os.sync()

    return [Case(f"{in_words(material.size)} down to a disk, synced", "nginx", commands, DISK_TARGETS, runs, prepare,
                 lambda: material.check_large(target))]


def large_cases(runs, tools, material, server, site, certificate):
    address, root = site
    uploaded = os.path.join(root, "uploaded.bin")
    tls = address.startswith("https:")
    trust = ["--cacert", certificate] if tls else []
    curl = [tools["curl"], "-q", "-sSf"] + trust
    source, target = address + "/large.bin", address + "/uploaded.bin"
    label = f"{in_words(material.size)} {{}}, {'TLS' if tls else 'plain'}"
    down = {"curl": curl + ["-o", material.received, source],
            "fileq": [tools["fileq"], "get", "-q"] + trust + ["-o", material.received, source]}
    up = {"curl": curl + ["-T", material.large, target],
          "fileq": [tools["fileq"], "put", "-q"] + trust + [material.large, target]}
    return [Case(label.format("down"), server, down, DOWN_TARGETS, runs, material.clear,
                 lambda: material.check_large(material.received)),
            Case(label.format("up"), server, up, UP_TARGETS, runs, material.clear,
                 lambda: material.check_large(uploaded))]


def small_case(runs, tools, material, server, address):
    for_fileq, for_curl = material.write_lists(address, server.replace(" ", "-"))
    commands = {"curl": [tools["curl"], "-q", "-sSf", "-Z", "--parallel-max", "16", "-K", for_curl],
                "fileq": [tools["fileq"], "get", "-q", "-j", "16", "-d", material.collected, "-i", for_fileq]}
    return Case(f"{material.files} x {in_words(SMALL_SIZE)} down, 16 at a time", server, commands, SMALL_TARGETS,
                runs, material.clear, material.check_small)


def small_up_case(runs, tools, material, server, site):
    address, root = site
    for_fileq, for_curl = material.write_upload_lists(address, server.replace(" ", "-"))
    commands = {"curl": [tools["curl"], "-q", "-sSf", "-Z", "--parallel-max", "16", "-K", for_curl],
                "fileq": [tools["fileq"], "put", "-q", "-j", "16", "-i", for_fileq, address + "/up/"]}
    return Case(f"{material.files} x {in_words(SMALL_SIZE)} up, 16 at a time", server, commands, SMALL_UP_TARGETS,
                runs, material.clear, lambda: material.check_small(os.path.join(root, "up")))


def in_words(size):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} bytes"
