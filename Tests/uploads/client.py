#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uploads of fileq to several servers, interrupted at random points, and what arrived.

    client.py FILEQ FOLDER [--seed N] [--points N] [--size MIB] [--peer NAME]... [--tus-python PYTHON] [--nio SERVER]
              [--s3-python PYTHON] [--large]

FILEQ is the program. For each server and each kind of interruption: the file that is stored has the right SHA-256, is
stored once, and the bytes sent exceed its size by no more than what connections held when they broke. Prints one row for
each; exits with 1 if one is wrong. A plain upload is sent again as a whole: until it has been, nothing is stored and nothing
is reported as done; one of standard input fails. A condition that does not hold keeps the file that is there. --large adds a file of 2 GiB, for which `put` is killed five times. A relay between client and server breaks connections and counts bytes.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request

from programs import Program, is_usable
from relay import HOST, Relay, Server

arguments = argparse.ArgumentParser()
arguments.add_argument("fileq")
arguments.add_argument("folder")
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--points", type=int, default=20)
arguments.add_argument("--size", type=int, default=24)
arguments.add_argument("--peer", action="append")
arguments.add_argument("--kind", action="append")
arguments.add_argument("--tus-python", help="a Python with tuspyserver and uvicorn")
arguments.add_argument("--nio", help="the built server of Tests/uploads/nio")
arguments.add_argument("--large", action="store_true")
arguments.add_argument("--s3-python", help="a Python with moto")
options = arguments.parse_args()
chance = random.Random(options.seed)
fileq = os.path.abspath(options.fileq)
root = pathlib.Path(options.folder).resolve()
root.mkdir(parents=True, exist_ok=True)
here = pathlib.Path(__file__).resolve().parent
# What a connection may hold: the buffers of two sockets each, of relay and server.
HELD = 12 << 20


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


class Peer:
    parts = None  # the size of parts, of a store for which the file is as many times larger
    times = 1
    connections = 1  # of one upload at the same time

    def __init__(self, name, protocol, command, address, words, newest=None, environment=None, keeps=True, front=None):
        self.front = front  # a reverse proxy before it
        self.name, self.protocol, self.command, self.address = name, protocol, command, address
        self.words, self.newest, self.environment = words, newest, environment
        self.keeps = keeps  # its state outlives it
        self.checks = False  # it verifies the checksum of each request
        self.has_conditions = False  # it obeys `If-None-Match` and `If-Match` of an upload
        self.store = None  # the kind of ``Program`` that it is
        self.blocks = False  # a second request of an upload stops it until it times out, if the first is under way


def peers():
    served = [fileq, "serve", "FOLDER", "--port", "PORT"]
    ours = Peer("fileq serve", "ietf-10", served, "/in/{}", ["--resumable", "auto"])
    ours.checks = ours.has_conditions = True
    yield ours
    for version in (6, 5, 3):
        yield Peer(
            f"fileq serve, as of {version}", f"ietf-{version}", served, "/in/{}", ["--resumable", "ietf"], newest=version)
    tus = Peer("fileq serve, tus", "tus-1.0.0", served, "/in/{}", ["--resumable", "tus"])
    tus.checks = True
    yield tus
    parts = Peer("fileq serve, tus in parts", "tus-1.0.0", served, "/in/{}", ["--resumable", "tus", "--split", "3"])
    parts.connections = 3
    yield parts
    for front in ("nginx", "haproxy", "caddy"):
        if not is_usable(front):
            print(f"{front} is not installed", file=sys.stderr)
            continue
        for name, protocol, word in (
            ("", "ietf-10", "auto"), (", tus", "tus-1.0.0", "tus"), (", plain", "plain", "never")
        ):
            yield Peer(
                f"fileq serve behind {front}{name}", protocol, served, "/in/{}", ["--resumable", word], front=front)
    plain = Peer("fileq serve, plain", "plain", served, "/in/{}", ["--resumable", "never"])
    plain.has_conditions = True
    yield plain
    for store in ("nginx dav", "apache2"):
        if not is_usable(store):
            print(f"{store} is not installed, or cannot run here", file=sys.stderr)
            continue
        # They are asked for a protocol and announce none.
        peer = Peer(store, "plain", None, "/in/{}", ["--resumable", "auto"])
        peer.store = store
        # nginx ignores them: it replaces any file.
        peer.has_conditions = store == "apache2"
        yield peer
    draft = [sys.executable, str(here / "draftserver.py"), "FOLDER", "PORT"]
    for version in (6, 5, 3):
        yield Peer(
            f"draftserver.py {version}", f"ietf-{version}", draft + [str(version)], "/{}", ["--resumable", "ietf"],
            keeps=False)
    if options.nio:
        # Of the versions that the client knows, its newest is 6.
        for version, name, newest in ((6, "", None), (5, ", as of 5", 5), (3, ", as of 3", 3)):
            yield Peer(
                "NIOResumableUpload" + name, f"ietf-{version}", [os.path.abspath(options.nio), "FOLDER", "PORT"], "/{}",
                ["--resumable", "ietf"], newest=newest, keeps=False)
    if options.tus_python and not os.path.exists(options.tus_python):
        print("tuspyserver is not installed", file=sys.stderr)
    elif options.tus_python:
        # A kill leaves its file longer than the offset that it recorded, and it appends the rest.
        tus = Peer(
            "tuspyserver", "tus-1.0.0",
            [options.tus_python, str(here / "tuspyserver_app.py"), "FOLDER", "PORT"], "/files/",
            ["--resumable", "tus"], keeps=False)
        # It polls its lock for 30 s on the thread that would notice the end of the connection that holds it.
        tus.blocks = True
        yield tus
    if options.s3_python and not os.path.exists(options.s3_python):
        print("moto is not installed", file=sys.stderr)
    elif options.s3_python:
        store = Peer(
            "moto", "s3", [options.s3_python, str(here / "s3server.py"), "FOLDER", "PORT"], "s3://bucket/in/{}",
            ["--s3-part-size", "5M", "--s3-region", "eu-test-1"], keeps=False)
        # In memory, and no part is confirmed before its last byte: parts have 5 MiB at least, and up to four are sent
        # at the same time.
        store.parts, store.times = 5 << 20, 4 if options.points <= 10 else 8
        yield store


KEYS = "AKIDOFATEST", "planted+secret/key"


class Trial:
    """One file, one server, one kind of interruption."""

    def __init__(self, peer, kind, number, size=options.size, points=options.points, rate=None):
        """``size`` in MiB. A large file has holes."""
        self.peer, self.kind, self.points = peer, kind, points
        self.folder = root / f"trial-{number}"
        self.served = self.folder / "served"
        self.home = self.folder / "home"
        self.served.mkdir(parents=True)
        self.home.mkdir(mode=0o700)
        (self.served / "in").mkdir()
        self.source = self.folder / "source.bin"
        self.size = 60_000 if kind == "small" else size << 20
        with open(self.source, "wb") as file:
            file.write(chance.randbytes(self.size % (1 << 20)))
            for piece in range(self.size >> 20):
                if size <= 256 or piece % 64 == 63:
                    file.write(chance.randbytes(1 << 20))
                else:
                    file.seek(1 << 20, os.SEEK_CUR)
        self.environment = dict(os.environ, FILEQ_HOME=str(self.home))
        self.server = self.start_server()
        self.front = Program(peer.front, self.folder / "front", self.server.port, root / "front.log") if peer.front else None
        self.relay = Relay((self.front or self.server).port, peer.newest)
        # Standard input has no name: the URL has one.
        self.is_stream = kind.endswith("stream")
        address = peer.address + "{}" if self.is_stream and peer.address.endswith("/") else peer.address
        self.url = f"http://{HOST}:{self.relay.port}" + address.format("source.bin")
        if peer.parts:
            self.url = address.format("source.bin")
            self.use_keys()
        if kind.startswith("kill"):
            # Slow enough for as many commands as there are points.
            self.relay.rate = rate or (1 << 20 if kind == "kill of service" and not self.is_plain else 4 << 20)
        self.condition = []
        self.times = 0
        self.planned = 0  # bytes of plain requests until they were interrupted
        self.protocols = set()

    def start_server(self):
        if self.peer.store:
            return Program(self.peer.store, self.folder / "server", self.served, root / "server.log")
        command = [word.replace("FOLDER", str(self.served)) for word in self.peer.command]
        return Server(command, root / "server.log", self.peer.environment)

    @property
    def is_plain(self):
        return self.peer.protocol == "plain"

    def use_keys(self):
        """Of a file for commands that are repeated, else of the environment."""
        self.environment["AWS_ENDPOINT_URL"] = f"http://{HOST}:{self.relay.port}"
        if self.kind != "kill of put":
            self.environment["AWS_ACCESS_KEY_ID"], self.environment["AWS_SECRET_ACCESS_KEY"] = KEYS
            return
        file = self.folder / "credentials"
        file.write_text("[trial]\naws_access_key_id = {}\naws_secret_access_key = {}\n".format(*KEYS))
        self.environment.update(AWS_SHARED_CREDENTIALS_FILE=str(file), AWS_PROFILE="trial")

    def next_point(self):
        if self.is_plain:
            point = chance.randrange(self.size // 8, self.size // 4 * 3)
            self.planned += point
            return point
        # Without a pause between two points no byte is confirmed in between.
        share = self.size // (self.points + 1)
        return chance.randrange(share // 4, share)

    def words(self):
        checksum = ["--checksum", "sha256:" + sha256(self.source)] if self.kind == "damage" else []
        return [*self.peer.words, *checksum, *self.condition, "--retry", "50", "-" if self.is_stream else str(self.source), self.url]

    def foreground(self):
        writer = subprocess.Popen(["cat", str(self.source)], stdout=subprocess.PIPE) if self.is_stream else None
        process = subprocess.Popen(
            [fileq, "put", "--json", *self.words()], env=self.environment, stdout=subprocess.PIPE,
            stdin=writer.stdout if writer else subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        if writer:
            writer.stdout.close()
        return process

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

    def stored(self):
        """Without what servers keep beside: those of tus their records, Apache the temporary files of a life that was killed."""
        return [
            path for path in self.served.rglob("*")
            if path.is_file() and ".fileq-server" not in path.parts and path.suffix != ".info"
            and not path.name.startswith(".davfs.tmp")
        ]

    def run(self):
        if self.is_plain:
            # Each time the delay before the next attempt of a command doubles; a command that is given again has none.
            self.points = min(self.points, 8 if self.kind in ("kill of put", "kill of service") else 4)
        elif self.peer.protocol == "s3":
            # Between two points a part of 5 MiB must be confirmed, of several that are sent at once, or delays double as well.
            self.points = min(self.points, self.size // (9 << 20))
        if self.is_plain and self.is_stream:
            return self.broken_stream()
        getattr(self, self.kind.split(",")[0].replace(" ", "_"))()

    def reset(self):
        """Connections break."""
        process = self.foreground()
        reader = threading.Thread(target=self.collect, args=(process,))
        reader.start()
        for _ in range(self.points):
            self.relay.plan(self.next_point(), breaks=True)
            if not self.wait_for_point(process):
                break
            self.note_incomplete(process)
        reader.join()
        self.expect_success(process)

    def broken_stream(self):
        """What was read of standard input cannot be sent again."""
        process = self.foreground()
        reader = threading.Thread(target=self.collect, args=(process,))
        reader.start()
        self.relay.plan(self.next_point(), breaks=True)
        self.times += self.wait_for_point(process)
        reader.join()
        if process.returncode == 0 and not self.violation:
            self.violation = "done, without the end of the stream"

    def small(self):
        """A file that is sent with its creation, if the server takes that."""
        self.least = 0
        process = self.foreground()
        self.collect(process)
        self.expect_success(process)

    def conditions(self):
        """A file of another stays, unless the command names its entity tag."""
        self.least = 0
        target = self.served / "in" / "source.bin"
        target.write_bytes(b"of another")
        # The entity tag of a file that has just changed is a weak one at some servers.
        os.utime(target, (1_000_000_000, 1_000_000_000))
        # For a file that must not be replaced the server is asked first.
        for condition, code in ((["--no-overwrite"], 23), (["--if-match", '"other"'], 22)):
            self.condition = condition
            process = self.foreground()
            self.collect(process)
            # What was sent before the response came.
            self.planned += self.size
            if process.returncode != code or target.read_bytes() != b"of another":
                self.violation = f"{condition}: exit {process.returncode}, {target.stat().st_size} bytes"
                return
        question = urllib.request.Request(f"http://{HOST}:{self.server.port}/in/source.bin", method="HEAD")
        with urllib.request.urlopen(question, timeout=60) as response:
            self.condition = ["--if-match", response.headers["ETag"]]
        process = self.foreground()
        self.collect(process)
        self.expect_success(process)

    def damage(self):
        """Bytes change on their way; the server notices by the checksum of the request."""
        process = self.foreground()
        reader = threading.Thread(target=self.collect, args=(process,))
        reader.start()
        # One request is repeated four times at most.
        for _ in range(min(3, self.points)):
            self.relay.plan_damage(self.next_point())
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

    def note_incomplete(self, process=None):
        """A plain request was interrupted: the command is not done, and no file is stored. The connection of a client that was
        killed may have held the whole file."""
        self.times += 1
        if not self.is_plain or self.violation:
            return
        found = self.served / "in" / "source.bin"
        was_killed = self.kind in ("kill of put", "kill of service")
        if found.exists() and not (was_killed and sha256(found) == sha256(self.source)):
            self.violation = f"stored before it was sent: {found.stat().st_size} bytes"
        elif process and process.poll() == 0:
            self.violation = "done before it was sent"

    def wait_for_record(self, process):
        """Without a record the next command makes another upload, and the first stays until it expires."""
        while not self.is_plain and not any(path.stat().st_size for path in self.home.rglob("uploads/*.json")):
            if process.poll() is not None:
                return False
            time.sleep(0.01)
        return True

    def forget_client(self):
        """The client was killed. Other servers learn it from what the relay still sends, later than the next request."""
        if self.peer.blocks:
            self.relay.drop()

    def kill_of_put(self):
        """The client is killed and the command given again."""
        for _ in range(self.points):
            self.relay.plan(self.next_point(), breaks=False)
            process = self.foreground()
            came = self.wait_for_point(process) and self.wait_for_record(process)
            process.kill()
            process.communicate()
            self.forget_client()
            if not came:
                break
            self.note_incomplete(process)
        process = self.foreground()
        self.collect(process)
        self.expect_success(process)

    def kill_of_server(self):
        process = self.foreground()
        reader = threading.Thread(target=self.collect, args=(process,))
        reader.start()
        for _ in range(self.points):
            self.relay.plan(self.next_point(), breaks=False)
            if not self.wait_for_point(process):
                break
            self.server.kill()
            self.note_incomplete(process)
            self.server.start()
        reader.join()
        self.expect_success(process)

    def kill_of_service(self):
        """The background service is killed; the next command starts it again."""
        def call(*words):
            return subprocess.run(
                [fileq, *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                timeout=300)

        added = call("add", "put", *self.words())
        assert added.returncode == 0, added.stderr
        number = added.stdout.strip()
        try:
            for _ in range(self.points):
                self.relay.plan(self.next_point(), breaks=False)
                status = json.loads(call("service", "status", "--json").stdout)
                while not self.relay.reached.wait(0.05):
                    if '"completed"' in call("list", "--json").stdout:
                        break
                if not self.relay.reached.is_set():
                    break
                os.kill(status["pid"], signal.SIGKILL)
                self.note_incomplete()
                self.forget_client()
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
    # Interruptions, or nothing was tried.
    least = 1

    def expect_success(self, process):
        if process.returncode != 0 and not self.violation:
            last = self.events[-1] if self.events else {}
            self.violation = f"exit {process.returncode}: {last.get('error', {}).get('message', last)}"

    def check(self):
        if self.violation:
            return self.violation
        if self.peer.parts:
            return self.check_store()
        stored = self.stored()
        if self.is_plain and self.is_stream:
            return f"stored {stored[0].stat().st_size} bytes of a broken stream" if stored else None
        if len(stored) != 1:
            return f"stored {len(stored)} times: {[str(path.relative_to(self.served)) for path in stored]}"
        if sha256(stored[0]) != sha256(self.source):
            return "the stored file is another one"
        if self.protocols != (set() if self.is_plain else {self.peer.protocol}):
            return f"carried by {sorted(self.protocols)}"
        if self.times < self.least:
            return f"interrupted {self.times} times only"
        if self.relay.sent > self.size + self.planned + self.times * self.peer.connections * HELD + (1 << 20):
            return f"sent {self.relay.sent} bytes"
        return None

    def check_store(self):
        with urllib.request.urlopen(f"http://{HOST}:{self.server.port}/-/report") as response:
            report = json.load(response)
        if list(report["objects"]) != ["in/source.bin"]:
            return f"stored {list(report['objects'])}"
        if report["objects"]["in/source.bin"]["sha256"] != sha256(self.source):
            return "the stored file is another one"
        if report["unfinished"] or report["twice"]:
            return f"{report['unfinished']} unfinished uploads, parts stored twice: {report['twice']}"
        if self.protocols != {self.peer.protocol}:
            return f"carried by {sorted(self.protocols)}"
        if self.relay.sent > self.size + self.times * 4 * (HELD + self.peer.parts) + (1 << 20):
            return f"sent {self.relay.sent} bytes"
        for path in self.home.rglob("*"):
            if path.is_file() and KEYS[1].encode() in path.read_bytes() and path.name != "credentials.json":
                return f"the secret key is in {path.name}"
        return None

    def close(self):
        self.relay.close()
        if self.front:
            self.front.stop()
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def report(trial):
    """Runs one and prints its row; true if it was right. Whatever happens, its programs end."""
    try:
        try:
            trial.run()
        except (AssertionError, subprocess.TimeoutExpired, ValueError, OSError) as error:
            trial.violation = f"{type(error).__name__}: {error}"
        found = trial.check()
        share = trial.relay.sent / trial.size
        print(
            f"| {trial.peer.name} | {trial.peer.protocol} | {trial.kind} | {trial.times} | {share:.2f} | "
            f"{found or 'right'} |", flush=True)
    finally:
        trial.close()
    return found is None


def main():
    kinds = options.kind or [
        "reset", "kill of put", "kill of server", "kill of service", "reset, stream", "kill of server, stream", "damage", "small",
        "conditions"]
    if absent := set(options.peer or []) - {peer.name for peer in peers()}:
        print(f"not known, not installed, or without its option: {sorted(absent)}")
        return 1
    failures = number = 0
    print("| server | protocol | interruption | times | bytes sent / size | result |")
    print("|---|---|---|---|---|---|")
    for peer in peers():
        if options.peer and peer.name not in options.peer:
            continue
        for kind in kinds:
            if kind.startswith("kill of server") and not peer.keeps or kind == "damage" and not peer.checks:
                continue
            # A broken stream is not sent again, whatever breaks it.
            if kind == "kill of server, stream" and peer.protocol == "plain":
                continue
            if kind == "small" and peer.protocol != "tus-1.0.0" or kind == "conditions" and not peer.has_conditions:
                continue
            # Neither streams nor small files are sent in parts.
            if peer.connections > 1 and (kind == "small" or kind.endswith(", stream")):
                continue
            number += 1
            failures += not report(Trial(peer, kind, number, size=options.size * peer.times))
    for peer in peers() if options.large else ():
        if peer.name in ("fileq serve", "fileq serve, tus"):
            number += 1
            trial = Trial(peer, "kill of put, 2 GiB", number, size=2048, points=5, rate=256 << 20)
            trial.least = 5
            failures += not report(trial)
    print("ok" if failures == 0 else f"{failures} wrong")
    return 1 if failures else 0


sys.exit(main())
