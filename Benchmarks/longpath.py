# SPDX-License-Identifier: MIT
"""A long path between two network namespaces: longpath.py SERVER CLIENT DELAY LOSS RATE

Makes the interfaces far0 and near0 there, and forwards packets between them: each DELAY s later, LOSS of them never, RATE bytes a
second in each direction with a queue of a fifth of a second. Writes a line when the interfaces exist. (The kernel's netem does
the same where it has been built.)
"""

import collections
import ctypes
import fcntl
import os
import random
import select
import struct
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
QUEUE = 0.2


def enter(path):
    with open(path, encoding="ascii") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter {path}")


def interface(namespace, name):
    """A descriptor of packets: it belongs to the namespace in which it was opened."""
    enter(f"/run/netns/{namespace}")
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


class Direction:
    def __init__(self, source, target, delay, loss, rate, chance):
        self.source, self.target, self.delay, self.loss, self.rate, self.chance = source, target, delay, loss, rate, chance
        self.free = 0.0
        self.packets = collections.deque()

    def receive(self):
        for _ in range(256):
            try:
                packet = os.read(self.source, 65536)
            except BlockingIOError:
                return
            now = time.monotonic()
            if self.chance.random() < self.loss or self.free - now > QUEUE:
                continue
            self.free = max(self.free, now) + len(packet) / self.rate
            self.packets.append((self.free + self.delay, packet))

    def send(self, now):
        while self.packets and self.packets[0][0] <= now:
            try:
                os.write(self.target, self.packets.popleft()[1])
            except OSError:
                pass  # The interface has no address yet, or its queue is full: lost, as on any path.

    def wait(self, now):
        return max(0.0, self.packets[0][0] - now) if self.packets else 1.0


def main():
    server, client, delay, loss, rate = sys.argv[1:]
    far, near = interface(server, "far0"), interface(client, "near0")
    chance = random.Random(1)
    ways = [Direction(source, target, float(delay), float(loss), int(rate), chance) for source, target in ((far, near), (near, far))]
    print("ready", flush=True)
    while True:
        now = time.monotonic()
        ready, _, _ = select.select([far, near], [], [], min(way.wait(now) for way in ways))
        for way in ways:
            if way.source in ready:
                way.receive()
            way.send(time.monotonic())


if __name__ == "__main__":
    main()
