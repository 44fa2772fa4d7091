# SPDX-License-Identifier: MIT
"""A listening process that can open no more files: descriptors.py URL SECRET|- PID; without a secret, that of `fileq serve`.

It neither ends nor spins, and accepts the connections that wait once others are closed. The remote control refuses those above its limit.
"""

import http.client
import json
import os
import resource
import socket
import struct
import sys
import time
from urllib.parse import urlsplit

URL, SECRET, PID = sys.argv[1], sys.argv[2], int(sys.argv[3])
PARTS = urlsplit(URL)
ADDRESS = (PARTS.hostname, PARTS.port)


def answers(limit):
    connection = http.client.HTTPConnection(*ADDRESS, timeout=limit)
    try:
        if SECRET == "-":
            connection.request("GET", PARTS.path)
        else:
            connection.request("POST", PARTS.path, json.dumps({"id": 1, "method": "aria2.getVersion", "params": ["token:" + SECRET]}))
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def until(check, what):
    deadline = time.monotonic() + 30
    while not check():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what} did not come about")
        time.sleep(0.05)


def descriptors():
    return len(os.listdir(f"/proc/{PID}/fd"))


def connect(count):
    return [socket.create_connection(ADDRESS, 30) for _ in range(count)]


def close(connections):
    for connection in connections:
        connection.close()
    until(lambda: answers(5), "a response")


def crowd():
    """More connections than are served, and such that are reset at once."""
    before = descriptors()
    held = connect(300)
    until(lambda: not answers(1), "a refusal")
    assert descriptors() < before + 200, descriptors()
    close(held)
    for number in range(1000):
        with socket.create_connection(ADDRESS, 30) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if number % 2:
                connection.send(b"POST")
    until(lambda: answers(5), "a response")
    print("crowd ok")


def shortage():
    limits = resource.prlimit(PID, resource.RLIMIT_NOFILE)
    most = descriptors() + 6
    resource.prlimit(PID, resource.RLIMIT_NOFILE, (most, limits[1]))
    held = connect(60)
    until(lambda: descriptors() >= most, "the shortage")
    clock = ~PID << 3 | 2
    began = time.clock_gettime(clock)
    time.sleep(3)
    used = time.clock_gettime(clock) - began
    assert used < 0.3, f"{used} s of CPU time in 3 s"
    close(held)
    resource.prlimit(PID, resource.RLIMIT_NOFILE, limits)
    print("shortage ok")


if SECRET != "-":
    crowd()
shortage()
