#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The other end of the probes: several ports on loopback, every request written down.

Prints one line of JSON with the addresses once all of them listen; ends when its standard input does.
"""
import base64
import gzip
import hashlib
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

lock = threading.Lock()
requests = []
now_open = {"count": 0, "most": 0}


def pattern(count):
    """Bytes that differ from place to place."""
    block = b"".join(hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(2048))
    return (block * (count // len(block) + 1))[:count]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "probe"
    sys_version = ""

    def log_message(self, *_):
        pass

    def number(self, name, default=0.0):
        return float(self.query.get(name, [default])[0])

    def text(self, name, default=""):
        return self.query.get(name, [default])[0]

    def body(self, slowly=0.0):
        """The request's body, whatever its framing; `slowly` seconds are spent on it."""
        parts = []
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while True:
                size = int(self.rfile.readline().split(b";")[0] or b"0", 16)
                if size == 0:
                    self.rfile.readline()
                    break
                parts.append(self.rfile.read(size))
                self.rfile.readline()
        else:
            left = int(self.headers.get("Content-Length", 0))
            step = max(1, left // 20) if slowly else left
            while left > 0:
                part = self.rfile.read(min(step, left))
                if not part:
                    break
                parts.append(part)
                left -= len(part)
                if slowly:
                    time.sleep(slowly / 20)
        return b"".join(parts)

    def answer(self, status=200, content=b"", fields=(), head_only=False):
        if isinstance(content, (dict, list)):
            content = json.dumps(content).encode()
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD" and not head_only:
            self.wfile.write(content)

    def handle_any(self):
        parts = urlsplit(self.path)
        self.query = parse_qs(parts.query)
        name = parts.path.strip("/").replace("-", "_") or "root"
        note = {"method": self.command, "path": self.path, "headers": dict(self.headers), "client": self.client_address[1],
                "port": self.server.server_address[1], "time": time.monotonic()}
        if not parts.path.startswith("/_"):
            with lock:
                requests.append(note)
        if parts.scheme == "http" and parts.netloc:
            self.body()
            return self.answer(content=b"through the proxy")
        serve = getattr(self, "serve_" + name.split("/")[0], None)
        if serve is None:
            self.body()
            return self.answer(404, b"not here")
        serve()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_CONNECT = handle_any

    def serve__log(self):
        with lock:
            found = [entry for entry in requests if self.text("tag") in entry["path"]]
        self.answer(content=found)

    def serve_echo(self):
        content = self.body(self.number("slowly"))
        self.answer(content={"method": self.command, "headers": dict(self.headers), "length": len(content),
                             "sha256": hashlib.sha256(content).hexdigest()})

    def serve_head_late(self):
        self.body()
        time.sleep(self.number("after"))
        self.answer(content=b"late")

    def serve_status(self):
        self.body()
        self.answer(int(self.number("code", 200)), b"status", [("X-Kept", "yes")])

    def serve_bytes(self):
        """`n` bytes; at `interval` seconds a piece of `piece` each; `stop` closes the connection after so many."""
        content = pattern(int(self.number("n", 1000)))
        fields = [("ETag", '"one"'), ("Accept-Ranges", "bytes")]
        status, start = 200, 0
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked and self.headers.get("If-Range", '"one"') == '"one"':
            status, start = 206, int(asked[1])
            fields.append(("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}"))
        content = content[start:]
        interval, stop = self.number("interval"), int(self.number("stop"))
        if not interval and not stop:
            return self.answer(status, content, fields)
        self.answer(status, content, fields, head_only=True)
        piece = int(self.number("piece", 1000))
        for offset in range(0, min(len(content), stop) if stop else len(content), piece):
            self.wfile.write(content[offset:offset + piece])
            self.wfile.flush()
            time.sleep(interval)
        if stop:
            self.stall_or_close()

    def stall_or_close(self):
        time.sleep(self.number("stall"))
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def serve_vanish(self):
        """Takes the request and closes the connection without a word."""
        self.body()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def serve_hold(self):
        """Counts how many are here at once."""
        with lock:
            now_open["count"] += 1
            now_open["most"] = max(now_open["most"], now_open["count"])
        time.sleep(self.number("for", 0.5))
        with lock:
            now_open["count"] -= 1
            most = now_open["most"]
        self.answer(content=str(most).encode())

    def serve_redirect(self):
        self.body()
        self.answer(int(self.number("status", 302)), b"elsewhere", [("Location", self.text("to"))])

    def serve_loop(self):
        count = int(self.number("count")) + 1
        self.answer(302, b"", [("Location", f"/loop?tag={self.text('tag')}&count={count}")])

    def serve_basic(self):
        self.body()
        right = "Basic " + base64.b64encode(b"user:secret").decode()
        if self.headers.get("Authorization") == right:
            return self.answer(content=b"welcome")
        self.answer(401, b"who?", [("WWW-Authenticate", 'Basic realm="probe"')])

    def serve_digest(self):
        self.body()
        given = dict(re.findall(r'(\w+)="?([^",]+)"?', self.headers.get("Authorization", "")))
        if given.get("username") == "user":
            def md5(text):
                return hashlib.md5(text.encode()).hexdigest()
            one, two = md5("user:probe:secret"), md5(f"{self.command}:{given.get('uri')}")
            if given.get("response") == md5(":".join([one, given["nonce"], given.get("nc", ""), given.get("cnonce", ""),
                                                      given.get("qop", ""), two])):
                return self.answer(content=b"welcome")
        self.answer(401, b"who?", [("WWW-Authenticate", 'Digest realm="probe", qop="auth", nonce="abc", algorithm=MD5')])

    def serve_cookies_set(self):
        self.answer(content=b"set", fields=[
            ("Set-Cookie", "plain=1; Path=/"), ("Set-Cookie", "lasting=1; Path=/; Max-Age=3600"),
            ("Set-Cookie", "secure=1; Path=/; Secure"), ("Set-Cookie", "elsewhere=1; Path=/nowhere"),
            ("Set-Cookie", "gone=1; Path=/; Max-Age=0")])

    def serve_cache(self):
        with lock:
            count = sum(1 for entry in requests if entry["path"] == self.path)
        fields = [("ETag", '"one"'), ("Cache-Control", self.text("control", "max-age=60"))]
        if self.headers.get("If-None-Match") == '"one"':
            return self.answer(304, b"", fields)
        self.answer(content=str(count).encode(), fields=fields)

    def serve_early(self):
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
        self.wfile.flush()
        time.sleep(0.2)
        self.answer(content=b"final")

    def serve_gzip(self):
        self.answer(content=gzip.compress(b"plain text " * 100), fields=[("Content-Encoding", "gzip")])

    def serve_ws(self):
        """A WebSocket that says everything again (RFC 6455)."""
        key = self.headers.get("Sec-WebSocket-Key", "")
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        self.send_response(101)
        for name, value in [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accept)]:
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return
            code, size = head[0] & 15, head[1] & 127
            if size == 126:
                size = struct.unpack(">H", self.rfile.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.rfile.read(8))[0]
            mask = self.rfile.read(4) if head[1] & 128 else b"\0\0\0\0"
            payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.rfile.read(size)))
            reply = {8: 8, 9: 10}.get(code, code)
            self.wfile.write(bytes([128 | reply, len(payload)]) + payload)
            self.wfile.flush()
            if code == 8:
                return


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


class TLSServer(Server):
    """Shakes hands on the connection's own thread, so that a client that leaves holds nobody up."""
    context = None

    def finish_request(self, request, client_address):
        try:
            request = self.context.wrap_socket(request, server_side=True)
        except OSError:
            return
        super().finish_request(request, client_address)


def serve(context=None):
    server = (TLSServer if context else Server)(("127.0.0.1", 0), Handler)
    server.context = context
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"{'https' if context else 'http'}://127.0.0.1:{server.server_address[1]}"


def full():
    """A port that takes no more connections: nobody accepts, and its queue is full."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    waiting = []
    for _ in range(4):
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(listener.getsockname())
        waiting.append(one)
    return listener, waiting


def contexts(folder):
    def make():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(folder, "server.pem"), os.path.join(folder, "server.key"))
        return context
    plain, client, old = make(), make(), make()
    client.verify_mode = ssl.CERT_REQUIRED
    client.load_verify_locations(os.path.join(folder, "server.pem"))
    client.maximum_version = ssl.TLSVersion.TLSv1_2
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    return plain, client, old


listener, waiting = full()
plain, client, old = contexts(sys.argv[1])
gone = socket.socket()
gone.bind(("127.0.0.1", 0))
print(json.dumps({
    "HTTP": serve(), "OTHER": serve(), "PROXY": serve(), "HTTPS": serve(plain), "CLIENT": serve(client), "OLD": serve(old),
    "FULL": f"http://127.0.0.1:{listener.getsockname()[1]}", "REFUSED": f"http://127.0.0.1:{gone.getsockname()[1]}"}), flush=True)
sys.stdin.read()
