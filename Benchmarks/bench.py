# SPDX-License-Identifier: MIT
"""The benchmark: arguments, order, clean-up. Run it as Benchmarks/run."""

import argparse
import os
import re
import shutil
import sys

import report
from cases import GROUPS, all_cases, allow_many_descriptors, in_words
from material import Material
from processes import Failure, Processes, run_to_end, say
from servers import Servers
from uploadcases import upload_cases

SIZE, FILES, RUNS = 1 << 30, 10_000, 5


def byte_count(text):
    found = re.fullmatch(r"(\d+)([KMG]?)", text, re.IGNORECASE)
    if not found or int(found.group(1)) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 64M or 1G")
    return int(found.group(1)) << {"": 0, "K": 10, "M": 20, "G": 30}[found.group(2).upper()]


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return int(text)


def parse():
    parser = argparse.ArgumentParser(prog="Benchmarks/run", description="Measures fileq against the system's curl.")
    parser.add_argument("binary", help="a release build of fileq")
    parser.add_argument("--runs", type=positive, default=RUNS, help="counted runs of each client (default: 5)")
    parser.add_argument("--size", type=byte_count, default=SIZE, help="size of the large file (default: 1G)")
    parser.add_argument("--files", type=positive, default=FILES, help="number of small files (default: 10000)")
    parser.add_argument("--disk", default=os.environ.get("TMPDIR") or "/var/tmp", help="a folder on a disk (default: $TMPDIR or /var/tmp)")
    parser.add_argument("--only", choices=GROUPS, action="append", help="measure these cases alone; may be repeated")
    arguments = parser.parse_args()
    arguments.groups = tuple(group for group in GROUPS if not arguments.only or group in arguments.only)
    arguments.only = "-".join(arguments.groups) if arguments.groups != GROUPS else None
    arguments.differences = [f"-{option}-{value}" for option, value, usual in (
        ("only", arguments.only, None), ("runs", arguments.runs, RUNS), ("size", in_words(arguments.size).replace(" ", ""), in_words(SIZE).replace(" ", "")),
        ("files", arguments.files, FILES)) if value != usual]
    return arguments


def find_tools(arguments):
    tools = {"fileq": os.path.abspath(arguments.binary)}
    if not os.access(tools["fileq"], os.X_OK):
        raise Failure(f"{arguments.binary} is not a program; `make bench` builds it")
    places = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/usr/local/sbin"
    waiting = ("sh", "sync") if {"disk", "uploads"} & set(arguments.groups) else ()
    sizing = ("strip", "tar", "zstd") if "size" in arguments.groups else ()
    for name in ("curl", "nginx", "openssl", *waiting, *sizing):
        tools[name] = shutil.which(name, path=places)
        if not tools[name]:
            raise Failure(f"{name} is not installed; assets/install-dependencies test does that")
    return tools


def measure(arguments, tools, material, processes, undo_later):
    load = os.getloadavg()
    say(f"files: {material.where}")
    material.create()
    servers = Servers(processes, tools, material)
    servers.start()
    if "start" in arguments.groups:
        # A service runs, for `list`.
        processes.output([tools["fileq"], "list"])
        undo_later(lambda: processes.output([tools["fileq"], "service", "stop"]))
    cases = all_cases(arguments.groups, arguments.runs, tools, material, servers)
    if "uploads" in arguments.groups:
        cases += upload_cases(arguments.runs, tools, material, servers)
    # The memory of a program that does nothing: figures cannot be below it (see stopwatch.py).
    floor = max(processes.measure([shutil.which("true") or "/bin/true"]).rss for _ in range(3))
    for case in cases:
        case.measure(processes)
    text = "\n\n".join([report.heading(processes, tools, material, arguments, load), report.table(cases, floor)])
    print(text)
    path = report.save("\n\n".join([text, report.raw(cases)]) + "\n", arguments)
    say(f"\nwritten to {os.path.relpath(path)}")
    return 1 if any(case.failure for case in cases) else 0


def main():
    arguments = parse()

    def body(undo_later):
        tools = find_tools(arguments)
        allow_many_descriptors()
        material = Material(arguments.size if {"large", "disk", "serve", "uploads"} & set(arguments.groups) else 0,
                            arguments.files if {"small", "serve"} & set(arguments.groups) else 0, uploads="small" in arguments.groups)
        undo_later(material.remove)
        if "disk" in arguments.groups:
            material.use_disk(arguments.disk)
        processes = Processes(material.work)
        undo_later(processes.stop_all)
        return measure(arguments, tools, material, processes, undo_later)

    return run_to_end("Benchmarks/run", body)


if __name__ == "__main__":
    sys.exit(main())
