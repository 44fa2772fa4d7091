# SPDX-License-Identifier: MIT
"""Headless Chromium, driven through its debugging protocol."""
import base64
import json
import pathlib
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

from relay import HOST


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


class Target:
    """A page, or the worker of an extension."""

    def __init__(self, url, domains=("Runtime",)):
        self.channel, self.number, self.events = WebSocket(url), 0, []
        self.reply = None  # to the next dialog
        for domain in domains:
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        own = self.number
        self.channel.send(json.dumps({"id": own, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.channel.receive())
            if message.get("id") == own:
                assert "error" not in message, (method, message["error"])
                return message["result"]
            self.events.append(message)
            if message.get("method") == "Page.javascriptDialogOpening":
                # Without waiting: the reply to the call above comes once the dialog is closed.
                self.number += 1
                accepts = self.reply is not None or message["params"]["type"] == "beforeunload"
                self.channel.send(json.dumps({"id": self.number, "method": "Page.handleJavaScriptDialog", "params": {
                    "accept": accepts, "promptText": self.reply or ""}}))

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def until(self, script, limit=120):
        deadline = time.monotonic() + limit
        while not self.holds(script):
            assert time.monotonic() < deadline, f"never: {script}\n{self.evaluate('document.body.innerText')}"
            time.sleep(0.05)

    def holds(self, script):
        try:
            return self.evaluate(f"Boolean({script})")
        except AssertionError as error:
            # The page is on its way to another one.
            if "navigated" in str(error):
                return False
            raise


class Browser(Target):
    """A headless Chromium, and its first page."""

    def __init__(self, program, *words, size="900,700", pictures=None):
        self.folder, self.pictures = tempfile.mkdtemp(prefix="page-"), pictures
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
             f"--user-data-dir={self.folder}", f"--window-size={size}", *words, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = pathlib.Path(self.folder) / "DevToolsActivePort"
        deadline = time.monotonic() + 120
        while not (file.exists() and "\n" in file.read_text()):
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit("Chromium does not start")
            time.sleep(0.05)
        self.port = int(file.read_text().split()[0])
        page = next(target for target in self.targets() if target["url"] == "about:blank")
        super().__init__(page["webSocketDebuggerUrl"], ("Page", "Runtime", "Network", "Log", "DOM"))

    def targets(self):
        """Pages and workers."""
        with urllib.request.urlopen(f"http://{HOST}:{self.port}/json/list", timeout=60) as reply:
            return json.load(reply)

    def worker(self):
        """The worker of the extension, once it runs."""
        deadline = time.monotonic() + 30
        while not (found := [target for target in self.targets() if target["type"] == "service_worker"]):
            if time.monotonic() > deadline:
                sys.exit("the extension does not start")
            time.sleep(0.05)
        return found[0]

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def press(self, selector):
        """Presses the first such element."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def choose(self, selector, *paths):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        field = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path) for path in paths], nodeId=field)

    def width(self, pixels, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=800, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, name):
        """At both widths, of which none may need scrolling to the side."""
        for pixels, scheme in ((1100, "light"), (360, "dark")):
            self.width(pixels, scheme)
            across = self.evaluate("document.documentElement.scrollWidth")
            assert across <= pixels, f"{name} is {across} wide at {pixels}"
            if self.pictures:
                self.pictures.mkdir(parents=True, exist_ok=True)
                image = self.call("Page.captureScreenshot")["data"]
                (self.pictures / f"{name}-{pixels}.png").write_bytes(base64.b64decode(image))

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
