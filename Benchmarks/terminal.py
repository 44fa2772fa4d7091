# SPDX-License-Identifier: MIT
"""A terminal of its own for a program under measurement: what it writes, and when."""

import fcntl
import os
import re
import select
import struct
import termios
import time

from processes import Failure

# The reply to the program's questions: a dark background, synchronized output (DECSET 2026), device attributes.
REPLIES = b"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?2026;2$y\x1b[?62c"
FRAME = re.compile(rb"\x1b\[\?2026h(.*?)\x1b\[\?2026l", re.DOTALL)
LONGEST_WAIT = 60


class Terminal:
    """Starts a program on a pseudo-terminal; its output collects in `output`."""

    def __init__(self, argv, environment, columns, rows):
        self.output = b""
        self.began = time.perf_counter()
        self.pid, self.master = os.forkpty()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.execve(argv[0], argv, {**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
            finally:
                os._exit(127)
        self._wait(lambda: b"\x1b[c" in self.output, "asks nothing")
        os.write(self.master, REPLIES)

    def read(self, seconds):
        """- Returns: whether anything came within that time."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            found = os.read(self.master, 1 << 20)
        except OSError:  # it has ended
            found = b""
        if not found:
            raise Failure(f"the interface has ended: {self.output[-300:].decode(errors='replace')}")
        self.output += found
        return True

    def read_for(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def _wait(self, is_there, problem):
        end = time.monotonic() + LONGEST_WAIT
        while not is_there():
            if time.monotonic() > end:
                raise Failure(f"the interface {problem}: {self.output[-300:].decode(errors='replace')}")
            self.read(1)

    def wait_for(self, text):
        """- Returns: seconds since the start."""
        self._wait(lambda: text in self.output, f"does not show {text!r}")
        return time.perf_counter() - self.began

    def wait_for_silence(self, seconds=0.5):
        while self.read(seconds):
            pass

    def press(self, keys):
        """- Returns: seconds until the end of the frame that the keys led to."""
        self.output = b""
        began = time.perf_counter()
        os.write(self.master, keys)
        self._wait(lambda: FRAME.search(self.output), f"does not react to {keys!r}")
        return time.perf_counter() - began

    @property
    def frames(self):
        """What each frame in the output wrote."""
        return FRAME.findall(self.output)

    def close(self):
        try:
            os.write(self.master, b"q")
            end = time.monotonic() + 5
            while time.monotonic() < end:
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    return
                try:
                    self.read(0.05)
                except Failure:
                    pass
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        finally:
            os.close(self.master)
