# SPDX-License-Identifier: MIT
"""Figures as text: the table, an anonymous description of the machine, the file of results."""

import os
import re
import subprocess
import sys
import time

from cases import in_words
from processes import Failure
from reasons import reasons

QUANTITIES = (("wall", "wall"), ("cpu", "CPU"), ("rss", "peak memory"))
COLUMNS = "{:<33} {:<12} {:<12} {:>11} {:>11} {:>6} {:>6}  {:<8} {}"


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def table(cases, floor):
    short = []
    lines = [COLUMNS.format("case", "server", "median of", "curl", "fileq", "ratio", "pairs", "target", "").rstrip()]
    for case in cases:
        lines.append("")
        if case.failure:
            lines.append(f"{case.name:<33} {case.server:<12} could not be measured: {case.failure}")
            continue
        shown = [(quantity, getattr(case, "label", label)) for quantity, label in QUANTITIES if case.quantities is None or quantity in case.quantities]
        for index, (quantity, label) in enumerate(shown):
            name, server = (case.name, case.server) if index == 0 else ("", "")
            lines.append(row(case, quantity, label, name, server, floor, short))
    return "\n".join(lines + why(short))


def why(short):
    """Lines with the reasons of rows that fall short."""
    return ["", "rows that fall short:", *reasons(short)] if short else []


def row(case, quantity, label, name, server, floor, short):
    """- short: receives the rows that fall short."""
    *others, ours = ([getattr(sample, quantity) for sample in samples] for samples in case.samples.values())
    fileq, ratio, compared = median(ours), None, ("-", "-", "-")
    if others:
        curl = median(others[0])
        ratio = fileq / curl
        pairs = median([mine / theirs for theirs, mine in zip(others[0], ours)])
        compared = (figure(quantity, curl, floor), f"{ratio:.3f}", f"{pairs:.3f}")
    target, verdict = "", ""
    if quantity in case.targets:
        limit = case.targets[quantity]
        target = f"{limit // 1_000_000} MB" if quantity == "rss" else f"{limit:.2f}"
        verdict = "meets" if (fileq if quantity == "rss" else ratio) <= limit else "falls short"
        if verdict != "meets":
            short.append((case.name, case.server, label))
    return COLUMNS.format(name, server, label, compared[0], figure(quantity, fileq, floor), *compared[1:], target, verdict).rstrip()


def figure(quantity, value, floor):
    if quantity == "rss":
        return f"{'< ' if value <= floor else ''}{value / 1e6:.1f} MB"
    return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e3:.2f} ms"


def raw(cases):
    lines = ["every counted run, in order (wall s, CPU s, peak MB)"]
    for case in cases:
        for client in case.samples:
            for quantity, label in QUANTITIES:
                scale, digits = (1e6, 1) if quantity == "rss" else (1, 4)
                values = [f"{getattr(sample, quantity) / scale:.{digits}f}" for sample in case.samples[client]]
                if values:
                    lines.append(f"{case.name}, {case.server or 'no server'}, {client}, {label}: {' '.join(values)}")
    return "\n".join(lines)


def heading(processes, tools, material, arguments, load):
    curl = processes.output([tools["curl"], "--version"]).split()
    libraries = " ".join(word for word in curl if re.match(r"(libcurl|OpenSSL|GnuTLS|nghttp2)/", word))
    fileq = processes.output([tools["fileq"], "--version"]).split()[0]
    versions = [f"curl {curl[1]} ({libraries})", f"fileq {fileq} ({same_library(processes, tools)})"]
    if "nginx" in tools:
        # Its version goes to standard error.
        processes.output([tools["nginx"], "-v"])
        versions.append("nginx " + processes.complaint([tools["nginx"]]).rpartition("/")[2])
    memory = in_words((os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")) >> 20 << 20)
    return "\n".join([
        f"fileq against curl, {now()}",
        f"commit:   {commit()}",
        f"machine:  {cpu_model()}, {os.cpu_count()} cores, {memory}, Linux {os.uname().release.partition('-')[0]}; "
        f"load at the start: {load[0]:.2f}",
        f"versions: {'; '.join(versions)}",
        f"files:    {material.where}",
        f"runs:     {arguments.runs} counted after a warm-up, curl and fileq alternating; 30 for start-up",
        "ratio:    fileq's median to curl's, which decides the verdict; pairs: the median of each pair's ratio; "
        "of what is served and received: `fileq serve` to nginx"])


def now():
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())


def commit():
    """The commit of the sources, marked if Sources, Package.swift, Package.resolved or Makefile differ from it."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

    def git(*words):
        return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ":/Sources", ":/Package.swift", ":/Package.resolved", ":/Makefile")
        return git("rev-parse", "--short=10", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def same_library(processes, tools):
    """Describes whether both load one libcurl."""
    try:
        linked = re.search(r"libcurl\S* => (/\S+)", processes.output(["/usr/bin/ldd", tools["curl"]]))
    except Failure:  # ldd fails for what is linked statically
        linked = None
    # fileq loads it by this name. In another process: this one's memory is part of what its children are measured with.
    script = ("import ctypes, sys; ctypes.CDLL(sys.argv[1]); "
              "print(next(line.split()[-1] for line in open('/proc/self/maps') if 'libcurl' in line))")
    try:
        loaded = processes.output([sys.executable, "-c", script, "libcurl.so.4"]).strip()
    except Failure:
        loaded = None
    found = [os.path.realpath(path) if path else None for path in (linked and linked.group(1), loaded)]
    if found[1] is None:
        return "no shared libcurl"
    return "the same libcurl" if found[0] == found[1] else f"its own {os.path.basename(found[1])}"


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^(?:model name|Model)\s*: (.+)$", file.read(), re.MULTILINE)
    return found.group(1).strip() if found else os.uname().machine


def save(text, arguments):
    """Writes under results; a partial measurement is marked in its name. Existing files are not replaced."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
    os.makedirs(folder, exist_ok=True)
    machine = re.sub(r"[^a-z0-9]+", "-", cpu_model().lower()).strip("-")
    name = f"{time.strftime('%Y-%m-%d')}-{machine}-{os.cpu_count()}-cores" + "".join(arguments.differences)
    path, count = os.path.join(folder, name + ".txt"), 1
    while os.path.exists(path):
        count += 1
        path = os.path.join(folder, f"{name}-{count}.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
