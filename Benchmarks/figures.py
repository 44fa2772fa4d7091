# SPDX-License-Identifier: MIT
"""Writes the newest figures: all into docs/Figures.md, three sentences into README.md, between two marks each. Run it as Benchmarks/figures;
--check only compares.

Every row with a target of a result file becomes a row of a table: of each group, those of the newest file that has it,
except files of a reduced --size, --files or --items. Below a table are the reasons of its rows that fall short (reasons.py).
"""

import argparse
import os
import re
import sys

from reasons import UNKNOWN, reasons

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results")
ROOT = os.path.dirname(HERE)
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
VERDICTS = {"meets": "meets", "falls short": "**falls short**"}

# A row of the transfers' benchmark, and one of the queue's; names of cases and quantities have single spaces.
AGAINST_CURL = re.compile(r"(?P<name>.{33}) (?P<server>.{12}) (?P<quantity>.{12}) +(?P<curl>(?:< )?[\d.]+ \w+|-) +(?P<fileq>(?:< )?[\d.]+ \w+) +"
                          r"(?P<ratio>[\d.]+|-) +[\d.-]+  (?P<target>[\d.]+(?: MB)?) +(?P<verdict>meets|falls short)$")
OF_QUEUE = re.compile(r"(?P<name>\S.*?|  \S.*?) +(?P<home>memory|disk) +(?P<value>[\d.]+(?: ?\w+|%|/s)?)  (?P<target>[\d.]+(?: \w+|%|/s)?) +"
                      r"(?P<verdict>meets|falls short)(?: |$)")
OF_SPLIT = re.compile(r"(?P<name>\S.{35}) (?P<theirs>.{31}) (?P<mine>.{27}) +(?P<ratio>[\d.]+)  (?P<target>[\d.]+)  (?P<verdict>meets|falls short)$")
FORMS = (("the background queue", OF_QUEUE), ("several connections", OF_SPLIT))
GROUPS = (("large", "large files"), ("small", "small files"), ("start", "start-up"), ("size", "size"), ("disk", "to a disk"), ("serve", "`fileq serve`"),
          ("uploads", "uploads"), ("split", "several connections"),
          ("queue items", "a long queue"), ("queue screen", "the interface"), ("queue small", "small files through the queue"), ("queue syncs", "syncs"),
          ("queue latency", "latency"), ("queue remote", "remote control"), ("queue million", "a very long queue"))


def group(name, form):
    if form is OF_SPLIT:
        return "split"
    if form is OF_QUEUE:
        tests = (("queue remote", r"^rpc "), ("queue million", r"1,000,000"), ("queue screen", r"^screen "), ("queue syncs", r"syncs,"), ("queue latency", r"p99,"), ("queue small", r"4 KiB|  fileq to "))
        return next((key for key, pattern in tests if re.search(pattern, name)), "queue items")
    tests = (("start", r"start-up"), ("size", r"^size:"), ("disk", r"to a disk"), ("serve", r"served|idle"),
             ("uploads", r"^received:|up, (ietf|tus|hashed) "), ("small", r" x 4 KiB"))
    return next((key for key, pattern in tests if re.search(pattern, name)), "large")


class Result:
    """A result file: its heading, and its rows with a target by group."""

    def __init__(self, name):
        self.name = name
        with open(os.path.join(RESULTS, name), encoding="utf-8") as file:
            lines = file.read().split("\n")
        self.time = lines[0].rpartition(", ")[2]
        heading = dict(line.split(":", 1) for line in lines[1:lines.index("")] if ":" in line)
        self.machine = heading["machine"].split(";")[0].strip()
        self.commit = heading.get("commit", "").strip() or "not recorded"
        self.groups = {}
        form, last = next((form for start, form in FORMS if lines[0].startswith(start)), AGAINST_CURL), ("", "")
        for line in lines:
            found = form.match(line)
            if form is AGAINST_CURL and re.match(r"\S.{46}\w", line):
                last = (line[:33].strip(), line[34:46].strip())
            if not found:
                continue
            row = {key: value.strip() for key, value in found.groupdict().items()}
            if form is AGAINST_CURL:
                row["name"], row["server"] = last
            self.groups.setdefault(group(found["name"] if form is OF_QUEUE else row["name"], form), []).append(row)

    @property
    def order(self):
        """By the time of the heading, then by the number that a further file of one name has."""
        further = re.search(r"-(\d+)\.txt$", self.name)
        return (self.time, int(further[1]) if further else 1, self.name)


# Runs of less than the rows say. One digit is the number of a further file of that name.
REDUCED = r"-outage|-size-\d+[A-Za-z]|-(files|items)-\d{2}"


def newest():
    results = [Result(name) for name in os.listdir(RESULTS) if name.endswith(".txt") and not re.search(REDUCED, name)]
    found = {}
    for result in sorted(results, key=lambda result: result.order):
        for key in result.groups:
            found[key] = result
    return found


def heading(title, result, results):
    """Of a table. `results`: the folder of the results, as its document names it."""
    return [f"**{title}**: {result.time}, {result.machine}, commit {result.commit} ([all figures]({results}/{result.name}))", ""]


def table(key, rows):
    """The rows of one group, or of groups with the same columns."""
    if key.startswith("queue"):
        names, columns = "case | files | median | target |", ("name", "home", "value", "target")
    elif key == "split":
        names, columns = "case | | | ratio | target |", ("name", "theirs", "mine", "ratio", "target")
    else:
        left, right = {"serve": ("nginx", "fileq serve"), "uploads": ("compared with", "fileq")}.get(key, ("curl", "fileq"))
        names = f"case | server | | {left} | {right} | ratio | target |"
        columns = ("name", "server", "quantity", "curl", "fileq", "ratio", "target")
    return [f"| {names} |", "|" + "---|" * (len(columns) + 1),
            *(f"| {' | '.join(row[column] for column in columns)} | {VERDICTS[row['verdict']]} |" for row in rows), ""]


def whole(found):
    """All figures, for docs/Figures.md."""
    lines = []
    for key, title in GROUPS:
        if key not in found:
            continue
        result = found[key]
        rows = result.groups[key]
        lines += heading(title[0].upper() + title[1:], result, "../Benchmarks/results") + table(key, rows)
        short = [(row["name"], place(row), row.get("quantity", "")) for row in rows if row["verdict"] != "meets"]
        if short:
            lines += [*reasons(short), ""]
    return "\n".join(lines).rstrip()


def sentences(found):
    """For README.md."""
    def row(key, name, where, quantity=""):
        return next(row for row in found[key].groups[key] if (row["name"], place(row), row.get("quantity", "")) == (name, where, quantity))

    def ratio(*case):
        return f"{float(row(*case).get('ratio') or row(*case)['value']):.2f}"

    def large(name):
        return ratio("large", name, "nginx", "wall")

    def small(direction):
        return ratio("small", f"10000 x 4 KiB {direction}, 16 at a time", "nginx", "wall")

    memory = row("large", "1 GiB down, plain", "nginx", "peak memory")
    start = row("start", "start-up (get of an empty file)", "nginx", "wall")
    return "\n".join((
        f"A file of 1 GiB takes {large('1 GiB down, plain')} of curl's time down and {large('1 GiB up, plain')} up, over TLS "
        f"{large('1 GiB down, TLS')} and {large('1 GiB up, TLS')},",
        f"with {memory['fileq']} of memory where curl takes {memory['curl']}.",
        f"10,000 files of 4 KiB, 16 at a time, take {small('down')} of curl's time down and {small('up')} up; through the background queue, which stores "
        "each one's completion",
        f"on the disk, {ratio('queue small', 'fileq to curl', 'disk')} of curl's and {ratio('queue small', 'fileq to aria2c', 'disk')} of aria2c's.",
        f"The start costs more, {start['fileq']} for an empty file where curl takes {start['curl']}; over 16 connections a large file takes "
        f"{ratio('split', 'each connection limited, 16 at most', '')} to",
        f"{ratio('split', 'long path with loss, 16 at most', '')} of the time of `aria2c -x 16`."))


def place(row):
    return row.get("home", row.get("server", ""))


def replace(name, figures, checks):
    """Puts the figures between the marks of a document.
    Returns whether they are there."""
    path = os.path.join(ROOT, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head, begin, rest = text.partition(BEGIN + "\n")
    _, end, tail = rest.partition(END + "\n")
    if not begin or not end:
        print(f"{name} lacks the lines {BEGIN} and {END}", file=sys.stderr)
        return False
    new = f"{head}{begin}\n{figures}\n\n{end}{tail}"
    if new == text:
        return True
    if checks:
        print(f"the figures of {name} are not those of the newest results: Benchmarks/figures writes them", file=sys.stderr)
        return False
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
    return True


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/figures", description="Writes the newest figures into docs/Figures.md and README.md.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if one of them differs")
    arguments = parser.parse_args()
    found = newest()
    figures = whole(found)
    if UNKNOWN in figures:
        print("a row falls short without a reason in Benchmarks/reasons.py", file=sys.stderr)
    documents = (("docs/Figures.md", figures), ("README.md", sentences(found)))
    return 0 if all([replace(name, text, arguments.check) for name, text in documents]) else 1


if __name__ == "__main__":
    sys.exit(main())
