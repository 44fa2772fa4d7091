#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `fileq serve` in a browser: what it lists, and files that are dropped on it.

    page.py FILEQ FOLDER [--chromium PROGRAM] [--screenshot FILE]

FILEQ is the program. Headless Chromium is driven through its debugging protocol. Prints one line for each check, and exits
with 1 if one fails.
"""
import argparse
import base64
import hashlib
import json
import os
import pathlib
import random
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

from relay import HOST, Relay, Server

arguments = argparse.ArgumentParser()
arguments.add_argument("fileq")
arguments.add_argument("folder")
arguments.add_argument("--chromium", default="chromium")
arguments.add_argument("--screenshot")
options = arguments.parse_args()
NAMES = ["<img src=x onerror=alert(1)>.txt", "a&\"'b.txt", "写真 1.txt", "100%.txt", "javascript:alert(1)", "a#b?c=d"]
SIZE = 24 << 20


class WebSocket:
    """RFC 6455, as far as the debugging protocol needs it: whole text messages."""

    def __init__(self, url):
        authority, path = url.removeprefix("ws://").split("/", 1)
        host, port = authority.split(":")
        self.socket = socket.create_connection((host, int(port)), 60)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: {authority}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4096)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        assert b" 101 " in head.split(b"\r\n")[0], head

    def exactly(self, count):
        while len(self.rest) < count:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def receive(self):
        text = b""
        while True:
            first, second = self.exactly(2)
            length = second & 127
            if length == 126:
                (length,) = struct.unpack(">H", self.exactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self.exactly(8))
            piece = self.exactly(length)
            if first & 15 <= 1:
                text += piece
                if first & 128:
                    return text.decode()

    def send(self, text):
        data, mask = text.encode(), secrets.token_bytes(4)
        length = len(data)
        head = bytes([129, 128 | length]) if length < 126 else (
            bytes([129, 254]) + struct.pack(">H", length) if length < 65536
            else bytes([129, 255]) + struct.pack(">Q", length))
        self.socket.sendall(head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))


class Browser:
    """One page of a headless Chromium."""

    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="page-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
             f"--user-data-dir={self.folder}", "--window-size=900,700", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = pathlib.Path(self.folder) / "DevToolsActivePort"
        deadline = time.monotonic() + 120
        while not (file.exists() and "\n" in file.read_text()):
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit("Chromium does not start")
            time.sleep(0.05)
        port = int(file.read_text().split()[0])
        with urllib.request.urlopen(f"http://{HOST}:{port}/json/list", timeout=60) as reply:
            page = next(target for target in json.load(reply) if target["type"] == "page")
        self.channel, self.number, self.events = WebSocket(page["webSocketDebuggerUrl"]), 0, []
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        self.channel.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.channel.receive())
            if message.get("id") == self.number:
                assert "error" not in message, (method, message["error"])
                return message["result"]
            self.events.append(message)

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def until(self, script, limit=120):
        deadline = time.monotonic() + limit
        while not self.evaluate(script):
            assert time.monotonic() < deadline, f"never: {script}"
            time.sleep(0.05)

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


ROWS = """[...document.querySelectorAll('tbody a')].map(link =>
    [link.textContent, link.href, link.closest('tr').cells[1].title, link.closest('tr').cells[2].textContent])"""
BARS = """[...document.querySelectorAll('#uploads li')].map(item =>
    [item.querySelector('progress').value, item.querySelector('progress').max, item.textContent])"""


def listing(browser, relay, served):
    browser.open(f"http://{HOST}:{relay.port}/")
    rows = browser.evaluate(ROWS)
    assert [row[0] for row in rows] == sorted([*NAMES, "sub dir/"]), rows
    (subfolder,) = [row for row in rows if row[0] == "sub dir/"]
    rows.remove(subfolder)
    for name, address, size, time_text in rows:
        text = browser.evaluate(f"fetch({json.dumps(address)}).then(reply => reply.text())")
        assert text == "content of " + name and size == f"{len(text.encode())} bytes" and time_text, (name, text, size)
    assert subfolder[1] == f"http://{HOST}:{relay.port}/sub%20dir/"
    assert browser.evaluate("document.images.length") == 0


def progress(browser, source, goal):
    """What the bar of a file shows until it is stored, when the page shows the new row."""
    seen, deadline = [], time.monotonic() + 300
    while True:
        rows, bars = browser.evaluate(f"[{ROWS}, {BARS}]")
        if any(row[0] == source.name for row in rows):
            break
        for value, most, text in bars:
            assert 0 <= value <= most == source.stat().st_size and "failed" not in text, (value, most, text)
            seen.append(value)
        assert time.monotonic() < deadline, (seen[-3:], bars)
        time.sleep(0.02)
    assert len(set(seen)) > 2, seen
    assert sha256(goal) == sha256(source)
    return seen


def choosing(browser, relay, served, source):
    """The connection breaks three times."""
    browser.open(f"http://{HOST}:{relay.port}/sub%20dir/")
    root_node = browser.call("DOM.getDocument")["root"]["nodeId"]
    field = browser.call("DOM.querySelector", nodeId=root_node, selector="#choose")["nodeId"]
    relay.plan(SIZE // 5, breaks=True)
    browser.call("DOM.setFileInputFiles", files=[str(source)], nodeId=field)
    for _ in range(2):
        assert relay.reached.wait(60)
        relay.plan(SIZE // 5, breaks=True)
    progress(browser, source, served / "sub dir" / source.name)
    assert relay.reached.is_set()
    assert relay.sent < SIZE + 3 * (12 << 20), relay.sent


def drop(browser, url, path):
    browser.open(url)
    x, y = browser.evaluate(
        "(() => { const box = drop.getBoundingClientRect(); return [box.x + box.width / 2, box.y + 5] })()")
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)


def dropping(browser, relay, served, source):
    drop(browser, f"http://{HOST}:{relay.port}/", source)
    progress(browser, source, served / source.name)


def dropping_folders(browser, relay, served):
    """Browsers list a folder among the files, but read nothing of it."""
    folder = served.parent / "dropped folder"
    folder.mkdir()
    (folder / "inside.txt").write_text("inside")
    drop(browser, f"http://{HOST}:{relay.port}/", folder)
    browser.until("document.querySelector('#uploads li')?.textContent.includes('failed: folders')", limit=10)
    assert browser.evaluate("document.querySelectorAll('#uploads li').length") == 1
    assert not (served / folder.name).exists()


def silence(browser, relay, served):
    """No script from elsewhere, no violation of the policy, no exception."""
    origin = f"http://{HOST}:{relay.port}/"
    for event in browser.events:
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            assert parameters["request"]["url"].startswith(origin), parameters["request"]["url"]
        assert event.get("method") != "Runtime.exceptionThrown", parameters
        if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            # The connections that were broken, after which browsers may repeat the request from the offset before, and
            # the icon that they ask for.
            assert entry["source"] == "network", entry
            is_known = "net::ERR" in entry["text"] or "409" in entry["text"]
            assert is_known or entry.get("url", "").endswith("/favicon.ico"), entry


def main():
    folder = pathlib.Path(options.folder).resolve()
    served = folder / "served"
    (served / "sub dir").mkdir(parents=True)
    for name in NAMES:
        (served / name).write_text("content of " + name)
    sources = []
    for name in ("chosen <b>&.bin", "dropped 写.bin"):
        sources.append(folder / name)
        sources[-1].write_bytes(random.randbytes(SIZE))
    fileq = os.path.abspath(options.fileq)
    server = Server([fileq, "serve", str(served), "--port", "PORT"], folder / "server.log")
    relay = Relay(server.port)
    browser = Browser(options.chromium)
    try:
        checks = [
            (listing, ()), (choosing, sources[:1]), (dropping, sources[1:]), (dropping_folders, ()),
            (silence, ()),
        ]
        for check, more in checks:
            check(browser, relay, served, *more)
            print(f"{check.__name__}: right", flush=True)
        if options.screenshot:
            image = browser.call("Page.captureScreenshot")["data"]
            pathlib.Path(options.screenshot).write_bytes(base64.b64decode(image))
        print(browser.call("Browser.getVersion")["product"])
    finally:
        browser.close()
        relay.close()
        server.stop()
    print("ok")


main()
