# SPDX-License-Identifier: MIT
"""The measured cases, their commands and targets."""

import os

from material import SMALL_SIZE
from processes import Failure, say

GROUPS = ("large", "small", "start", "disk")
CLIENTS = ("curl", "fileq")
START_RUNS = 30

# Ratios to curl for times, bytes for memory.
LARGE_TARGETS = {"wall": 1.10, "cpu": 1.10, "rss": 40_000_000}
SMALL_TARGETS = {"wall": 1.00, "rss": 80_000_000}
START_TARGETS = {"wall": 1.50}
# Both sync: completed files are on disk.
DISK_TARGETS = {"wall": 1.05}


class Case:
    """One table entry: a command for each client, and what happens around it outside the timed part."""

    def __init__(self, name, server, commands, targets, runs, prepare=None, check=None):
        self.name, self.server, self.commands, self.targets, self.runs = name, server, commands, targets, runs
        self.prepare, self.check = prepare, check
        self.samples = {client: [] for client in CLIENTS}
        self.failure = None

    def measure(self, processes):
        """One warm-up, then `runs` counted ones: curl, fileq, curl, fileq, …"""
        say(f"{self.name}, {self.server}: " if self.server else f"{self.name}: ", end="")
        try:
            for run in range(self.runs + 1):
                for client in CLIENTS:
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
    if "start" in groups:
        commands = {client: [tools[client], "--version"] for client in CLIENTS}
        cases.append(Case("start-up (--version)", "", commands, START_TARGETS, START_RUNS))
    if "disk" in groups:
        cases += disk_cases(runs, tools, material, servers.sites["nginx"]["http"])
    return cases


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
    return [Case(label.format("down"), server, down, LARGE_TARGETS, runs, material.clear,
                 lambda: material.check_large(material.received)),
            Case(label.format("up"), server, up, LARGE_TARGETS, runs, material.clear,
                 lambda: material.check_large(uploaded))]


def small_case(runs, tools, material, server, address):
    for_fileq, for_curl = material.write_lists(address, server.replace(" ", "-"))
    commands = {"curl": [tools["curl"], "-q", "-sSf", "-Z", "--parallel-max", "16", "-K", for_curl],
                "fileq": [tools["fileq"], "get", "-q", "-j", "16", "-d", material.collected, "-i", for_fileq]}
    return Case(f"{material.files} x {in_words(SMALL_SIZE)} down, 16 at a time", server, commands, SMALL_TARGETS,
                runs, material.clear, material.check_small)


def in_words(size):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} bytes"
