# SPDX-License-Identifier: MIT
"""The remote control under the polling of AriaNg, which asks for its lists every second."""

import http.client
import json
import os
import time
from urllib.parse import urlsplit

from processes import Failure
from report import median

PAGE, POLLS = 1000, 100
# What AriaNg's list of finished tasks asks for.
KEYS = ["gid", "dir", "totalLength", "completedLength", "uploadSpeed", "downloadSpeed", "connections", "numSeeders", "seeder", "status",
        "errorCode", "verifiedLength", "verifyIntegrityPending", "files", "bittorrent", "infoHash"]
CALLS = {f"tellStopped, {PAGE:,}": ("tellStopped", -1, PAGE, KEYS), f"tellWaiting, {PAGE:,}": ("tellWaiting", 0, PAGE, KEYS),
         "getGlobalStat": ("getGlobalStat",)}


class Client:
    """One connection by HTTP."""

    def __init__(self, url, secret):
        parts = urlsplit(url)
        self.connection, self.path, self.token = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60), parts.path, "token:" + secret

    def time(self, method, *params):
        """Seconds to the last byte of the response, and its result."""
        body = json.dumps({"jsonrpc": "2.0", "id": "1", "method": "aria2." + method, "params": [self.token, *params]})
        began = time.perf_counter()
        self.connection.request("POST", self.path, body, {"Content-Type": "application/json"})
        response = self.connection.getresponse()
        text = response.read()
        took = time.perf_counter() - began
        if response.status != 200:
            raise Failure(f"{method}: {response.status} {text[:200]}")
        return took, json.loads(text)["result"]


def measure_remote(bench, place, make_row, target):
    """A long queue, of which one half has ended."""
    if place.name == "disk":
        return []
    place.begin_anew()
    count, listed, addresses = bench.arguments.items, place.path("listed"), place.path("items.txt")
    with open(os.path.join(place.home, "config.toml"), "w", encoding="utf-8") as file:
        file.write(f'[rpc]\nport = 0\ndir = "{place.collected}"\n')
    for word in ("ended", "waiting"):
        with open(addresses, "w", encoding="utf-8") as file:
            file.writelines(f"http://127.0.0.1:9/{word}/{number:06}.bin\n" for number in range(count if word == "ended" else PAGE))
        place.run("add", "get", "--paused", "-d", place.collected, "-i", addresses, output=listed)
        if word == "ended":
            place.run("cancel", "--all", output=listed)
    url = place.processes.output(place.fileq("rpc", "enable")).split()[0]
    with open(json.loads(place.processes.output(place.fileq("rpc", "status", "--json")))["secret_file"], encoding="ascii") as file:
        client = Client(url, file.read().strip())
    rows, pid = [], place.pid()
    for words, (method, *params) in CALLS.items():
        before, found = place.cpu(pid), [client.time(method, *params) for _ in range(POLLS)]
        used = (place.cpu(pid) - before) / POLLS
        if method != "getGlobalStat" and any(len(result) != PAGE for _, result in found):
            raise Failure(f"{method}: {len(found[0][1])} transfers")
        wall = [took for took, _ in found]
        rows.append(make_row(f"rpc {words} of {count:,}", place.name, median(wall), target=target,
                             note=f"longest {max(wall) * 1e3:.1f} ms; CPU {used * 1e3:.2f} ms each"))
    place.begin_anew()
    return rows
