# SPDX-License-Identifier: MIT
"""A server of large files and of a page that links one, and fileq's service with its remote control beside it.

Both see the server as http://example.org: the service by a proxy in its environment, a browser by a rule of its resolver.
"""

import http.server
import json
import os
import pathlib
import subprocess
import threading
import time

NAME = "example.org"
PIECE = bytes(range(256)) * 256
# Seconds before each piece: a connection gets about 3 MB/s.
PAUSE = 0.02


class Requests(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.removeprefix(f"http://{NAME}")
        # Browsers ask by the path alone, the service as from a proxy.
        self.server.requests.append((path, self.headers, path != self.path))
        if path in self.server.pages:
            body = self.server.pages[path].encode()
            self.reply(200, {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": "session=abc123; Path=/"}, len(body))
            self.wfile.write(body)
            return
        size = self.server.files.get(path)
        if size is None:
            self.reply(404, {}, 0)
            return
        start, end = 0, size
        span = self.headers.get("Range", "").removeprefix("bytes=")
        fields = {"ETag": '"1"', "Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"}
        if span:
            first, last = span.split("-")
            start, end = int(first), min(size, int(last) + 1) if last else size
            fields["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
        self.reply(206 if span else 200, fields, end - start)
        while start < end and self.command == "GET":
            time.sleep(PAUSE)
            offset = start % len(PIECE)
            piece = PIECE[offset:offset + min(len(PIECE) - offset, end - start)]
            try:
                self.wfile.write(piece)
            except OSError:
                return
            start += len(piece)

    do_HEAD = do_GET

    def reply(self, status, fields, length):
        self.send_response(status)
        for name, value in {**fields, "Content-Length": str(length)}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *words):
        pass


class Origin(http.server.ThreadingHTTPServer):
    """``files``: sizes by path; ``pages``: texts; ``requests``: the path and the fields of each, and whether it is fileq's."""

    daemon_threads = True

    def __init__(self, files, pages):
        super().__init__(("127.0.0.1", 0), Requests)
        self.files, self.pages, self.requests = files, pages, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def authority(self):
        return f"127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        """Connections that the client has closed."""

    def content(self, path):
        size = self.files[path]
        return (PIECE * (size // len(PIECE) + 1))[:size]


class Service:
    """The service in a folder of its own."""

    def __init__(self, program, folder, origin, *lines):
        self.program, self.downloads, self.origin = program, folder / "Downloads", origin
        state = folder / "state"
        for place in (folder, state, self.downloads):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        lines = ["[rpc]", "port = 0", f'dir = "{self.downloads}"', *lines]
        (state / "config.toml").write_text("\n".join(lines) + "\n")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "FILEQ_HOME": str(state), "LC_ALL": "C.UTF-8"}
        if origin:
            self.environment["http_proxy"] = f"http://{origin.authority}"
        self.url = self.run("rpc", "enable").split()[0]
        status = json.loads(self.run("rpc", "status", "--json"))
        self.secret = pathlib.Path(status["secret_file"]).read_text().strip()

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (words, done.returncode, done.stderr)
        return done.stdout

    def list(self):
        return [json.loads(line) for line in self.run("list", "--json").splitlines()]

    def until(self, check, what, limit=60):
        """``check`` is called with the list."""
        deadline = time.monotonic() + limit
        while not check(rows := self.list()):
            assert time.monotonic() < deadline, (what, rows)
            time.sleep(0.1)

    def pid(self):
        return json.loads(self.run("service", "status", "--json"))["pid"]

    def close(self):
        self.run("service", "stop")
