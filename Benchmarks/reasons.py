# SPDX-License-Identifier: MIT
"""Why rows fall short of their targets: what was tried, what it gave, where the floor is. For the results and docs/Figures.md."""

import os
import re

UNKNOWN = "not explained yet"

# The case with its server or home, the quantity, and the reason of rows that match both; the first one counts.
REASONS = (
    (r"^(1 GiB|\d+ MiB)", r"peak memory",
     "26 of 32 MB are unmodified pages of the program (13 MB) and of libraries, which the kernel shares and takes back; 6 MB are private. "
     "Two malloc arenas save 3 MB with many files, next to nothing with one. Floor: "
     "code of libraries that cannot be moved; curl itself has 14 MB"),
    (r"^(1 GiB|\d+ MiB).*TLS", r"wall|CPU",
     "both clients spend their time in the same OpenSSL; the buffer of 512 KiB, which saves a quarter of the CPU in plain transfers, saves a "
     "hundredth here. Single runs differ by a fifth. Floor: curl's own time"),
    (r"^(1 GiB|\d+ MiB).*\(to openssl\)", r"CPU",
     "the same SHA-256, of BoringSSL instead of OpenSSL, on pieces that were read to be sent. Floor: the digest alone, 1.0"),
    (r"^(1 GiB|\d+ MiB).*\(to plain\)", r"wall|CPU",
     "the same program and server, plus an `OPTIONS` request, the creation and the record of the upload: 1.01 to 1.16 times in single runs, since the "
     "server, which has one of the two cores, is the slower end. Requests on one connection, as large as the server allows, took it from 1.3. Floor: 1.0"),
    (r"^(1 GiB|\d+ MiB) up.*fileq serve", r"wall|CPU",
     "uploads are resumable by default; with `--resumable never` it takes 0.61 to 0.69 s in the same run, as curl's. The "
     "client's CPU is 0.8 of curl's; the server, with one of the two cores, is the slower end. Floor: 1.0"),
    (r"^(1 GiB|\d+ MiB) down.*fileq serve", r"wall|CPU",
     "the server, with one of the two cores, is the slower end: the buffer of 512 KiB, which takes the client's CPU to 0.8 of curl's, cannot make it "
     "faster. Floor: curl's own time"),
    (r"^(1 GiB|\d+ MiB) (down|up).*nginx", r"wall|CPU",
     "the machine decides: on an AMD EPYC the buffer of 512 KiB took 0.64 of curl's time down and 0.77 up, on an Intel Xeon it takes 0.97 and 1.02, with 0.98 "
     "and 0.93 of its CPU. Copies by the kernel are what both clients need. Floor: curl's own time"),
    (r"^\d+ x 4 KiB (down|up)", r"peak memory",
     "31 MB are unmodified pages of the program and of libraries, the rest about 2 KB for each queued transfer. Two malloc arenas and a "
     "table that is sized once save 3 to 5 MB. Floor: 36 MB, what one file needs"),
    (r"^\d+ x 4 KiB down", r"wall|CPU",
     "slots without tasks, bodies in memory and batches took the CPU from 3.2 to 1.2 times curl's. Floor, of a prototype on the same libcurl: "
     "0.65. `fileq serve` needs more CPU than nginx: both clients wait for it"),
    (r"^\d+ x 4 KiB up", r"wall|CPU",
     "no run, no task, one read and one send for each file: 193,000 instructions instead of 629,000, 16 system calls instead of 28 (curl: 32). "
     "Half of the CPU is the kernel's, as with curl. "
     "Floor, of a prototype on the same libcurl without queue and events: 0.45. `fileq serve` needs more CPU than nginx: both clients wait for it"),
    (r"^start-up \(get", r"wall",
     "46.6 million instructions: usual lines are parsed without ArgumentParser, and the first cast of each type to a protocol searches all "
     "conformances of the program. The dynamic linker has 15 million, on another thread. Floor: 1.2, curl's 16 million and the 3 of Swift's start"),
    (r"^start-up \(list", r"wall",
     "no library of libcurl is loaded for `help exit-codes`; `list` with its usual options is parsed without ArgumentParser"),
    (r"^size: ", r"size",
     "ICU's stub table saves 34 MB, packed relocations 3.5. Unwind tables take 8.3 MB, code 34 MB, with Foundation, NIO and two copies of BoringSSL. "
     "Folding identical functions saves 0.7, or 0.05 if their addresses stay distinct"),
    (r"^add --paused -i, 100,000", r"", "the command parses and sends the list, the service writes it in one transaction; the row shows the CPU of each"),
    (r"^list, to a file", r"", "single runs take 0.45 to 0.58 s, with earlier builds as with this one; 0.38 s are the command's, 4 us a line"),
    (r"^syncs, .*4 KiB", r"",
     "a round a second syncs names and records of all files that wait, which is two syncs; over 12 s the round at the beginning makes it more. Single "
     "runs give 1.95 to 2.23; a longer round would delay the name of a file. Floor: 2.0"),
    (r"^(each connection limited|one limit|loopback)", r"",
     "connections are added in the first seconds, while each makes it faster; each costs a request. Floor: 1.0"),
    (r"^long path with loss", r"",
     "aria2c opens 16 connections at once, fileq adds them while each makes it faster, in a second or two of eight; which packets are lost decides the "
     "rest: single runs gave 1.03 to 1.2. Floor: 1.03"),
    (r"^received: \d+ x", r"peak memory",
     "128 KB of buffers for each connection, and 36 MB of the program; pieces are written and given back as they come"),
    (r"^served: \d+ x 4 KiB", r"wall",
     "requests that run on their connection's loop took it from 3 times nginx to 1.6. Of the server's CPU 43 % are the kernel's; no function of the "
     "rest has more than 2.4 %. Floor: that of NIO and Hummingbird's core, not measured"),
    (r"^received: .*PUT", r"wall",
     "the server takes 0.7 s of CPU for it, nginx 0.4; 85 to 90 % of that are the kernel's. It reads on one thread and writes on another: with curl, "
     "three threads share two cores. Memory that is kept instead of given back (`M_TRIM_THRESHOLD`) saves 60,000 page faults, and no CPU "
     "that could be measured. Floor: one thread that reads and writes the same buffer, as nginx does"),
    (r"^start and list 1, 1,000,000", r"",
     "5.8 us for each transfer: SQLite reads a row of 27 columns, the service makes its record and places it; the check of the database takes 0.4 s. Floor: "
     "reading all rows alone, 3.7 s with another program"),
    (r"^fileq to (curl|aria2c)", r"",
     "no run, no task, one record and one commit for each batch took it from 8.1 to 2.4 times curl in memory, and to 1.3 on a disk. Of the service's CPU 29 % are system calls, "
     "13 % SQLite, 5 % updates for `wait`; no function has more than 4 %. Floor, of a prototype without attempts and events: 0.7"),
)


def reason(case, where, quantity):
    """Of a row that falls short."""
    for pattern, quantities, text in REASONS:
        if re.search(pattern, f"{case}, {where}".strip()) and re.fullmatch(quantities or ".*", quantity):
            return text
    return UNKNOWN


def reasons(rows):
    """Lines for rows (case, server or home, quantity) that fall short: rows with the same reason share one."""
    found = {}
    for case, where, quantity in rows:
        found.setdefault(reason(case.strip(), where, quantity), []).append((case.strip(), where, quantity))
    return [f"- {names(rows)}: {text}." for text, rows in found.items()]


def names(rows):
    if len(rows) <= 2:
        return "; ".join(", ".join(part for part in row if part) for row in rows)
    quantities = sorted({quantity for _, _, quantity in rows} - {""})
    common = os.path.commonprefix([case for case, _, _ in rows]).rstrip(" ,(")
    return ", ".join(part for part in (common, *quantities, f"{len(rows)} rows") if part)
