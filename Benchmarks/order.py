# SPDX-License-Identifier: MIT
"""Lists the functions that typical runs call, in the order of their first call. Run it as Benchmarks/order.

The linker places them side by side (Makefile), so that a run maps fewer pages of the program. Names that the program no longer has do no
harm; functions that the list lacks are placed behind.
"""

import argparse
import glob
import os
import re
import sys

from ceilings import Check, prepare
from processes import run_to_end

FILES, LARGE = 200, 8 << 20
LIST = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "assets", "function-order.txt")


class Runs(Check):
    """Of a program with its symbols, each under callgrind."""

    def __init__(self, processes, tools, material, servers):
        super().__init__(processes, tools, material, servers)
        processes.output([tools["strip"], "-g", "-o", self.program, tools["fileq"]])
        self.names, self.count = {}, 0

    def all(self):
        address, _ = self.servers.sites["nginx"]["http"]
        secure, _ = self.servers.sites["nginx"]["https"]
        material = self.material
        downloads, _ = material.write_lists(address, "order")
        uploads, _ = material.write_upload_lists(address, "order-up")
        # Creates the folders.
        material.clear()
        self.run("--version")
        self.run("get", "-q", "-o", material.received, f"{address}/small/00000")
        self.run("get", "-q", "--overwrite", "-o", material.received, f"{address}/large.bin")
        self.run("get", "-q", "--overwrite", "--cacert", self.servers.certificate, "-o", material.received, f"{secure}/large.bin")
        self.run("get", "-q", "-j", "16", "-d", material.collected, "-i", downloads)
        self.run("put", "-q", material.large, f"{address}/uploaded.bin")
        self.run("put", "-q", "-j", "16", "-i", uploads, f"{address}/up/")
        self.processes.output([self.tools["fileq"], "add", "get", "--paused", "-o", material.received, f"{address}/large.bin"])
        self.run("list")
        self.processes.output([self.tools["fileq"], "service", "stop"])

    def run(self, *words):
        self.count += 1
        report = self.material.path(f"calls.{self.count}")
        self.processes.output([self.tools["valgrind"], "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={report}", self.program,
                               *words])
        for path in sorted(glob.glob(report + "*")):
            self._read(path)

    def _read(self, path):
        """Functions of the program. A name stands beside its number where that is first used."""
        objects, functions, in_program = {}, {}, False
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                found = re.match(r"(ob|fn|cfn|cob)=\((\d+)\)(?: (\S.*))?", line)
                if not found:
                    continue
                kind, number, name = found.groups()
                table = objects if kind in ("ob", "cob") else functions
                if name:
                    table[number] = name.strip()
                if kind == "ob":
                    in_program = objects[number] == self.program
                elif kind == "fn" and in_program:
                    # Recursive calls have a number behind the name.
                    self.names.setdefault(functions[number].partition("'")[0])


def sections(map_file):
    """The section of each function, by the linker's map: columns for addresses, size and alignment, then a file with a section, and
    further to the right what it contains."""
    found, section = {}, None
    with open(map_file, encoding="utf-8", errors="replace") as file:
        for line in file:
            columns = re.match(r"(?: *[0-9a-f]+){3} +[0-9]+ ( *)(\S.*)$", line)
            if not columns:
                continue
            depth, text = len(columns.group(1)), columns.group(2)
            if depth == 8:
                section = text if ":(.text" in text else None
            elif depth == 16 and section:
                found.setdefault(text, section)
    return found


def first_of_each_section(names, map_file):
    """The linker moves sections, not functions: one name of each is enough."""
    of, seen = sections(map_file), set()
    for name in names:
        if name in of and of[name] not in seen:
            seen.add(of[name])
            yield name


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/order", description="Writes assets/function-order.txt.")
    parser.add_argument("binary", help="a release build of fileq")
    parser.add_argument("map", help="the linker's map of it")
    arguments = parser.parse_args()

    def body(undo_later):
        runs = Runs(*prepare(arguments.binary, LARGE, FILES, undo_later))
        runs.all()
        names = list(first_of_each_section(runs.names, arguments.map))
        with open(LIST, "w", encoding="utf-8") as file:
            file.write("".join(name + "\n" for name in names))
        print(f"{len(runs.names)} functions in {len(names)} sections")
        return 0

    return run_to_end("Benchmarks/order", body)


if __name__ == "__main__":
    sys.exit(main())
