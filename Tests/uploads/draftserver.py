#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server for resumable uploads in one old version of the IETF draft, with the habits of Apple's NIOResumableUpload.

    draftserver.py FOLDER PORT VERSION

It announces nothing, says 400 to other versions, keeps its state in memory, states neither length nor limits, destroys an
upload after an append at another offset, and writes on its final response the completeness field of another version.
Standard library only. `PUT /NAME` stores FOLDER/NAME.
"""
import os
import pathlib
import secrets
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder, port, version = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
uploads = {}
lock = threading.Lock()


class Upload:
    def __init__(self, name):
        self.name, self.path = name, folder / (".part-" + secrets.token_hex(8))
        self.offset, self.is_complete = 0, False
        self.lock = threading.Lock()
        self.path.touch()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()
        if status >= 400:
            self.close_connection = True

    def completeness(self, is_complete):
        if version == 3:
            return ("Upload-Incomplete", "?0" if is_complete else "?1")
        return ("Upload-Complete", "?1" if is_complete else "?0")

    def is_spoken(self):
        stated = self.headers.get("Upload-Draft-Interop-Version")
        if stated is not None and int(stated) != version:
            self.answer(400)
            return False
        return True

    def is_last(self):
        if version == 3:
            return self.headers.get("Upload-Incomplete") == "?0"
        return self.headers.get("Upload-Complete") == "?1"

    def receive(self, upload):
        """False if the connection broke."""
        left = int(self.headers.get("Content-Length", 0))
        with upload.lock, open(upload.path, "r+b") as file:
            file.seek(upload.offset)
            while left:
                try:
                    piece = self.rfile.read1(min(left, 1 << 16))
                except OSError:
                    piece = b""
                if not piece:
                    file.truncate(upload.offset)
                    return False
                file.write(piece)
                upload.offset += len(piece)
                left -= len(piece)
        return True

    def complete(self, upload):
        upload.is_complete = True
        os.replace(upload.path, folder / upload.name)
        swapped = ("Upload-Complete", "?1") if version == 3 else ("Upload-Incomplete", "?0")
        self.answer(201, [swapped, ("Upload-Draft-Interop-Version", version)])

    def do_PUT(self):
        if not self.is_spoken():
            return
        upload, number = Upload(self.path.strip("/").replace("/", "_")), secrets.token_hex(16)
        with lock:
            uploads["/uploads/" + number] = upload
        self.wfile.write(
            f"HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Draft-Interop-Version: {version}\r\n"
            f"Location: /uploads/{number}\r\n\r\n".encode())
        self.wfile.flush()
        if not self.receive(upload):
            self.close_connection = True
        elif self.is_last():
            self.complete(upload)
        else:
            self.answer(201, [("Location", "/uploads/" + number), ("Upload-Offset", upload.offset)])

    def upload(self):
        with lock:
            found = uploads.get(self.path)
        if found is None:
            self.answer(404)
        return found

    def do_HEAD(self):
        if self.is_spoken() and (upload := self.upload()):
            with upload.lock:
                self.answer(
                    204,
                    [("Upload-Offset", upload.offset), self.completeness(upload.is_complete),
                     ("Upload-Draft-Interop-Version", version), ("Cache-Control", "no-store")])

    def do_PATCH(self):
        if not self.is_spoken() or not (upload := self.upload()):
            return
        if version >= 6 and self.headers.get("Content-Type") != "application/partial-upload":
            return self.answer(415)
        if int(self.headers.get("Upload-Offset", -1)) != upload.offset or upload.is_complete:
            with lock:
                uploads.pop(self.path, None)
            return self.answer(409, [("Upload-Offset", upload.offset)])
        if not self.receive(upload):
            self.close_connection = True
        elif self.is_last():
            self.complete(upload)
        else:
            self.answer(201, [("Upload-Offset", upload.offset)])

    def do_DELETE(self):
        if self.is_spoken() and (upload := self.upload()):
            with lock:
                uploads.pop(self.path, None)
            upload.path.unlink(missing_ok=True)
            self.answer(204)


class Server(ThreadingHTTPServer):
    daemon_threads = True


Server(("127.0.0.1", port), Handler).serve_forever()
