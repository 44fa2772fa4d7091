# SPDX-License-Identifier: MIT
"""Compares the cost of a build with the committed ceilings. Run it as Benchmarks/check.

Instructions are counted by callgrind, which repeats within a few percent, also on a busy machine. With --ratio, CPU time too, as
a ratio to that of curl in the same run: for a machine at rest, as CI's is then. A figure fails when it is more than a tenth above its ceiling; the
size of the program, when it is more than a twentieth above, since 58 MB are the limit; those of large files, when they are twice as
high: how many reads and wake-ups a MiB takes is up to the kernel, and on a busy machine they nearly double. The least of three runs
counts, of ratios as well: those of one program differ by a third.
"""

import argparse
import json
import os
import re
import shutil
import sys

from cases import Case
from material import Material
from processes import Failure, Processes, run_to_end
from report import median
from servers import Servers

FEW, MANY, LARGE = 200, 1_200, 256 << 20
MARGIN, LARGE_MARGIN, SIZE_MARGIN, LARGE_RUNS, RATIO_RUNS = 1.10, 2.0, 1.05, 3, 3
CEILINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ceilings.json")
UNITS = {"instructions": ("instructions", 0), "ratio": ("x curl", 2), "bytes": ("bytes", 0)}


class Check:
    def __init__(self, processes, tools, material, servers):
        self.processes, self.tools, self.material, self.servers = processes, tools, material, servers
        # Neither callgrind nor an installation needs debugging information.
        self.program = material.path("program", "fileq")
        os.mkdir(os.path.dirname(self.program))
        processes.output([tools["strip"], "-o", self.program, tools["fileq"]])

    def figures(self, with_ratio, with_large=True):
        address, root = self.servers.sites["nginx"]["http"]
        material, run = self.material, self.instructions
        urls = [f"{address}/small/{number:05}" for number in range(MANY)]

        def small(count):
            path = material.path(f"list-{count}")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(url + "\n" for url in urls[:count])
            material.clear()
            return run(["get", "-q", "-j", "16", "-d", material.collected, "-i", path])

        def small_up(count):
            path = material.path(f"uploads-{count}")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(os.path.join(material.small, f"{number:05}") + "\n" for number in range(count))
            material.clear()
            return run(["put", "-q", "-j", "16", "-i", path, f"{address}/up/"])

        few_up, many_up = small_up(FEW), small_up(MANY)
        material.check_small(os.path.join(root, "up"))
        start, few, many = small(1), small(FEW), small(MANY)
        material.check_small()
        material.clear()
        figures = {
            "start, one small file: instructions": start,
            "each further small file: instructions": (many - few) / (MANY - FEW),
            "each further small upload: instructions": (many_up - few_up) / (MANY - FEW),
            "stripped program: bytes": os.path.getsize(self.program),
        }
        if with_large:
            figures.update(self.large(address, root, start))
        if with_ratio:
            figures[f"{MANY} small files, CPU: ratio"] = min(self.small_ratio(address) for _ in range(RATIO_RUNS))
            figures["a large file, CPU: ratio"] = min(self.large_ratio(address) for _ in range(RATIO_RUNS))
        return figures

    def large(self, address, root, start):
        material, run = self.material, self.instructions
        beginning = run(["put", "-q", os.path.join(material.small, "00000"), f"{address}/uploaded.bin"])

        def large_down():
            material.clear()
            counted = run(["get", "-q", "-o", material.received, f"{address}/large.bin"])
            material.check_large(material.received)
            return counted

        def large_up():
            counted = run(["put", "-q", material.large, f"{address}/uploaded.bin"])
            material.check_large(os.path.join(root, "uploaded.bin"))
            return counted

        down, up = (min(count() for _ in range(LARGE_RUNS)) for count in (large_down, large_up))
        mebibytes = LARGE >> 20
        return {
            "download, each MiB: instructions": (down - start) / mebibytes,
            "upload, each MiB: instructions": (up - beginning) / mebibytes,
        }

    def instructions(self, words):
        """Instructions of one run, of the program itself in user mode."""
        report = self.material.path("callgrind.out")
        self.processes.output([self.tools["valgrind"], "--tool=callgrind", f"--callgrind-out-file={report}", self.program] + words)
        with open(report, encoding="utf-8", errors="replace") as file:
            found = re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)
        if not found:
            raise Failure("callgrind counted nothing")
        return int(found.group(1))

    def small_ratio(self, address):
        material = self.material
        for_fileq, for_curl = material.write_lists(address, "check")
        commands = {"curl": [self.tools["curl"], "-q", "-sSf", "-Z", "--parallel-max", "16", "-K", for_curl],
                    "fileq": [self.program, "get", "-q", "-j", "16", "-d", material.collected, "-i", for_fileq]}
        return self.ratio(Case(f"{MANY} x 4 KiB", "nginx", commands, {}, 7, material.clear, material.check_small))

    def large_ratio(self, address):
        material, url = self.material, f"{address}/large.bin"
        commands = {"curl": [self.tools["curl"], "-q", "-sSf", "-o", material.received, url],
                    "fileq": [self.program, "get", "-q", "-o", material.received, url]}
        return self.ratio(Case("a large file", "nginx", commands, {}, 7, material.clear, lambda: material.check_large(material.received)))

    def ratio(self, case):
        case.measure(self.processes)
        if case.failure:
            raise Failure(case.failure)
        return median([mine.cpu / theirs.cpu for theirs, mine in zip(case.samples["curl"], case.samples["fileq"])])


def compare(figures, ceilings):
    """Prints a line for each figure; returns how many are too high, or have no ceiling."""
    failures = 0
    for name, value in figures.items():
        unit, digits = UNITS[name.rpartition(" ")[2]]
        ceiling, margin = ceilings.get(name), LARGE_MARGIN if "each MiB" in name else SIZE_MARGIN if "bytes" in name else MARGIN
        is_above = ceiling is None or value > ceiling * margin
        if ceiling is None:
            verdict = "has no ceiling"
        elif is_above:
            verdict = f"above the ceiling of {ceiling:,.{digits}f} by {100 * (value / ceiling - 1):.0f} %"
        elif value * margin < ceiling:
            verdict = f"well below the ceiling of {ceiling:,.{digits}f}: lower it"
        else:
            verdict = f"ceiling {ceiling:,.{digits}f}"
        failures += is_above
        print(f"{name.rpartition(':')[0]:<34} {value:>14,.{digits}f} {unit:<13} {verdict}")
    return failures


def find_tools(binary):
    tools = {"fileq": os.path.abspath(binary)}
    if not os.access(tools["fileq"], os.X_OK):
        raise Failure(f"{binary} is not a program; `make build` builds it")
    places = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/usr/local/sbin"
    for name in ("curl", "nginx", "openssl", "strip", "valgrind"):
        tools[name] = shutil.which(name, path=places)
        if not tools[name]:
            raise Failure(f"{name} is not installed: apt-get install {'binutils' if name == 'strip' else name}")
    return tools


def prepare(binary, large, files, undo_later):
    """Processes, tools, files and nginx, for a class that counts what the program executes."""
    tools = find_tools(binary)
    material = Material(large, files, copies=2, uploads=True)
    undo_later(material.remove)
    processes = Processes(material.work)
    undo_later(processes.stop_all)
    material.create()
    servers = Servers(processes, tools, material)
    servers.start_nginx()
    return processes, tools, material, servers


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/check", description="Compares a build with Benchmarks/ceilings.json.")
    parser.add_argument("binary", help="a release build of fileq")
    parser.add_argument("--ratio", action="store_true", help="CPU time too, against curl's")
    parser.add_argument("--repeatable", action="store_true", help="without large files, whose counts vary")
    parser.add_argument("--record", action="store_true", help="write the measured figures as the new ceilings")
    arguments = parser.parse_args()

    def body(undo_later):
        check = Check(*prepare(arguments.binary, LARGE, MANY, undo_later))
        with open(CEILINGS, encoding="utf-8") as file:
            ceilings = json.load(file)
        figures = check.figures(arguments.ratio, not arguments.repeatable)
        if arguments.record:
            ceilings.update((name, round(value, 2)) for name, value in figures.items())
            with open(CEILINGS, "w", encoding="utf-8") as file:
                json.dump(ceilings, file, indent=2)
                file.write("\n")
        return 1 if compare(figures, ceilings) else 0

    return run_to_end("Benchmarks/check", body)


if __name__ == "__main__":
    sys.exit(main())
