#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uploads to a server as draft-ietf-httpbis-resumable-upload requires, and interrupts them at random.

    ietf.py FOLDER SEED -- PROGRAM ARGUMENT...

The program serves FOLDER; PORT among its arguments is replaced by a port. It is killed and started again. Independent of
fileq's sources: sockets and the standard library only. Prints one line per upload; exits with 1 on the first violation.
"""
import base64
import hashlib
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time

folder, seed = sys.argv[1], int(sys.argv[2])
command = sys.argv[sys.argv.index("--") + 1:]
chance = random.Random(seed)


def require(condition, text):
    if not condition:
        print("violation:", text, flush=True)
        server.stop()
        sys.exit(1)


class Server:
    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = None
        self.start()

    def start(self):
        words = [str(self.port) if word == "PORT" else word for word in command]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 5).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    print("violation: the server does not start")
                    sys.exit(1)
                time.sleep(0.02)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Response:
    def __init__(self, status, fields, body=b""):
        self.status, self.fields, self.body = status, fields, body

    def __getitem__(self, name):
        return self.fields.get(name.lower())


class Connection:
    """One HTTP/1.1 connection; interim responses are kept apart."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 30)
        self.buffer = b""
        self.interim = []
        self.early = None

    def head(self, method, path, fields):
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}"]
        lines += [f"{name}: {value}" for name, value in fields]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def part(self, timeout):
        """A response head without its body; None when the peer closes or nothing arrives in time."""
        self.socket.settimeout(timeout)
        while b"\r\n\r\n" not in self.buffer:
            try:
                piece = self.socket.recv(65536)
            except (TimeoutError, socket.timeout, ConnectionError):
                return None
            if not piece:
                return None
            self.buffer += piece
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            require(name.lower() not in fields, f"{name} twice")
            fields[name.lower()] = value.strip()
        return Response(int(lines[0].split()[1]), fields)

    def final(self, is_head=False, timeout=30):
        while True:
            response, self.early = self.early or self.part(timeout), None
            if response is None:
                return None
            if response.status < 200:
                self.interim.append(response)
                continue
            if not is_head and response.status not in (204, 304):
                length = int(response["content-length"])
                self.socket.settimeout(timeout)
                while len(self.buffer) < length:
                    piece = self.socket.recv(65536)
                    require(piece, "body cut off")
                    self.buffer += piece
                response.body, self.buffer = self.buffer[:length], self.buffer[length:]
            return response

    def poll(self):
        """Takes the interim responses that have arrived. Only of an upload that was overtaken a final one may be early."""
        while self.early is None:
            response = self.part(0.001)
            if response is None:
                return
            if response.status < 200:
                self.interim.append(response)
            else:
                require(response.status in (400, 409), f"early final response {response.status}")
                self.early = response

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def one(method, path, fields, body=b"", attempts=3):
    """One exchange. A request of an abandoned connection, read only now, may end this one."""
    connection = Connection(server.port)
    connection.head(method, path, fields + ([("Content-Length", len(body))] if body or method != "HEAD" else []))
    try:
        connection.socket.sendall(body)
    except OSError:
        pass
    response = connection.final(method == "HEAD")
    if response is None and attempts > 1:
        return one(method, path, fields, body, attempts - 1)
    require(response is not None, f"no response to {method} {path}")
    connection.socket.close()
    return response


def digest(data):
    return f"sha-256=:{base64.b64encode(hashlib.sha256(data).digest()).decode()}:"


class Upload:
    def __init__(self, version, data, create, known):
        self.version, self.data, self.known = version, data, known
        self.create = create  # method, path, fields
        self.url = None
        self.confirmed = 0
        self.sent = 0
        self.total_sent = 0
        self.hanging = []
        self.interruptions = 0
        self.progress = 0
        self.conflicts = 0

    def common(self):
        return [("Upload-Draft-Interop-Version", self.version)]

    def completeness(self, complete):
        if self.version == 3:
            return [("Upload-Incomplete", "?0" if complete else "?1")]
        return [("Upload-Complete", "?1" if complete else "?0")]

    def stated(self, response):
        if self.version == 3:
            require(response["upload-complete"] is None, "Upload-Complete in version 3")
            value = response["upload-incomplete"]
            return None if value is None else value == "?0"
        require(response["upload-incomplete"] is None, "Upload-Incomplete after version 3")
        value = response["upload-complete"]
        require(value in (None, "?0", "?1"), f"Upload-Complete: {value}")
        return None if value is None else value == "?1"

    def announced(self, interim, is_creation):
        first = True
        for response in interim:
            if response.status != 104:
                continue
            require(response["upload-draft-interop-version"] == str(self.version), "104 without its version")
            if response["location"] is not None:
                require(is_creation and first, "Location in a later 104")
                self.url = response["location"]
                if self.version >= 6:
                    key = "expires" if self.version == 6 else "max-age"
                    require(key + "=" in response["upload-limit"], f"no {key} in {response['upload-limit']}")
                else:
                    require(response["upload-limit"] is None, "Upload-Limit before version 6")
            elif response["upload-offset"] is not None:
                require(self.version >= 5, "progress before version 5")
                offset = int(response["upload-offset"])
                require(self.confirmed <= offset <= self.sent, f"progress {offset}, sent {self.sent}")
                self.confirmed = offset
                self.progress += 1
            first = False

    def send(self, connection, start, stop):
        """Sends some of the data, and stops at a random point if `stop` says so. True: everything was sent."""
        position = start
        end = len(self.data)
        until = chance.randrange(start, end) if stop and start < end else end
        while position < until:
            piece = self.data[position:min(until, position + 65536)]
            try:
                connection.socket.sendall(piece)
            except OSError:
                return False
            position += len(piece)
            self.sent = max(self.sent, position)
            self.total_sent += len(piece)
            if position % (1 << 21) < 65536:
                connection.poll()
            if connection.early:
                return True
        return until == end

    def interrupt(self, connection):
        self.interruptions += 1
        kind = chance.choice(["reset", "close", "half", "hang", "kill"])
        if kind == "reset":
            connection.reset()
        elif kind == "close":
            connection.socket.close()
        elif kind == "half":
            connection.socket.shutdown(socket.SHUT_WR)
            connection.final(timeout=5)
            connection.socket.close()
        elif kind == "hang":
            self.hanging.append(connection)
        else:
            server.kill()
            connection.socket.close()
            server.start()

    def retrieve(self):
        response = one("HEAD", self.url, self.common())
        require(response.status == 204 or self.version >= 5 and response.status == 200, f"HEAD {response.status}")
        require("no-store" in (response["cache-control"] or ""), "HEAD may be cached")
        require(self.stated(response) is not None, "HEAD without completeness")
        offset = int(response["upload-offset"])
        require(self.confirmed <= offset <= self.sent, f"offset {offset}, confirmed {self.confirmed}, sent {self.sent}")
        if self.version >= 8:
            require(response["upload-limit"] is not None, "HEAD without limits")
            require(not self.known or response["upload-length"] == str(len(self.data)), "HEAD without the length")
        self.confirmed = offset
        return offset, self.stated(response)

    def begin(self, interrupted):
        method, path, fields = self.create
        connection = Connection(server.port)
        careful = method == "POST"
        fields = self.common() + self.completeness(not careful) + fields
        if careful:
            if self.version >= 6 and self.known:
                fields.append(("Upload-Length", len(self.data)))
            connection.head(method, path, fields + [("Content-Length", 0)])
            response = connection.final()
            require(response is not None and response.status == 201, f"creation {response and response.status}")
            require(self.stated(response) is False, "a careful creation is not complete")
            self.announced(connection.interim, True)
            require(self.url in (None, response["location"]), "two URLs")
            self.url = response["location"]
            connection.socket.close()
            return None
        connection.head(method, path, fields + [("Content-Length", len(self.data))])
        first = connection.part(30)
        require(first is not None and first.status == 104 and first["location"], "no URL before the content")
        self.announced([first], True)
        return self.finish(connection, 0, interrupted)

    def finish(self, connection, start, interrupted):
        whole = self.send(connection, start, interrupted)
        if not whole or interrupted and chance.random() < 0.3:
            self.interrupt(connection)
            self.announced(connection.interim, start == 0)
            return None
        response = connection.final()
        self.announced(connection.interim, start == 0)
        if response is None:
            self.interrupt(connection)
            return None
        if self.overtaken(response):
            connection.socket.close()
            return None
        require(response.status in (200, 201, 204), f"final {response.status} {response.body}")
        require(self.stated(response) is True or self.version < 8 and self.stated(response) is None, "not complete")
        connection.socket.close()
        return response

    def append(self, offset, interrupted):
        connection = Connection(server.port)
        fields = self.common() + [("Upload-Offset", offset)] + self.completeness(True)
        if self.version >= 6:
            fields.append(("Content-Type", "application/partial-upload"))
        if chance.random() < 0.3:
            return self.append_chunks(connection, fields, offset)
        if chance.random() < 0.3:
            # All of it is appended, or nothing.
            fields.append(("Content-Digest", digest(self.data[offset:])))
        connection.head("PATCH", self.url, fields + [("Content-Length", len(self.data) - offset)])
        return self.finish(connection, offset, interrupted)

    def overtaken(self, response):
        """The server read the request of an abandoned connection after the HEAD: as if it had arrived later."""
        if response.status == 400 and self.version < 8 and b"complete" in response.body:
            require(self.retrieve()[1], "400 of an upload that is not complete")
            self.conflicts += 1
            return True
        if response.status != 409:
            return False
        offset = int(response["upload-offset"])
        require(self.confirmed < offset <= self.sent, f"409 at {offset}, confirmed {self.confirmed}, sent {self.sent}")
        self.conflicts += 1
        return True

    def append_chunks(self, connection, fields, offset):
        """A part with an unknown length, which leaves the upload incomplete."""
        fields = [field for field in fields if field[0] not in ("Upload-Complete", "Upload-Incomplete")]
        end = chance.randrange(offset, len(self.data) + 1)
        body = self.data[offset:end]
        connection.head("PATCH", self.url, fields + self.completeness(False) + [("Transfer-Encoding", "chunked")])
        self.sent = max(self.sent, end)
        for index in range(0, len(body), 300_000):
            piece = body[index:index + 300_000]
            connection.socket.sendall(b"%x\r\n" % len(piece) + piece + b"\r\n")
        self.total_sent += len(body)
        connection.socket.sendall(b"0\r\n\r\n")
        response = connection.final()
        self.announced(connection.interim, False)
        if response is None:
            # A request of an abandoned connection took over.
            self.conflicts += 1
            return None
        if self.overtaken(response):
            return None
        require(response.status == (204 if self.version >= 8 else 201), f"chunks: {response.status} {response.body}")
        require(self.stated(response) is False, "chunks completed the upload")
        require(response["upload-offset"] == str(end), "chunks: wrong offset")
        self.confirmed = end
        connection.socket.close()
        return None

    def run(self, interruptions):
        response = self.begin(interruptions > 0)
        rounds = 0
        while response is None:
            rounds += 1
            require(rounds < 200, "no end")
            offset, complete = self.retrieve()
            if complete:
                require(offset == len(self.data), "complete too early")
                break
            if chance.random() < 0.15:
                self.refused(offset)
                offset, _ = self.retrieve()
            response = self.append(offset, self.interruptions < interruptions)
        self.verify(response)
        for connection in self.hanging:
            connection.socket.close()

    def refused(self, offset):
        """A wrong offset changes nothing, nor does content that is not that of its digest."""
        for wrong in {0, offset - 1, offset + 1, len(self.data) + 5} - {offset, -1}:
            fields = self.common() + [("Upload-Offset", wrong)] + self.completeness(False)
            fields.append(("Content-Type", "application/partial-upload"))
            response = one("PATCH", self.url, fields, b"xyz")
            if response.status == 409 and offset < int(response["upload-offset"]) <= self.sent:
                return
            require(response.status == 409 and response["upload-offset"] == str(offset), f"{wrong}: {response.status}")
            require(self.stated(response) is False, "409 without completeness")
            if self.version >= 6:
                problem = json.loads(response.body)
                require(problem["type"].endswith("#mismatching-upload-offset"), "problem type")
                require((problem["expected-offset"], problem["provided-offset"]) == (offset, wrong), "problem offsets")
        if offset + 3 > len(self.data):
            return
        fields = self.common() + [("Upload-Offset", offset)] + self.completeness(False)
        fields += [("Content-Type", "application/partial-upload"), ("Content-Digest", digest(b"abc"))]
        response = one("PATCH", self.url, fields, b"xyz")
        if self.overtaken(response):
            return
        require(response.status == 400 and response["upload-offset"] == str(offset), f"digest: {response.status}")
        require(self.stated(response) is False, "a digest that differs, without completeness")
        require(json.loads(response.body)["type"].endswith("#digest-mismatched-values"), "problem type of a digest")

    def verify(self, response):
        if self.create[0] == "PUT":
            path = self.create[1]
        else:
            listing = json.loads(one("GET", "/files", []).body)
            mine = [entry for entry in listing["files"] if entry["location"].startswith(self.url + "/")]
            require(len(mine) == 1, f"stored {len(mine)} times")
            path = mine[0]["location"]
        stored = one("GET", path, [])
        require(hashlib.sha256(stored.body).digest() == hashlib.sha256(self.data).digest(), f"{path} differs")
        offset, complete = self.retrieve()
        require(complete and offset == len(self.data), "the finished upload is not complete")


server = Server()
count = 0
for version in (10, 9, 8, 6, 5, 3):
    for method, path in (("PUT", f"/put-{version}.bin"), ("POST", "/files")):
        data = chance.randbytes(chance.randrange(6_000_000, 12_000_000))
        fields = [("Content-Disposition", f'attachment; filename="post {version}.bin"')]
        if chance.random() < 0.5:
            fields.append(("Repr-Digest", digest(data)))
        upload = Upload(version, data, (method, path, fields), chance.random() < 0.7 or method == "PUT")
        upload.run(10)
        count += 1
        print(
            f"version {version} {method}: {len(data)} bytes, {upload.interruptions} interruptions, "
            f"{upload.total_sent} sent, {upload.progress} reports, {upload.conflicts} overtaken", flush=True)
left = [name for name in os.listdir(f"{folder}/.fileq-server/uploads") if not name.endswith(".json")]
require(not left, f"bytes of finished uploads remain: {left}")
print("ok", count, "uploads")
server.stop()
