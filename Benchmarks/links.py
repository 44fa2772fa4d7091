# SPDX-License-Identifier: MIT
"""Links between two network namespaces: one with a rate limit of the kernel's, and a long path with delay and loss. As root."""

import os
import shutil
import subprocess
import sys

from processes import Failure

SERVER, CLIENT = "10.78.0.1", "10.78.0.2"
HERE = os.path.dirname(os.path.abspath(__file__))


def can_be_made():
    return os.geteuid() == 0 and os.path.exists("/dev/net/tun") and all(map(shutil.which, ("ip", "tc")))


class Link:
    """Two namespaces; `remove` removes them and what runs between them."""

    def __init__(self, processes):
        self.processes = processes
        self.server, self.client = (f"fileq-link-{letter}{os.getpid()}" for letter in "sc")
        self.made = []

    def limited(self, mebibytes):
        """A pair of virtual interfaces whose server's side sends so many MiB a second, of all connections together."""
        self._make()
        command("ip", "-n", self.server, "link", "add", "far0", "type", "veth", "peer", "name", "near0", "netns", self.client)
        self._address("far0", "near0")
        command("tc", "-n", self.server, "qdisc", "add", "dev", "far0", "root", "tbf", "rate", f"{mebibytes * 8 * 1024}kibit",
                "burst", "64kb", "latency", "50ms")

    def long(self, delay, loss, mebibytes):
        """A path of `delay` s in each direction, which loses that share of all packets at random."""
        self._make()
        words = [sys.executable, "-B", os.path.join(HERE, "longpath.py"), self.server, self.client, str(delay), str(loss),
                 str(mebibytes << 20)]
        output = os.path.join(self.processes.work, "longpath")
        pid = self.processes.start(words, output=output)
        while not os.path.exists(output) or not os.path.getsize(output):
            if self.processes.has_ended(pid):
                raise Failure(f"the path ended: {self.processes.complaint(words)}")
        self._address("far0", "near0")

    def inside(self, namespace, argv):
        return [shutil.which("ip"), "netns", "exec", namespace, *argv]

    def _make(self):
        for name in (self.server, self.client):
            command("ip", "netns", "add", name)
            self.made.append(name)
            command("ip", "-n", name, "link", "set", "lo", "up")

    def _address(self, far, near):
        for name, device, own in ((self.server, far, SERVER), (self.client, near, CLIENT)):
            command("ip", "-n", name, "address", "add", f"{own}/24", "dev", device)
            command("ip", "-n", name, "link", "set", device, "up")

    def remove(self):
        for name in self.made:
            subprocess.run(["ip", "netns", "delete", name], check=False)
        self.made = []


def command(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}: {done.stderr.strip()}")
