#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program, and passes its standard input and output on after a delay, as a long line does.

usage: delay.py SECONDS PROGRAM [ARGUMENT ...]

The delay is that of each way; the rate is not limited.
"""

import os
import queue
import subprocess
import sys
import threading
import time


def relay(source, sink, seconds):
    """Passes bytes on, each SECONDS after it came, and the end of the input."""
    pending = queue.SimpleQueue()

    def read():
        data = b"-"
        while data:
            data = os.read(source, 65536)
            pending.put((time.monotonic() + seconds, data))

    threading.Thread(target=read, daemon=True).start()
    while True:
        due, data = pending.get()
        time.sleep(max(0, due - time.monotonic()))
        try:
            if not data:
                return sink.close()
            while data:
                data = data[sink.write(data) :]
        except OSError:
            return None


seconds = float(sys.argv[1])
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
threading.Thread(target=relay, args=(0, child.stdin, seconds), daemon=True).start()
relay(child.stdout.fileno(), os.fdopen(1, "wb", 0), seconds)
sys.exit(child.wait())
