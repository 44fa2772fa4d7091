# SPDX-License-Identifier: MIT
"""A relay between client and server that breaks connections, and a server that is killed and started again."""
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

HOST = "127.0.0.1"


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class Server:
    """A program that is killed and started again, on one port."""

    def __init__(self, command, log, environment=None, configure=None):
        """``PORT`` in a word of the command is replaced; ``log`` gets what the program writes; ``configure`` is called
        with the port before the start."""
        self.port, self.command, self.path = free_port(), command, log
        if configure:
            configure(self.port)
        self.environment = dict(os.environ, **(environment or {}))
        self.process = None
        self.start()

    def start(self):
        words = [word.replace("PORT", str(self.port)) for word in self.command]
        self.log = open(self.path, "ab")
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, env=self.environment)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection((HOST, self.port), 5).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    sys.exit("the server does not start: " + " ".join(words))
                time.sleep(0.02)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Relay:
    """Forwards connections to a port, one thread each; after a number of bytes from the client it breaks them, or changes
    a byte."""

    def __init__(self, port, newest=None):
        self.target, self.newest = port, newest
        self.listener = socket.create_server((HOST, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.sent = 0  # bytes from clients
        self.cut_at = None  # of ``sent``
        self.reached = threading.Event()
        self.breaks = True
        self.damage_at = None  # of ``sent``
        self.rate = 64 << 20
        self.open = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def plan(self, offset, breaks):
        """``reached`` is set once so many more bytes have come; then all connections break, if ``breaks``."""
        with self.lock:
            self.reached.clear()
            self.breaks, self.cut_at = breaks, self.sent + offset

    def plan_damage(self, offset):
        """One byte of content changes after so many more; ``reached`` is set then."""
        with self.lock:
            self.reached.clear()
            self.damage_at = self.sent + offset

    def drop(self):
        """Breaks what is open now, with the bytes that it holds of clients that are gone."""
        with self.lock:
            for end in self.open:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def damaged(self, piece):
        with self.lock:
            # A short piece may be the head of a request.
            if self.damage_at is None or len(piece) < 1 << 14 or self.sent + len(piece) < self.damage_at:
                return piece
            self.damage_at = None
            self.reached.set()
        return piece[:-1] + bytes([piece[-1] ^ 1])

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def count(self, number):
        with self.lock:
            self.sent += number
            if self.cut_at is not None and self.sent >= self.cut_at:
                self.cut_at = None
                self.reached.set()
                return self.breaks
        return False

    def carry(self, client):
        try:
            server = socket.create_connection((HOST, self.target), 10)
        except OSError:
            return reset(client)
        with self.lock:
            self.open |= {client, server}
        try:
            if self.newest and not self.filter(client, server):
                return
            while True:
                for source in select.select([client, server], [], [], 120)[0]:
                    piece = source.recv(1 << 16)
                    if not piece:
                        return
                    if source is client:
                        piece = self.damaged(piece)
                    (server if source is client else client).sendall(piece)
                    if self.newest and source is server and is_final(piece):
                        return drain(client)
                    if source is client:
                        if self.count(len(piece)):
                            reset(client)
                            return reset(server)
                        time.sleep(len(piece) / self.rate)
        except OSError:
            pass
        finally:
            with self.lock:
                self.open -= {client, server}
            client.close()
            server.close()

    def filter(self, client, server):
        """A server that speaks older versions of the draft alone, and does not say which: one request a connection."""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(4096)
            if not piece:
                return False
            head += piece
        lines, body = head.split(b"\r\n\r\n", 1)
        fields = lines.lower()
        version = fields.split(b"upload-draft-interop-version:")[1].split()[0] if b"interop" in fields else b"0"
        status = None
        if head.startswith(b"OPTIONS"):
            status = b"405 Method Not Allowed"
        elif int(version) > self.newest:
            status = b"400 Bad Request"
        if status:
            client.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            drain(client)
            return False
        server.sendall(lines + b"\r\nConnection: close\r\n\r\n" + body)
        self.count(len(body))
        return True

    def close(self):
        self.listener.close()


def is_final(piece):
    """Whether it has the head of a final response; none of the servers sends content with it."""
    heads = (head for head in (b"\r\n\r\n" + piece).split(b"\r\n\r\nHTTP/1.1 ")[1:])
    return any(not head.startswith(b"1") for head in heads)


def drain(end):
    """Ends a connection after a response: what is on its way would reset it before the response is read."""
    end.shutdown(socket.SHUT_WR)
    end.settimeout(2)
    try:
        while end.recv(1 << 16):
            pass
    except OSError:
        pass


def reset(end):
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:
        pass
    end.close()
