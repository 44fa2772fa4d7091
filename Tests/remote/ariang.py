#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Aria2-Explorer, an extension for browsers, and the AriaNg in it, against fileq, in headless Chromium.

    ariang.py FILEQ EXTENSION FOLDER [--chromium PROGRAM] [--picture FILE]

EXTENSION is the folder of the extension's sources, https://github.com/alexhua/Aria2-Explorer, which are not part of this
repository; FOLDER a new one. Prints one line for each check, and exits with 1 if one fails. Without Chromium or the extension
it says so and exits with 0.
"""

import argparse
import base64
import json
import pathlib
import re
import shutil
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "uploads"))
from chromium import Browser, Target

from origin import NAME, Origin, Service

arguments = argparse.ArgumentParser()
arguments.add_argument("fileq")
arguments.add_argument("extension", type=pathlib.Path)
arguments.add_argument("folder", type=pathlib.Path)
arguments.add_argument("--chromium", default="chromium")
arguments.add_argument("--picture", type=pathlib.Path)
options = arguments.parse_args()
SITE = f"http://{NAME}"
FILES = {
    "/disk.iso": 480 << 20, "/photos.zip": 240 << 20, "/film.mkv": 900 << 20, "/music.tar": 300 << 20, "/handed.bin": 3 << 20}
PAGES = {"/page": '<!DOCTYPE html><title>Files</title><a id="file" href="/handed.bin" download>file</a>'}
ROWS = """[...document.querySelectorAll('#task-table .task-table-body > .row')].map(row => ({
    gid: row.dataset.gid, name: row.querySelector('.task-name').textContent.trim(),
    progress: row.querySelector('.progress-bar').textContent.trim() }))"""


def shows(browser, name):
    return f"{ROWS}.some(row => row.name.includes({json.dumps(name)}))"


def type_into(browser, selector, value):
    """As a user who leaves the field."""
    browser.until(f"document.querySelector({json.dumps(selector)})", 30)
    browser.evaluate(f"""(() => {{ const field = document.querySelector({json.dumps(selector)});
        field.value = {json.dumps(str(value))};
        for (const kind of ['input', 'change', 'blur']) field.dispatchEvent(new Event(kind, {{ bubbles: true }})); }})()""")


def go(browser, page):
    browser.evaluate(f"location.hash = {json.dumps('#!' + page)}")


def middle(browser, name):
    """Of the row of a task."""
    browser.until(shows(browser, name), 30)
    return browser.evaluate(f"""(() => {{ const row = [...document.querySelectorAll('#task-table .task-table-body > .row')]
        .find(row => row.innerText.includes({json.dumps(name)})); const box = row.getBoundingClientRect();
        return [box.left + 200, box.top + box.height / 2]; }})()""")


def mouse(browser, kind, x, y, pressed=True):
    browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if pressed else "none",
                 buttons=int(pressed and kind != "mouseReleased"), clickCount=1)


def press_task(browser, name, action):
    """Selects a task, then presses a button above the list."""
    button = json.dumps(f"a[ng-click={json.dumps(action)}]")
    deadline = time.monotonic() + 30
    # Rows move while the list is shown.
    while browser.evaluate(f"document.querySelector({button}).parentElement.classList.contains('disabled')"):
        assert time.monotonic() < deadline, f"{name} cannot be selected"
        x, y = middle(browser, name)
        for kind in ("mousePressed", "mouseReleased"):
            mouse(browser, kind, x, y)
        time.sleep(0.5)
    browser.evaluate(f"document.querySelector({button}).click()")


def drag(browser, name, goal):
    """The row of a task to that of another one."""
    # The extension has opened its options; pages in the background draw no frames, for which mouse events wait.
    browser.call("Page.bringToFront")
    (x, y), (_, end) = middle(browser, name), middle(browser, goal)
    mouse(browser, "mouseMoved", x, y, pressed=False)
    mouse(browser, "mousePressed", x, y)
    for step in range(1, 11):
        mouse(browser, "mouseMoved", x, y + (end - y) * step / 10 + (-6 if end < y else 6) * (step == 10))
    mouse(browser, "mouseReleased", x, end)


def find(rows, name):
    return next((row for row in rows if row["url"] == SITE + name), {})


def state(rows, name):
    return find(rows, name).get("state")


def waiting(rows):
    return [row["url"].removeprefix(SITE) for row in rows if row["state"] in ("queued", "paused")]


def limits(service):
    return dict(line.split(maxsplit=1) for line in service.run("set").splitlines())


def handing(browser, service, site):
    """A link to a file is pressed; the extension cancels the browser's download and sends it, with cookies and referer."""
    worker = Target(browser.worker()["webSocketDebuggerUrl"])
    worker.until("globalThis.chrome?.downloads?.onDeterminingFilename.hasListeners()", 30)
    address = service.url.replace("://", f"://token:{service.secret}@")
    worker.evaluate("chrome.storage.local.set(" + json.dumps({
        "rpcList": [{"name": "fileq", "url": address, "pattern": ""}], "fileSize": "1"}) + ")")
    browser.open(SITE + "/page")
    browser.press("#file")
    service.until(lambda rows: state(rows, "/handed.bin") == "completed", "the extension sent it")
    (fields,) = [fields for path, fields, is_fileq in service.origin.requests if path == "/handed.bin" and is_fileq]
    assert fields["Cookie"] == "session=abc123" and fields["Referer"] == SITE + "/page", fields
    assert "Chrome/" in fields["User-Agent"], fields
    assert (service.downloads / "handed.bin").read_bytes() == service.origin.content("/handed.bin")
    assert find(service.list(), "/handed.bin")["taskDescription"] == "added by remote control"
    (canceled,) = worker.evaluate("chrome.downloads.search({})")
    assert canceled["error"] == "USER_CANCELED" and canceled["url"] == SITE + "/handed.bin", canceled


def connect(browser, service, site, protocol):
    """By the address with which AriaNg takes the settings of a server."""
    secret = base64.urlsafe_b64encode(service.secret.encode()).decode().rstrip("=")
    port = service.url.split(":")[2].split("/")[0]
    browser.open(f"{site}/ui/ariang/index.html#!/settings/rpc/set/{protocol}/127.0.0.1/{port}/jsonrpc/{secret}")
    browser.until("document.querySelector('.status-badge')?.textContent === 'Connected'", 30)


def connecting(browser, service, site):
    connect(browser, service, site, "ws")
    go(browser, "/status")
    browser.until("document.body.innerText.includes('1.37.0')", 30)
    assert "Message Digest" in browser.evaluate("document.body.innerText")


def limiting(browser, service, site):
    """One at a time, by the page of settings; 8 MB/s for all, by the dialog at the bottom."""
    go(browser, "/settings/aria2/basic")
    type_into(browser, "[data-option-key=max-concurrent-downloads] input", 1)
    service.until(lambda rows: limits(service)["concurrent"] == "1", "the number of concurrent downloads changed")
    browser.press("footer a[ng-click*=globalSpeedLimit]")
    # The slider for uploads is the first one.
    type_into(browser, ".modal.show .row + .row input[type=range]", 8)
    service.until(lambda rows: limits(service)["download-limit"].startswith("8M"), "the limit changed")
    browser.press(".modal.show .modal-footer button")


def adding(browser, service, site):
    for name in list(FILES)[:4]:
        go(browser, "/new")
        type_into(browser, "textarea[name=urls]", SITE + name)
        browser.press("form[name=newTaskForm] button[type=submit]")
        service.until(lambda rows: state(rows, name), f"{name} was added")
    service.until(lambda rows: state(rows, "/disk.iso") == "running", "the first one ran")
    go(browser, "/downloading")
    browser.until(shows(browser, "disk.iso"), 30)
    go(browser, "/waiting")
    for name in list(FILES)[1:4]:
        browser.until(shows(browser, name[1:]), 30)


def pausing(browser, service, site):
    go(browser, "/downloading")
    press_task(browser, "disk.iso", "changeTasksState('pause')")
    service.until(lambda rows: state(rows, "/disk.iso") == "paused", "it was paused")
    service.until(lambda rows: state(rows, "/photos.zip") == "running", "the next one ran")
    go(browser, "/waiting")
    press_task(browser, "disk.iso", "changeTasksState('start')")
    service.until(lambda rows: state(rows, "/disk.iso") != "paused", "it was resumed")


def ordering(browser, service, site):
    """The last one to the front of those that wait, by dragging."""
    go(browser, "/waiting")
    browser.until(shows(browser, "music.tar"), 30)
    before = waiting(service.list())
    assert before[-1] == "/music.tar" and len(before) == 3, before
    drag(browser, "music.tar", before[0][1:])
    service.until(lambda rows: waiting(rows)[0] == "/music.tar", "the order changed")
    browser.until(f"{ROWS}[0].name.includes('music.tar')", 30)


def details(browser, service, site):
    """The limit of one task, and its pieces, by the page of the task."""
    go(browser, "/downloading")
    browser.until(shows(browser, "photos.zip"), 30)
    gid = browser.evaluate(f"{ROWS}.find(row => row.name.includes('photos.zip')).gid")
    go(browser, f"/task/detail/{gid}")
    browser.until("document.querySelector('a[ng-click*=settings]')", 30)
    browser.press("a[ng-click*=settings]")
    type_into(browser, "[data-option-key=max-download-limit] input", "1M")
    service.until(lambda rows: find(rows, "/photos.zip").get("limit") == 1 << 20, "its limit changed")
    browser.press("a[ng-click*=pieces]")
    total = FILES["/photos.zip"] >> 20
    browser.until(f"document.querySelectorAll('.piece-map .piece').length === {total}", 30)
    browser.until("document.querySelectorAll('.piece-map .piece-completed').length > 4", 60)
    pieces = browser.evaluate("[...document.querySelectorAll('.piece-map .piece')].map(p => p.matches('.piece-completed'))")
    assert not all(pieces) and "TFT" in re.sub("F+", "F", "".join("FT"[piece] for piece in pieces)), pieces
    assert sum(pieces) << 20 <= find(service.list(), "/photos.zip")["bytes"], pieces


def listing(browser, service, site):
    """All tasks, over HTTP."""
    service.run("set", "--concurrent", "3")
    connect(browser, service, site, "http")
    # The name in the corner of the page.
    browser.evaluate("""const stored = JSON.parse(localStorage['AriaNg.Options']); stored.rpcAlias = 'fileq';
        localStorage['AriaNg.Options'] = JSON.stringify(stored)""")
    browser.call("Page.reload")
    go(browser, "/all")
    for name in FILES:
        browser.until(shows(browser, name[1:]), 30)
    if options.picture:
        browser.call("Emulation.setDeviceMetricsOverride", width=880, height=545, deviceScaleFactor=1, mobile=False)
        browser.until("[...document.querySelectorAll('span.task-download-speed[title]')]"
                      ".filter(rate => rate.innerText.includes('/s')).length > 2", 30)
        browser.until("!document.querySelector('.ui-notification')", 30)
        options.picture.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))


def main():
    if not shutil.which(options.chromium) or not (options.extension / "manifest.json").exists():
        print("skipped: it needs Chromium, and the sources of Aria2-Explorer")
        return
    folder = options.folder.resolve()
    origin = Origin(FILES, PAGES)
    service = Service(options.fileq, folder, origin)
    browser = Browser(
        options.chromium, f"--load-extension={options.extension.resolve()}", "--lang=en",
        "--disable-features=HttpsUpgrades", f"--host-resolver-rules=MAP {NAME} {origin.authority}", size="1000,600")
    try:
        site = browser.worker()["url"].removesuffix("/background.js")
        for check in (handing, connecting, limiting, adding, pausing, ordering, details, listing):
            check(browser, service, site)
            print(f"{check.__name__}: right", flush=True)
        print(browser.call("Browser.getVersion")["product"])
    finally:
        browser.close()
        service.close()
    print("ok")


main()
