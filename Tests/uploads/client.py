#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uploads of fileq to several servers, interrupted at random points, and what arrived.

    client.py FILEQ FOLDER [--seed N] [--points N] [--size MIB] [--peer NAME]... [--tus-python PYTHON]

FILEQ is the program. For each server and each kind of interruption: the file that is stored has the right SHA-256, is
stored once, and the bytes sent exceed its size by no more than what connections held when they broke. Prints one row for
each; exits with 1 if one is wrong. A relay between client and server breaks connections and counts bytes.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("fileq")
arguments.add_argument("folder")
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--points", type=int, default=20)
arguments.add_argument("--size", type=int, default=24)
arguments.add_argument("--peer", action="append")
arguments.add_argument("--kind", action="append")
arguments.add_argument("--tus-python", help="a Python with tuspyserver and uvicorn")
options = arguments.parse_args()
chance = random.Random(options.seed)
fileq = os.path.abspath(options.fileq)
root = pathlib.Path(options.folder).resolve()
root.mkdir(parents=True, exist_ok=True)
here = pathlib.Path(__file__).resolve().parent
# What a connection may hold: the buffers of two sockets each, of relay and server.
HELD = 12 << 20
HOST = "127.0.0.1"


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class Server:
    """A program that is killed and started again, on one port."""

    def __init__(self, command, folder, environment=None):
        self.port, self.command, self.folder = free_port(), command, folder
        self.environment = dict(os.environ, **(environment or {}))
        self.process = None
        self.start()

    def start(self):
        words = [word.replace("PORT", str(self.port)) for word in self.command]
        self.log = open(root / "server.log", "ab")
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
    """Forwards connections to a port, one thread each; breaks them after a number of bytes from the client."""

    def __init__(self, port, newest=None):
        self.target, self.newest = port, newest
        self.listener = socket.create_server((HOST, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.sent = 0  # bytes from clients
        self.cut_at = None  # of ``sent``
        self.reached = threading.Event()
        self.breaks = True
        self.rate = 64 << 20
        threading.Thread(target=self.accept, daemon=True).start()

    def plan(self, offset, breaks):
        """``reached`` is set once so many more bytes have come; then all connections break, if ``breaks``."""
        with self.lock:
            self.reached.clear()
            self.breaks, self.cut_at = breaks, self.sent + offset

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
        try:
            if self.newest and not self.filter(client, server):
                return
            while True:
                for source in select.select([client, server], [], [], 120)[0]:
                    piece = source.recv(1 << 16)
                    if not piece:
                        return
                    (server if source is client else client).sendall(piece)
                    if source is client:
                        if self.count(len(piece)):
                            reset(client)
                            return reset(server)
                        time.sleep(len(piece) / self.rate)
        except OSError:
            pass
        finally:
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
            # What is on its way would reset the connection before the response is read.
            client.shutdown(socket.SHUT_WR)
            client.settimeout(2)
            try:
                while client.recv(1 << 16):
                    pass
            except OSError:
                pass
            return False
        server.sendall(lines + b"\r\nConnection: close\r\n\r\n" + body)
        self.count(len(body))
        return True

    def close(self):
        self.listener.close()


def reset(end):
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:
        pass
    end.close()


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


class Peer:
    def __init__(self, name, protocol, command, address, words, newest=None, environment=None, keeps=True):
        self.name, self.protocol, self.command, self.address = name, protocol, command, address
        self.words, self.newest, self.environment = words, newest, environment
        self.keeps = keeps  # its state outlives it


def peers():
    served = [fileq, "serve", "FOLDER", "--port", "PORT"]
    yield Peer("fileq serve", "ietf-8", served, "/in/{}", ["--resumable", "auto"])
    for version in (6, 5, 3):
        yield Peer(
            f"fileq serve, as of {version}", f"ietf-{version}", served, "/in/{}", ["--resumable", "ietf"], newest=version)
    yield Peer("fileq serve, tus", "tus-1.0.0", served, "/in/{}", ["--resumable", "tus"])
    draft = [sys.executable, str(here / "draftserver.py"), "FOLDER", "PORT"]
    for version in (6, 5, 3):
        yield Peer(
            f"draftserver.py {version}", f"ietf-{version}", draft + [str(version)], "/{}", ["--resumable", "ietf"],
            keeps=False)
    if options.tus_python and not os.path.exists(options.tus_python):
        print("tuspyserver is not installed", file=sys.stderr)
    elif options.tus_python:
        # A kill leaves its file longer than the offset that it recorded, and it appends the rest.
        yield Peer(
            "tuspyserver", "tus-1.0.0",
            [options.tus_python, str(here / "tuspyserver_app.py"), "FOLDER", "PORT"], "/files/",
            ["--resumable", "tus"], keeps=False)


class Trial:
    """One file, one server, one kind of interruption."""

    def __init__(self, peer, kind, number):
        self.peer, self.kind = peer, kind
        self.folder = root / f"trial-{number}"
        self.served = self.folder / "served"
        self.home = self.folder / "home"
        self.served.mkdir(parents=True)
        self.home.mkdir(mode=0o700)
        (self.served / "in").mkdir()
        self.source = self.folder / "source.bin"
        self.size = options.size << 20
        with open(self.source, "wb") as file:
            for _ in range(options.size):
                file.write(chance.randbytes(1 << 20))
        self.environment = dict(os.environ, FILEQ_HOME=str(self.home))
        command = [word.replace("FOLDER", str(self.served)) for word in peer.command]
        self.server = Server(command, self.served, peer.environment)
        self.relay = Relay(self.server.port, peer.newest)
        self.url = f"http://{HOST}:{self.relay.port}" + peer.address.format("source.bin")
        if kind.startswith("kill"):
            # Slow enough for as many commands as there are points.
            self.relay.rate = 1 << 20 if kind == "kill of service" else 4 << 20
        self.times = 0
        self.protocols = set()

    def next_point(self):
        # Without a pause between two points no byte is confirmed in between.
        share = self.size // (options.points + 1)
        return chance.randrange(share // 4, share)

    def words(self):
        return [*self.peer.words, "--retry", "50", str(self.source), self.url]

    def foreground(self):
        return subprocess.Popen(
            [fileq, "put", "--json", *self.words()], env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def watch(self, process):
        """Reads the events: progress stays within bounds, what is confirmed never shrinks."""
        confirmed, events = 0, []
        for line in process.stdout:
            event = json.loads(line)
            events.append(event)
            if event.get("uploadProtocol"):
                self.protocols.add(event["uploadProtocol"])
            if event["event"] in ("restarted", "queued"):
                confirmed = 0
            assert event["bytes"] <= self.size, event
            assert event.get("confirmed", 0) >= confirmed or event["event"] == "retrying", (confirmed, event)
            assert event["bytes"] >= event.get("confirmed", 0), event
            confirmed = event.get("confirmed", 0)
        process.wait()
        return events

    def run(self):
        getattr(self, self.kind.replace(" ", "_"))()

    def reset(self):
        """Connections break."""
        process = self.foreground()
        reader = threading.Thread(target=self.collect, args=(process,))
        reader.start()
        for _ in range(options.points):
            self.relay.plan(self.next_point(), breaks=True)
            if not self.wait_for_point(process):
                break
            self.times += 1
        reader.join()
        self.expect_success(process)

    def collect(self, process):
        try:
            self.events = self.watch(process)
        except AssertionError as error:
            self.events = []
            self.violation = f"progress: {error}"
            process.kill()
            process.wait()

    def wait_for_point(self, process):
        while not self.relay.reached.wait(0.02):
            if process.poll() is not None:
                return False
        return True

    def kill_of_put(self):
        """The client is killed and the command given again."""
        for _ in range(options.points):
            self.relay.plan(self.next_point(), breaks=False)
            process = self.foreground()
            came = self.wait_for_point(process)
            process.kill()
            process.communicate()
            if not came:
                break
            self.times += 1
        process = self.foreground()
        self.collect(process)
        self.expect_success(process)

    def kill_of_server(self):
        process = self.foreground()
        reader = threading.Thread(target=self.collect, args=(process,))
        reader.start()
        for _ in range(options.points):
            self.relay.plan(self.next_point(), breaks=False)
            if not self.wait_for_point(process):
                break
            self.server.kill()
            self.server.start()
            self.times += 1
        reader.join()
        self.expect_success(process)

    def kill_of_service(self):
        """The background service is killed; the next command starts it again."""
        def call(*words):
            return subprocess.run(
                [fileq, *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                timeout=120)

        added = call("add", "put", *self.words())
        assert added.returncode == 0, added.stderr
        number = added.stdout.strip()
        try:
            for _ in range(options.points):
                self.relay.plan(self.next_point(), breaks=False)
                status = json.loads(call("service", "status", "--json").stdout)
                while not self.relay.reached.wait(0.05):
                    if '"completed"' in call("list", "--json").stdout:
                        break
                if not self.relay.reached.is_set():
                    break
                os.kill(status["pid"], signal.SIGKILL)
                self.times += 1
                time.sleep(0.05)
                call("list", "--json")
            ended = call("wait", number)
            state = json.loads(call("list", "--json").stdout.splitlines()[0])
            if state.get("uploadProtocol"):
                self.protocols.add(state["uploadProtocol"])
            assert ended.returncode == 0, (ended.stderr, state)
        finally:
            call("service", "stop")

    violation = None

    def expect_success(self, process):
        if process.returncode != 0 and not self.violation:
            last = self.events[-1] if self.events else {}
            self.violation = f"exit {process.returncode}: {last.get('error', {}).get('message', last)}"

    def check(self):
        if self.violation:
            return self.violation
        stored = [
            path for path in self.served.rglob("*")
            if path.is_file() and ".fileq-server" not in path.parts and path.suffix != ".info"
        ]
        if len(stored) != 1:
            return f"stored {len(stored)} times: {[str(path.relative_to(self.served)) for path in stored]}"
        if sha256(stored[0]) != sha256(self.source):
            return "the stored file is another one"
        if self.protocols != {self.peer.protocol}:
            return f"carried by {sorted(self.protocols)}"
        if self.relay.sent > self.size + self.times * HELD + (1 << 20):
            return f"sent {self.relay.sent} bytes"
        return None

    def close(self):
        self.relay.close()
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    kinds = options.kind or ["reset", "kill of put", "kill of server", "kill of service"]
    failures = number = 0
    print("| server | protocol | interruption | times | bytes sent / size | result |")
    print("|---|---|---|---|---|---|")
    for peer in peers():
        if options.peer and peer.name not in options.peer:
            continue
        for kind in kinds:
            if kind == "kill of server" and not peer.keeps:
                continue
            number += 1
            trial = Trial(peer, kind, number)
            try:
                trial.run()
            except (AssertionError, subprocess.TimeoutExpired, ValueError) as error:
                trial.violation = f"{type(error).__name__}: {error}"
            found = trial.check()
            share = trial.relay.sent / trial.size
            print(
                f"| {peer.name} | {peer.protocol} | {kind} | {trial.times} | {share:.2f} | {found or 'right'} |",
                flush=True)
            failures += found is not None
            trial.close()
    print("ok" if failures == 0 else f"{failures} wrong")
    return 1 if failures else 0


sys.exit(main())
