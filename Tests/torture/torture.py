#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets each fallible call of fileq fail in turn, and checks what the process does about it.

    torture.py FILEQ [--scenario NAME]...                  every call once, with each of its errors
    torture.py FILEQ --shallow N [--seed S]                N faults at random: places first, then a call of that place
    torture.py FILEQ --places                              one call of each place, with each of its errors
    torture.py FILEQ --scenario NAME --call N --error E    one fault again; --call N+ lets all later calls fail too

FILEQ is a program with its symbols. Each scenario runs once without faults, which counts its calls, then once for each fault in a new
folder. Besides single errors, the process is killed before calls that change something (--error kill), and the disk stays full from a
write on (--call N+ --kinds write). Prints each violation with the call, its place in the program and the command that repeats it; exits
with 1 if there is one. docs/Torture.md lists what is checked.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from rig import Fault, Rig
from scenarios import SCENARIOS

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("fileq")
arguments.add_argument("--scenario", action="append", choices=SCENARIOS, metavar="NAME")
arguments.add_argument("--shallow", type=int, metavar="N")
arguments.add_argument("--seed", type=int, default=None)
arguments.add_argument("--places", action="store_true")
arguments.add_argument("--modes", default="once,kill,full", help="of once, kill, full")
arguments.add_argument("--call")
arguments.add_argument("--error", default="0")
arguments.add_argument("--kinds", default="", help="count only these: open, name, status, write, read, sync, lock, memory, "
                       "process, network, curl, curl-memory, sqlite-memory")
# A run mostly waits: for retries, for a full disk, for the end of a service.
arguments.add_argument("--jobs", type=int, default=8 * (os.cpu_count() or 1))
arguments.add_argument("--limit", type=float, default=60, help="seconds until a process counts as hung")
arguments.add_argument("--seconds", type=float, help="begin no fault after this time; they come in random order then")
arguments.add_argument("--folder", help="for everything that is written; it is emptied first")
arguments.add_argument("--calls", action="store_true", help="list the calls of each scenario, and end")
options = arguments.parse_args()

# Calls before which a kill matters: they change what others see.
CHANGING = {"open", "name", "write", "sync", "network"}


def faults_of(call, position):
    """All faults at one call. `position`: its number among the calls of each kind."""
    modes = options.modes.split(",")
    if "once" in modes:
        for error in range(call.errors):
            yield Fault(str(call.number), str(error), options.kinds)
    if "kill" in modes and call.kind in CHANGING:
        yield Fault(str(call.number), "kill", options.kinds)
    if "full" in modes and call.kind == "write":
        yield Fault(f"{position}+", "0", "write")


class Census:
    """The calls of a scenario without faults, by their place."""

    def __init__(self, calls):
        self.calls = calls
        self.places = collections.defaultdict(list)
        counted = collections.Counter()
        for call in calls:
            counted[call.kind] += 1
            self.places[call.place].append((call, counted[call.kind]))

    def all(self):
        for entries in self.places.values():
            for call, position in entries[:1] if options.places else entries:
                yield from faults_of(call, position)

    def pick(self, chance):
        entries = self.places[chance.choice(sorted(self.places))]
        return chance.choice(list(faults_of(*chance.choice(entries))) or [None])


class Report:
    def __init__(self, rig):
        self.rig = rig
        self.tried = self.reached = self.failed = self.trapped = 0
        self.kinds = collections.Counter()
        self.places = set()
        self.names = {}

    def take(self, name, fault, run):
        self.tried += 1
        self.trapped += run.has_trapped
        hit = run.calls
        if hit:
            self.reached += 1
            self.kinds[hit[0].kind] += 1
            self.places.add(hit[0].place)
        if not run.violations:
            return
        self.failed += 1
        print(f"✘ {name} {fault.words()}")
        for words in run.violations:
            print(f"  {words}")
        for call in hit[:1]:
            error = {0: fault.error, -1: "half of the bytes"}.get(call.code) or os.strerror(call.code)
            print(f"  call {call.number}: {call.name} {call.path}: {error}")
            for line in self.resolve(call.stack):
                print(f"    {line}")
        for outcome in run.outcomes[-3:] if len(run.outcomes) > 4 else run.outcomes:
            print(f"  {outcome}")
        print(f"  again: Tests/torture/torture.py {options.fileq} --scenario {name} {fault.words()}")
        print(f"  its folder: {run.folder}", flush=True)

    def resolve(self, stack):
        """Functions of the program's frames; those of libraries stay offsets."""
        frames = stack.split()
        own = [frame.split("+")[1] for frame in frames if frame.startswith("fileq+")]
        unknown = [f"0x{offset}" for offset in own if offset not in self.names]
        if unknown and shutil.which("addr2line"):
            found = subprocess.run(
                ["addr2line", "-f", "-s", "-e", self.rig.binary, *unknown], capture_output=True, text=True).stdout.splitlines()
            if swift := shutil.which("swift-demangle"):
                found = subprocess.run([swift, "--simplified"], input="\n".join(found), capture_output=True, text=True).stdout.splitlines()
            for index, offset in enumerate(unknown):
                self.names[offset[2:]] = " ".join(reversed(found[2 * index:2 * index + 2]))
        for frame in frames[:12]:
            module, offset = frame.split("+")
            yield self.names.get(offset, frame) if module == "fileq" else frame


def chosen(censuses):
    """The faults to try: (scenario, fault)."""
    if options.call:
        return [(name, Fault(options.call, options.error, options.kinds)) for name in censuses]
    if options.shallow is None:
        faults = [(name, fault) for name, census in censuses.items() for fault in census.all()]
        if options.seconds:
            random.Random(options.seed).shuffle(faults)
        return faults
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    picked = []
    while len(picked) < options.shallow:
        name = chance.choice(sorted(censuses))
        if fault := censuses[name].pick(chance):
            picked.append((name, fault))
    return picked


def main():
    folder = options.folder or tempfile.mkdtemp(prefix="fileq-torture-")
    rig = Rig(options.fileq, folder, options.limit, options.kinds)
    report, began = Report(rig), time.monotonic()
    try:
        censuses = {}
        for name in options.scenario or SCENARIOS:
            run = rig.run(SCENARIOS[name], None)
            for words in run.violations:
                print(f"✘ {name} without faults: {words}")
            if run.violations:
                print(*run.outcomes, sep="\n")
                return 1
            censuses[name] = Census(run.calls)
            print(f"{name}: {len(run.calls)} calls at {len(censuses[name].places)} places", flush=True)
            if options.calls:
                for call in run.calls:
                    print(f"  {call.number} {call.kind} {call.name} {call.path}")
        if options.calls:
            return 0
        faults = chosen(censuses)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            def play(name, fault):
                is_late = options.seconds and time.monotonic() - began > options.seconds
                return None if is_late else rig.run(SCENARIOS[name], fault)

            work = {pool.submit(play, *fault): fault for fault in faults}
            for done in concurrent.futures.as_completed(work):
                # Thousands of runs would stay in memory.
                fault = work.pop(done)
                if run := done.result():
                    report.take(*fault, run)
                    if report.tried % 1000 == 0:
                        print(f"{report.tried} of {len(faults)} faults, {time.monotonic() - began:.0f} s", flush=True)
        kinds = ", ".join(f"{kind} {count}" for kind, count in report.kinds.most_common())
        print(f"{report.tried} of {len(faults)} faults, {report.reached} of them reached ({kinds}) at {len(report.places)} places; "
              f"{report.failed} with violations, {report.trapped} trapped in GRDB; {time.monotonic() - began:.0f} s")
        if report.reached == 0:
            print("✘ no fault was reached: the library was not loaded")
        return 1 if report.failed or report.reached == 0 else 0
    finally:
        rig.close()
        if not report.failed and not options.folder:
            shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
