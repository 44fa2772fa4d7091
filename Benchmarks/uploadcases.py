# SPDX-License-Identifier: MIT
"""Uploads: what resuming and checksums cost the client, and `fileq serve` as the receiver."""

import os
import re
import selectors
import socket

from cases import CLIENTS, SERVERS, Case, in_words
from processes import Failure, Sample, say

# Of `--resumable ietf` and `tus` to `--resumable never`, with `fileq serve`.
RESUMABLE_TARGETS = {"wall": 1.15, "cpu": 1.15, "rss": 36_000_000}
# Of a plain upload with `--checksum` to one without and a run of openssl.
HASHED_TARGETS = {"cpu": 1.15}
# Of `fileq serve` to nginx, with curl as the client of both: 0.8 of its throughput.
RECEIVED_TARGETS = {"wall": 1.25}
MANY_TARGETS = {"rss": 64_000_000}
MANY_UPLOADS, MANY_SIZE, PIECE = 50, 8_000_000, 1 << 16
# In the folder that `Material.clear` empties. The last segment is the file's name, as tus wants it.
UPLOADED = "up/large.bin"


def upload_cases(runs, tools, material, servers):
    site = servers.sites["fileq serve"]["http"]
    return [*(resumable_case(runs, tools, material, site, protocol) for protocol in ("ietf", "tus")),
            *hashed_cases(runs, tools, material, site), received_case(runs, tools, material, servers),
            ManyUploadsCase(runs, material, servers)]


def put(tools, material, site, *options):
    return [tools["fileq"], "put", "-q", *options, material.large, f"{site[0]}/{UPLOADED}"]


def resumable_case(runs, tools, material, site, protocol):
    """The same program and server, without a protocol for resuming and with one."""
    commands = {client: put(tools, material, site, "--resumable", word) for client, word in zip(CLIENTS, ("never", protocol))}
    return Case(f"{in_words(material.size)} up, {protocol} (to plain)", "fileq serve", commands, RESUMABLE_TARGETS, runs,
                material.clear, lambda: material.check_large(os.path.join(site[1], UPLOADED)))


def hashed_cases(runs, tools, material, site):
    """A plain upload with `--checksum` hashes what it sends. Compared with one without, which has no target, since SHA-256 takes
    longer than sending on loopback; and with openssl's digest of the file before one without, which is the same work."""
    size = in_words(material.size)
    plain = put(tools, material, site, "--resumable", "never")
    hashed = plain + ["--checksum", "sha256:" + material.large_digest()]
    shell = [tools["sh"], "-c", '"$1" dgst -sha256 "$2" && shift 2 && "$@"', "sh", tools["openssl"], material.large, *plain]
    check = (material.clear, lambda: material.check_large(os.path.join(site[1], UPLOADED)), ("wall", "cpu"))
    return [Case(f"{size} up, hashed (to plain)", "fileq serve", {"curl": plain, "fileq": hashed}, {}, runs, *check),
            Case(f"{size} up, hashed (to openssl)", "fileq serve", {"curl": shell, "fileq": hashed}, HASHED_TARGETS, runs, *check)]


def received_case(runs, tools, material, servers):
    """curl as the client of both servers."""
    sites = {server: servers.sites[server]["http"] for server in SERVERS}
    commands = {server: [tools["curl"], "-q", "-sSf", "-T", material.large, f"{sites[server][0]}/{UPLOADED}"] for server in SERVERS}

    def check():
        # Of one server: both folders were emptied before.
        found = [path for path in (os.path.join(root, UPLOADED) for _, root in sites.values()) if os.path.exists(path)]
        if len(found) != 1:
            raise Failure(f"{len(found)} servers have the file")
        material.check_large(found[0])

    return Case(f"received: {in_words(material.size)} by PUT", "to nginx", commands, RECEIVED_TARGETS, runs, material.clear, check,
                ("wall",))


class ManyUploadsCase(Case):
    """The peak memory of a new server that receives resumable uploads on as many connections, of which none ends before all have
    sent all but their last byte."""

    def __init__(self, runs, material, servers):
        super().__init__(f"received: {MANY_UPLOADS} x {MANY_SIZE // 1_000_000} MB at once", "", {"fileq": None}, MANY_TARGETS, runs,
                         quantities=("rss",))
        self.material, self.servers = material, servers

    def measure(self, processes):
        say(f"{self.name}: ", end="")
        content = os.urandom(MANY_SIZE)
        try:
            for _ in range(self.runs):
                self.samples["fileq"].append(Sample(0, 0, self._peak(processes, content)))
                say(".", end="")
            say(" done")
        except (Failure, OSError) as failure:
            self.failure = str(failure)
            say(f"could not be measured: {failure}")

    def _peak(self, processes, content):
        self.servers.start_serve("many")
        pid = self.servers.pids["fileq serve"].pop("many")
        address, root = self.servers.sites["fileq serve"].pop("many")
        try:
            send_at_once(int(address.rpartition(":")[2]), content)
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                peak = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
            for number in range(MANY_UPLOADS):
                with open(os.path.join(root, "many", str(number)), "rb") as file:
                    if file.read() != content:
                        raise Failure(f"upload {number} differs")
            return peak
        finally:
            processes.stop(pid)
            self.material.remove_root(root)


def send_at_once(port, content):
    connections = []
    try:
        for number in range(MANY_UPLOADS):
            connection = socket.create_connection(("127.0.0.1", port), timeout=60)
            connections.append(connection)
            connection.sendall(f"PUT /many/{number} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(content)}\r\n"
                               f"Upload-Draft-Interop-Version: 8\r\nUpload-Complete: ?1\r\n\r\n".encode())
        send_in_turn(connections, memoryview(content)[:-1])
        for connection in connections:
            connection.sendall(content[-1:])
        for number, connection in enumerate(connections):
            final = final_status(connection)
            if final != 201:
                raise Failure(f"upload {number} gets {final}")
    finally:
        for connection in connections:
            connection.close()


def send_in_turn(connections, content):
    """A piece on each connection that takes one, until all have sent all."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            connection.setblocking(False)
            selector.register(connection, selectors.EVENT_WRITE, 0)
        while selector.get_map():
            ready = selector.select(60)
            if not ready:
                raise Failure("the server takes nothing for 60 s")
            for key, _ in ready:
                sent = key.data + key.fileobj.send(content[key.data:key.data + PIECE])
                if sent == len(content):
                    selector.unregister(key.fileobj)
                    key.fileobj.settimeout(60)
                else:
                    selector.modify(key.fileobj, selectors.EVENT_WRITE, sent)


def final_status(connection):
    """Of the response that follows the interim ones."""
    received = b""
    while True:
        found = [int(status) for status in re.findall(rb"(?:\A|\r\n\r\n)HTTP/1\.1 (\d{3}) ", received)]
        final = [status for status in found if status >= 200]
        if final:
            return final[0]
        piece = connection.recv(65536)
        if not piece:
            raise Failure("the server closes a connection without a response")
        received += piece
