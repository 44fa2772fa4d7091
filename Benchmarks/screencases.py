# SPDX-License-Identifier: MIT
"""The measured cases of the interface on a long and on a busy queue, and their targets."""

import os
import time

from processes import Failure
from report import median
from terminal import Terminal

LISTED, LONG = 10_000, 100_000
LIVE, LIVE_RATE = 40, 256 << 10
KEYS, STARTS, IDLE, WATCHED = 200, 5, 10, 10

# Typed into the filter, one after the other.
LETTERS = b"9bin0"
# Seconds, bytes, shares.
TARGETS = {"key": 0.005, "sort": 0.050, "first": 0.200, "frame": 4096, "share": 0.04, "idle bytes": 0, "idle cpu": 0.0005}


def measure_screen(bench, place, row, run_large):
    """In memory only: the interface stores nothing.

    - row: makes a line of the table.
    - run_large: queues the large file under many names."""
    if place.name == "disk":
        return []
    rows = []
    for count in (min(LISTED, bench.arguments.items), bench.arguments.items):
        fill(place, count)
        rows += screen_of(place, count, row)
    rows += live_rows(bench, place, row, run_large)
    place.begin_anew()
    return rows


def fill(place, count):
    place.begin_anew()
    addresses = place.path("screen.txt")
    with open(addresses, "w", encoding="utf-8") as file:
        file.writelines(f"http://127.0.0.1:9/pool/{number * 7919 % count:06}.bin\n" for number in range(count))
    place.run("add", "get", "--paused", "-q", "-d", place.collected, "-i", addresses)


def open_screen(place, columns=120, rows=40):
    return Terminal(place.fileq("interface", "--view", "all"), place.processes.environment, columns, rows)


def screen_of(place, count, row):
    """The first paint, then keys, a sort and silence."""
    name, words, first = place.name, f"screen of {count:,}", []
    for _ in range(STARTS):
        screen = open_screen(place)
        try:
            first.append(screen.wait_for(b".bin"))
        finally:
            screen.close()
    rows = [row(f"{words}: first rows", name, median(first), target=TARGETS["first"], values=first)]
    screen = open_screen(place)
    try:
        screen.wait_for(b".bin")
        screen.wait_for_silence()
        keys = []
        for number in range(KEYS):
            keys.append(screen.press(b"j" if number % 50 < 40 else b"\x06"))
            screen.wait_for_silence(0.01)
        rows.append(row(f"{words}: p95 of keys", name, p95(keys), target=TARGETS["key"], note=f"median {median(keys) * 1e3:.2f} ms"))
        sorts = []
        for letter in (b"n", b"z", b"n", b"a", b"n"):
            screen.press(b"s")
            screen.wait_for_silence(0.05)
            sorts.append(screen.press(letter))
            screen.wait_for_silence(0.05)
        rows.append(row(f"{words}: sorting", name, median(sorts), values=sorts, target=TARGETS["sort"] if count <= LISTED else None))
        screen.press(b"/")
        letters = []
        for letter in LETTERS:
            screen.wait_for_silence(0.05)
            letters.append(screen.press(bytes([letter])))
        screen.wait_for_silence(0.05)
        screen.press(b"\x1b")
        rows.append(row(f"{words}: a letter of a filter", name, max(letters), values=letters, note="the slowest"))
        screen.wait_for_silence(2)
        screen.output, before, began = b"", place.cpu(screen.pid), time.monotonic()
        screen.read_for(IDLE)
        share = (place.cpu(screen.pid) - before) / (time.monotonic() - began)
        usage = place.usage(screen.pid)
        rows.append(row(f"{words}: written, idle {IDLE} s", name, len(screen.output), "B", TARGETS["idle bytes"]))
        rows.append(row(f"{words}: CPU, idle {IDLE} s", name, share, "%", TARGETS["idle cpu"]))
        rows.append(row(f"{words}: memory", name, usage.rss, "MB", note=f"at most {usage.peak / 1e6:.1f} MB"))
    finally:
        screen.close()
    return rows


def live_rows(bench, place, row, run_large):
    """Forty moving rows, details and graphs."""
    place.begin_anew()
    sink = bench.material.path("screen")
    os.makedirs(sink, exist_ok=True)
    run_large(bench, place, LIVE, ("--limit", str(LIVE_RATE)), sink)
    place.run("set", "--concurrent", str(LIVE))
    screen = open_screen(place, 120, 60)
    try:
        screen.wait_for(b".bin")
        screen.read_for(3)
        screen.output, before, began = b"", place.cpu(screen.pid), time.monotonic()
        screen.read_for(WATCHED)
        seconds = time.monotonic() - began
        share = (place.cpu(screen.pid) - before) / seconds
        frames = [len(frame) for frame in screen.frames]
        if not frames:
            raise Failure("the interface draws nothing while transfers run")
        note = f"{len(frames) / seconds:.1f} frames/s, the largest {max(frames)} bytes"
        return [row(f"screen of {LIVE} live: a frame", place.name, sum(frames) / len(frames), "B", TARGETS["frame"], note=note),
                row(f"screen of {LIVE} live: CPU", place.name, share, "%", TARGETS["share"])]
    finally:
        screen.close()
        place.stop()
        for name in os.listdir(sink):
            os.unlink(os.path.join(sink, name))


def p95(values):
    return sorted(values)[-(-len(values) * 95 // 100) - 1]
