#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uploads with tuspy, a client of the tus protocol, whose requests break and whose server is killed.

    tus.py FOLDER SEED -- PROGRAM ARGUMENT...

As ietf.py: the program serves FOLDER at PORT. Needs tuspy. Prints one line per upload; exits with 1 on a violation.
"""
import hashlib
import io
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request

from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

folder, seed = sys.argv[1], int(sys.argv[2])
command = sys.argv[sys.argv.index("--") + 1:]
chance = random.Random(seed)
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
process = None


def start():
    global process
    words = [str(port) if word == "PORT" else word for word in command]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                fail("the server does not start")
            time.sleep(0.02)


def kill():
    process.send_signal(signal.SIGKILL)
    process.wait()
    start()


def fail(text):
    print("violation:", text, flush=True)
    process.kill()
    sys.exit(1)


class Broken(Exception):
    pass


class Stream(io.BytesIO):
    """Breaks once at a random point of a request, on this side or on the server's."""

    remaining = None

    def read(self, size=-1):
        piece = super().read(min(size, 65536) if size is not None and size > 0 else 65536)
        if self.remaining is not None:
            self.remaining -= len(piece)
            if self.remaining < 0:
                self.remaining = None
                if chance.random() < 0.5:
                    raise Broken
                kill()
        return piece


start()
client = TusClient(f"http://127.0.0.1:{port}/files/")
for number in range(3):
    data = chance.randbytes(chance.randrange(6_000_000, 10_000_000))
    stream = Stream(data)
    uploader = client.uploader(
        file_stream=stream, chunk_size=chance.choice([700_000, 2_500_000, sys.maxsize]),
        metadata={"filename": f"夏 {number}.bin", "note": "x"}, upload_checksum=chance.random() < 0.3)
    uploader.set_url(uploader.create_url())
    uploader.offset = 0
    interruptions = 0
    while uploader.offset < len(data):
        if interruptions < 6:
            limit = min(uploader.chunk_size, len(data) - uploader.offset)
            stream.remaining = chance.randrange(1, limit + 1)
        before = uploader.offset
        try:
            uploader.upload_chunk()
        except (Broken, TusUploadFailed, TusCommunicationError, ConnectionError):
            interruptions += 1
            for attempt in range(20):
                try:
                    uploader.offset = uploader.get_offset()
                    break
                except TusCommunicationError:
                    time.sleep(0.05)
            else:
                fail("no offset")
            if uploader.offset < before:
                fail(f"offset {uploader.offset} after {before}")
        stream.remaining = None
    files = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/files"))["files"]
    mine = [entry for entry in files if entry["name"] == f"夏 {number}.bin"]
    if len(mine) != 1:
        fail(f"stored {len(mine)} times")
    stored = urllib.request.urlopen(f"http://127.0.0.1:{port}{mine[0]['location']}").read()
    if hashlib.sha256(stored).digest() != hashlib.sha256(data).digest():
        fail("the stored file differs")
    if mine[0]["sha256"] != hashlib.sha256(data).hexdigest() or mine[0]["metadata"] != [{"name": "note", "value": "x"}]:
        fail(f"listed as {mine[0]}")
    print(f"{len(data)} bytes, chunks of {uploader.chunk_size}, {interruptions} interruptions", flush=True)
left = [name for name in os.listdir(f"{folder}/.fileq-server/uploads") if not name.endswith(".json")]
if left:
    fail(f"bytes of finished uploads remain: {left}")
print("ok")
process.terminate()
process.wait()
