# SPDX-License-Identifier: MIT
"""What is played with each fault. A scenario receives a `Run`, starts one process with the fault, and checks the end."""
import hashlib
import time

from rig import Fault, Stop, eventually

SMALL = ["a.bin", "b.bin", "c.bin"]
ALL = SMALL + ["large.bin"]


# Downloads in the foreground


def get(*names, options=(), before=None, existing=(), again="--skip-existing", is_slow=False):
    def play(run):
        words = ["get", "-d", str(run.out), "-H", f"@{run.rig.field}", "--retry", "2"]
        words += [option.format(run=run, digest=digests(run)) for option in options]
        urls = [run.url(name, is_slow) for name in names]
        old = {name: b"former bytes of " + name.encode() for name in existing}
        for name, text in old.items():
            (run.out / name).write_bytes(text)
        if before:
            before(run, words + urls)
        first = run.faulty(*words, *urls)
        for name, text in old.items():
            # Replaced as a whole, or not at all.
            path = run.out / name
            run.expect(path.exists(), f"the former {name} is lost")
            if not first.succeeded and path.exists() and path.read_bytes() == text:
                path.unlink()
        run.compare(run.out, names, whole=first.succeeded)
        if first.succeeded:
            return
        second = run.fileq(*[word for word in words if word != "--overwrite"], again, *urls)
        run.expect(second.succeeded, f"the next run failed: {second}")
        run.compare(run.out, names, whole=True)

    return play


def digests(run):
    return {name: hashlib.sha256(data).hexdigest() for name, data in run.rig.files.items()}


def interrupted(run, words):
    """Leaves a partial file with its record: the process is killed when it has written a part."""
    record = run.out / "large.bin.fileq-part.json"
    started = run.start(*words, "--limit", "1M")
    eventually(lambda: started.has_ended or record.exists(), run.rig.limit)
    if not started.has_ended:
        started.process.kill()
    started.wait()
    if not record.exists():
        run.violate("nothing to resume")
        raise Stop


def to_output(run):
    first = run.faulty("get", "-o", "-", "-H", f"@{run.rig.field}", "--retry", "2", run.url("c.bin"))
    # Standard output is a file here; what it has must be a beginning of the file.
    data = (run.folder / "0.out").read_bytes()
    right = run.rig.files["c.bin"]
    run.expect(right.startswith(data), "standard output has wrong bytes")
    run.expect(not first.succeeded or data == right, "standard output is not whole")


# Uploads in the foreground


def put(*names, options=(), before=None):
    def play(run):
        words = ["put", "-H", f"@{run.rig.field}", "--retry", "2", *options]
        words += [run.source(name) for name in names] + [run.target]
        if before:
            before(run, words)
        first = run.faulty(*words)
        run.compare(run.inbox, names, whole=first.succeeded)
        if first.succeeded:
            return
        second = run.fileq(*words)
        run.expect(second.succeeded, f"the next run failed: {second}")
        run.compare(run.inbox, names, whole=True)

    return play


def broken_upload(run, words):
    """Leaves a record of an upload that the server has in part."""
    started = run.start(*words, "--limit", "2M")
    records = run.home / "state"
    eventually(lambda: started.has_ended or list(records.glob("**/*.json")), run.rig.limit)
    time.sleep(0.2)
    if not started.has_ended:
        started.process.kill()
    started.wait()


def put_stream(run):
    words = ["put", "-H", f"@{run.rig.field}", "--retry", "2", "-", run.target + "large.bin"]
    first = run.faulty(*words, stdin=run.source("large.bin"))
    run.compare(run.inbox, ["large.bin"], whole=first.succeeded)


def put_fileq(run):
    words = ["put", "--meta", "title=x", "--retry", "2", None, f"{run.rig.origin}/upload"]
    name = f"run-{run.number}.bin"
    source = run.folder / name
    source.write_bytes(run.rig.files["c.bin"])
    words[5] = str(source)
    for attempt in (run.faulty, run.fileq):
        outcome = attempt(*words)
        stored = [path.read_bytes() for path in run.rig.root.glob(f"files/*/{name}")]
        run.expect(all(data == run.rig.files["c.bin"] for data in stored), "stored with wrong bytes")
        run.expect(len(stored) == 1 or not outcome.succeeded, f"stored {len(stored)} times")
        if outcome.succeeded:
            return
        if len(stored) > 0:
            # Another command is another upload.
            return
    run.violate("the next run failed")


# The background queue


def add(run):
    words = ["-d", str(run.out), "-H", f"@{run.rig.field}"] + [run.url(name) for name in ALL]
    return ["add", "get", *words]


ENDED = {"completed", "failed", "cancelled", "paused"}


def await_queue(run, is_faulty):
    """Polls until no transfer moves.
    Returns the states by ID; a faulty service may not reply, which commands have to say. As long as the disk is full, it waits."""
    waits = is_faulty and run.fault is not None and run.fault.call.endswith("+")
    end = time.monotonic() + (4 if waits else run.rig.limit)
    states = None
    while time.monotonic() < end:
        states = run.transfers()
        if states is None:
            last = run.outcomes[-1]
            run.check(last)
            if not is_faulty:
                run.violate(f"the queue cannot be listed: {last}")
                raise Stop
        elif all(state in ENDED for state in states.values()):
            return states
        time.sleep(0.05)
    if waits:
        return states or {}
    run.violate(f"the queue does not come to an end: {states}")
    raise Stop


def finish(run, promised):
    """Without faults, everything that was added completes."""
    # Another process, if the faulty one still runs.
    states = await_queue(run, is_faulty=False)
    missing = [number for number in promised if number not in states]
    run.expect(not missing, f"no longer in the queue: {missing}")
    if not states:
        again = run.fileq(*add(run))
        if not run.expect(again.succeeded, f"cannot add: {again}"):
            raise Stop
        states = await_queue(run, is_faulty=False)
    if "paused" in states.values():
        run.fileq("resume", "state:paused")
        states = await_queue(run, is_faulty=False)
    if {"failed", "cancelled"} & set(states.values()):
        run.fileq("retry", "state:failed,cancelled")
        states = await_queue(run, is_faulty=False)
    run.expect(set(states.values()) == {"completed"}, f"not completed: {states}")
    run.compare(run.out, ALL, whole=True)
    stopped = run.fileq("service", "stop")
    run.expect(stopped.succeeded, f"the service cannot be stopped: {stopped}")


def promise(run, outcome):
    """The IDs that a command has printed."""
    if not outcome.succeeded:
        return []
    ids = [int(word) for word in outcome.output.split() if word.isdigit()]
    run.expect(len(ids) == len(ALL), f"{len(ids)} IDs for {len(ALL)} transfers")
    return ids


def stop_faulty(run, service):
    stopped = run.fileq("service", "stop")
    run.check(stopped)
    run.check(service.wait())


def started_service(run, fault=None):
    service = run.start("service", "run", "--idle-timeout", "0", faulty=True, fault=fault)
    # Its own line: a socket may be left from another one.
    if not eventually(lambda: " started: " in service.errors.read_text() or service.has_ended, run.rig.limit):
        run.violate("the service neither listens nor ends")
        raise Stop
    return service


def queue(run):
    """The service with the fault, from its start to its end."""
    service = started_service(run)
    added = run.fileq(*add(run))
    run.check(added)
    promised = promise(run, added)
    states = await_queue(run, is_faulty=True)
    completed = [number for number, state in states.items() if state == "completed"]
    run.compare(run.out, ALL, whole=len(completed) == len(ALL))
    stop_faulty(run, service)
    finish(run, promised)


def queue_upload(run):
    service = started_service(run)
    words = ["add", "put", "-H", f"@{run.rig.field}", *[run.source(name) for name in ALL], run.target]
    added = run.fileq(*words)
    run.check(added)
    promised = promise(run, added)
    states = await_queue(run, is_faulty=True)
    run.compare(run.inbox, ALL, whole=list(states.values()) == ["completed"] * len(ALL))
    stop_faulty(run, service)
    states = await_queue(run, is_faulty=False)
    run.expect(all(number in states for number in promised), f"no longer in the queue: {promised}, {states}")
    if not states:
        run.fileq(*words)
    run.fileq("resume", "state:paused")
    run.fileq("retry", "state:failed,cancelled")
    states = await_queue(run, is_faulty=False)
    run.expect(set(states.values()) == {"completed"}, f"not completed: {states}")
    run.compare(run.inbox, ALL, whole=True)
    run.fileq("service", "stop")


def restart(run):
    """A service that finds the queue of a killed one, with a partial download."""
    killed = run.start(
        "service", "run", "--idle-timeout", "0", "-j", "2", faulty=True, fault=Fault("12", "kill", "sync"))
    socket = run.home / "state" / "run" / "control.sock"
    eventually(lambda: socket.exists() or killed.has_ended, run.rig.limit)
    added = run.fileq(*add(run))
    eventually(lambda: killed.has_ended, 1)
    if not killed.has_ended:
        killed.process.kill()
    killed.wait()
    # One that the command has started since.
    run.kill_service()
    run.log.unlink(missing_ok=True)
    promised = promise(run, added)
    service = started_service(run)
    await_queue(run, is_faulty=True)
    stop_faulty(run, service)
    finish(run, promised)


def first_add(run):
    """The command with the fault, which starts a service."""
    promised = promise(run, run.faulty(*add(run)))
    finish(run, promised)


def first_start(run):
    """The service with the fault, which a command starts and waits for."""
    added = run.fileq(*add(run), faulty=True, fault_in="service")
    run.check(added)
    promised = promise(run, added)
    await_queue(run, is_faulty=True)
    run.check(run.fileq("service", "stop"))
    finish(run, promised)


def wait(run):
    """The command with the fault, which watches transfers to their end."""
    added = run.fileq(*add(run))
    ids = promise(run, added)
    outcome = run.faulty("wait", *map(str, ids))
    states = await_queue(run, is_faulty=False)
    if outcome.succeeded:
        run.expect(all(states.get(number) == "completed" for number in ids), f"not completed: {states}")
    finish(run, ids)


# The server


UPLOADS = [("a.bin", "never"), ("c.bin", "ietf"), ("large.bin", "tus"), ("b.bin", "tus")]


def serve(before=None):
    """The server with the fault, and a client without; then the server is killed, and started again without fault. With `before`, the
    server with the fault finds what one has left that this fault has killed."""

    def play(run):
        folder = run.folder / "inbox"
        folder.mkdir()
        confirmed, port = set(), 0
        if before:
            server, port = started_server(run, folder, port, faulty=True, fault=before)
            upload(run, port, confirmed)
            server.process.kill()
            server.wait()
            run.log.unlink(missing_ok=True)
        server, faulty_port = started_server(run, folder, port, faulty=True)
        port = faulty_port or port
        if faulty_port:
            upload(run, port, confirmed)
        if not server.has_ended:
            server.process.kill()
            server.wait()
        else:
            run.expect(run.is_kill or not faulty_port, "the server ended")
            run.check(server.wait())
        check_stored(run, folder, confirmed)
        server, port = started_server(run, folder, port)
        if not run.expect(port, f"the server does not start again: {server.errors.read_text()}"):
            raise Stop
        check_stored(run, folder, confirmed)
        unknown = upload(run, port, confirmed)
        # Of the others the server may say that they exist: their response was lost.
        check_stored(run, folder, [name for name, _ in UPLOADS if name not in unknown])

    return play


def started_server(run, folder, port, **options):
    """The server, and its port once it accepts connections; None if it has ended."""
    server = run.start("serve", str(folder), "--port", str(port), **options)
    eventually(lambda: server.has_ended or "\n" in server.output.read_text(), run.rig.limit)
    line = server.output.read_text()
    return server, int(line.rsplit(":", 1)[1]) if "\n" in line else None


def upload(run, port, confirmed):
    """Returns those of which the client does not know whether they are there: the server has lost bytes that it had to sync."""
    unknown = set()
    for name, protocol in UPLOADS:
        if name not in confirmed:
            words = ["--retry", "0", "--no-wait", "--resumable", protocol, run.source(name), f"http://127.0.0.1:{port}/"]
            outcome = run.fileq("put", *words)
            if outcome.succeeded:
                confirmed.add(name)
            elif "the outcome is unknown" in outcome.errors:
                unknown.add(name)
    return unknown


def check_stored(run, folder, names):
    run.compare(folder, [name for name, _ in UPLOADS], whole=False)
    for name in names:
        run.expect((folder / name).exists(), f"{name} was confirmed, and is missing")


SCENARIOS = {
    "get": get(*ALL),
    "get-nosync": get(*SMALL, options=["--no-sync"]),
    "get-checksum": get("large.bin", options=["--checksum", "sha256:{digest[large.bin]}"]),
    "get-resume": get("large.bin", before=interrupted),
    "get-split": get("wide.bin", options=["--split", "3"], is_slow=True),
    "get-overwrite": get(*ALL, options=["--overwrite"], existing=["a.bin", "large.bin"]),
    "get-output": to_output,
    "put": put(*SMALL, "large.bin", options=["--resumable", "never"]),
    "put-ietf": put("large.bin", options=["--resumable", "ietf"]),
    "put-tus": put("large.bin", options=["--resumable", "tus"]),
    "put-resume": put("large.bin", options=["--resumable", "ietf"], before=broken_upload),
    "put-stream": put_stream,
    "put-fileq": put_fileq,
    "queue": queue,
    "queue-upload": queue_upload,
    "restart": restart,
    "add": first_add,
    "start": first_start,
    "wait": wait,
    "serve": serve(),
    # Before the rename that gives an upload its name.
    "serve-restart": serve(Fault("12", "kill", "name")),
}
