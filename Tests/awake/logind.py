# SPDX-License-Identifier: MIT
"""The service and systemd-inhibit against the logind of python3-dbusmock, on a bus of their own: logind.py FILEQ FOLDER."""

import http.server
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import dbus

FILEQ, FOLDER = sys.argv[1], Path(sys.argv[2])
FOLDER.mkdir(exist_ok=True)


def until(check, what):
    end = time.monotonic() + 30
    while not check():
        if time.monotonic() > end:
            raise SystemExit(f"{what} did not come about")
        time.sleep(0.05)


class Slow(http.server.BaseHTTPRequestHandler):
    """A body that never ends."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 1000)
                time.sleep(0.05)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


def start_bus():
    """A daemon that ends with this process, and its address."""
    configuration = FOLDER / "bus.conf"
    configuration.write_text(
        f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "">
        <busconfig><type>system</type><listen>unix:path={FOLDER}/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy></busconfig>""")
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True)
    return daemon, daemon.stdout.readline().strip()


def check(environment, login, url, is_wanted):
    """The inhibitors of one service while a transfer runs, and after."""
    home = FOLDER / ("wanted" if is_wanted else "unwanted")
    home.mkdir()
    (home / "config.toml").write_text("" if is_wanted else "inhibit-sleep = false\n")
    environment = environment | {"FILEQ_HOME": str(home)}

    def fileq(*words):
        return subprocess.run([FILEQ, *words], env=environment, check=True, capture_output=True, text=True).stdout

    def sleep():
        return json.loads(fileq("service", "status", "--json"))["configuration"]["sleep"]

    def inhibitors():
        return [[str(word) for word in inhibitor[:4]] for inhibitor in login.ListInhibitors()]

    try:
        fileq("add", "get", "-q", "-o", str(home / "a"), url)
        until(lambda: "running" in fileq("list"), "the transfer")
        if is_wanted:
            until(lambda: inhibitors(), "the inhibitor")
            what, who, _, mode = inhibitors()[0]
            assert (what, who, mode) == ("sleep", "fileq", "block") and len(inhibitors()) == 1, inhibitors()
            assert sleep() == {"enabled": True, "prevented": True}, sleep()
        else:
            assert sleep() == {"enabled": False, "prevented": False} and inhibitors() == [], sleep()
        fileq("cancel", "1")
        until(lambda: not inhibitors(), "its end")
        assert not sleep()["prevented"]
        if is_wanted:
            # A killed service leaves none behind.
            fileq("retry", "1")
            until(lambda: inhibitors(), "another one")
            os.kill(json.loads(fileq("service", "status", "--json"))["pid"], 9)
            until(lambda: not inhibitors(), "its end by the kill")
    finally:
        subprocess.run([FILEQ, "service", "stop"], env=environment, capture_output=True)


def main():
    daemon, address = start_bus()
    environment = os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": address}
    mock = subprocess.Popen(
        [sys.executable, "-m", "dbusmock", "--system", "--template", "logind"], env=environment,
        stdout=subprocess.DEVNULL)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        bus = dbus.bus.BusConnection(address)
        until(lambda: bus.name_has_owner("org.freedesktop.login1"), "logind")
        login = dbus.Interface(
            bus.get_object("org.freedesktop.login1", "/org/freedesktop/login1"), "org.freedesktop.login1.Manager")
        url = f"http://127.0.0.1:{server.server_port}/a"
        for is_wanted in [True, False]:
            check(environment, login, url, is_wanted)
    finally:
        for process in [mock, daemon]:
            process.terminate()
            process.wait()


main()
