#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of `fileq serve` in a browser: what they list, files and folders that are dropped on them, logins, links.

    page.py FILEQ FOLDER [--chromium PROGRAM] [--pictures FOLDER]

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
import shutil
import time
import urllib.request

from chromium import Browser
from relay import HOST, Relay, Server

arguments = argparse.ArgumentParser()
arguments.add_argument("fileq")
arguments.add_argument("folder")
arguments.add_argument("--chromium", default="chromium")
arguments.add_argument("--pictures", type=pathlib.Path)
options = arguments.parse_args()
NAMES = ["<img src=x onerror=alert(1)>.txt", "a&\"'b.txt", "写真 1.txt", "100%.txt", "javascript:alert(1)", "a#b?c=d"]
SIZE = 24 << 20
LARGE = 50 << 20


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


ROWS = """[...document.querySelectorAll('tbody tr')].map(row => [row.cells[0].textContent,
    row.querySelector('a').href, row.cells[1].title, row.querySelector('time').textContent])"""
ITEMS = """[...document.querySelectorAll('#uploads li')].map(item => ({ name: item.querySelector('bdi').textContent,
    value: item.querySelector('progress').value, most: item.querySelector('progress').max, text: item.textContent,
    buttons: [...item.querySelectorAll('button')].map(button => button.textContent) }))"""


def button(name, word):
    """A button of an upload."""
    return f"#uploads button[aria-label={json.dumps(word + ' ' + name, ensure_ascii=False)}]"


def listing(browser, site, served):
    browser.open(site)
    rows = browser.evaluate(ROWS)
    assert sorted(row[0] for row in rows) == sorted([*NAMES, "sub dir/"]) and rows[0][0] == "sub dir/", rows
    for name, address, size, time_text in rows[1:]:
        text = browser.evaluate(f"fetch({json.dumps(address)}).then(reply => reply.text())")
        assert text == "content of " + name and size == f"{len(text.encode())} bytes" and time_text, (name, text, size)
    assert rows[0][1] == site + "sub%20dir/"
    assert browser.evaluate("document.images.length") == 0
    browser.picture("list")


def sorting(browser, site, served):
    """By each column, in both directions; folders stay in front."""
    def order(column):
        browser.press(f"th:nth-child({column}) button")
        state = browser.evaluate(f"document.querySelector('th:nth-child({column})').getAttribute('aria-sort')")
        return state, [row[2] if column == 2 else row[0] for row in browser.evaluate(ROWS)]
    (up, sizes), (down, reverse) = order(2), order(2)
    numbers = [int(size.split()[0]) for size in sizes[1:]]
    assert (up, down) == ("ascending", "descending") and sizes[0] == reverse[0] == "", (sizes, reverse)
    assert numbers == sorted(numbers) and reverse[1:] == sizes[:0:-1], (sizes, reverse)
    assert order(1)[1][0] == "sub dir/"


def progress(browser, source, goal, name=None):
    """What the bar of a file shows until it is stored, when the page shows the new row."""
    seen, deadline, texts = [], time.monotonic() + 300, []
    while True:
        rows, items = browser.evaluate(f"[{ROWS}, {ITEMS}]")
        if any(row[0] == (name or source.name) for row in rows):
            break
        for item in items[-1:]:
            assert 0 <= item["value"] <= item["most"] == source.stat().st_size, item
            assert "failed" not in item["text"], item
            seen.append(item["value"])
            texts.append(item["text"])
        assert time.monotonic() < deadline, (seen[-3:], items)
        time.sleep(0.02)
    assert len(set(seen)) > 2 and any("/s" in text and "left" in text for text in texts), (seen, texts[-3:])
    assert sha256(goal) == sha256(source)
    browser.until("document.getElementById('status').textContent.includes('1 of 1 stored')", 10)


def choosing(browser, site, served, relay, source):
    """The connection breaks three times."""
    browser.open(site + "sub%20dir/")
    relay.plan(SIZE // 5, breaks=True)
    browser.choose("#choose", source)
    for _ in range(2):
        assert relay.reached.wait(60)
        relay.plan(SIZE // 5, breaks=True)
    progress(browser, source, served / "sub dir" / source.name)
    assert relay.reached.is_set()
    assert relay.sent < SIZE + 3 * (12 << 20), relay.sent


def drop(browser, *paths):
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.call("Input.dispatchDragEvent", type=kind, x=300, y=90, data=data)


def dropping(browser, site, served, relay, server, source):
    """The server is killed on the way, and started again."""
    browser.open(site)
    before = relay.sent
    relay.plan(LARGE // 3, breaks=False)
    drop(browser, source)
    assert relay.reached.wait(120)
    browser.picture("upload")
    server.kill()
    browser.until("document.querySelector('#uploads li').textContent.includes('trying again')")
    server.start()
    progress(browser, source, served / source.name)
    assert relay.sent - before < LARGE + (24 << 20), relay.sent - before


def pausing(browser, site, served, relay, source):
    """Pause, resume, cancel; nothing remains of what was cancelled."""
    browser.open(site + "sub%20dir/")
    relay.rate = 4 << 20
    copy = source.parent / "paused.bin"
    shutil.copy(source, copy)
    browser.choose("#choose", copy)
    browser.until("document.querySelector('#uploads progress').value > 1000000")
    browser.press(button(copy.name, "Pause"))
    (item,) = browser.evaluate(ITEMS)
    assert item["buttons"] == ["Resume", "Cancel"] and "paused" in item["text"], item
    browser.press(button(copy.name, "Resume"))
    browser.until(f"document.querySelector('#uploads progress').value > {item['value']} + 1000000")
    browser.press(button(copy.name, "Cancel"))
    unfinished = served / ".fileq-server" / "uploads"
    deadline = time.monotonic() + 30
    while any(unfinished.glob("*")) and time.monotonic() < deadline:
        names = {path.name.split(".")[0] for path in unfinished.glob("*.json")}
        if all(not (unfinished / name).exists() for name in names):
            break
        time.sleep(0.05)
    assert "cancelled" in browser.evaluate(ITEMS)[0]["text"] and not (served / "sub dir" / copy.name).exists()
    assert not any((unfinished / path.stem).exists() for path in unfinished.glob("*.json"))
    relay.rate = 64 << 20


def taken(browser, site, served):
    """Names that exist: replace, keep both, skip, each of them and all."""
    folder = served.parent / "taken"
    folder.mkdir()
    goal = served / "taken"
    goal.mkdir()
    for name in ("a.txt", "b.txt", "c.txt", "d", "e"):
        (goal / name).write_text("old " + name)
        (folder / name).write_text("new " + name)
    browser.open(site + "taken/")
    browser.choose("#choose", *sorted(folder.iterdir()))
    browser.until("document.querySelectorAll('#all button').length === 3 && "
                  "document.getElementById('all').textContent.includes('5 files')", 60)
    browser.picture("taken")
    browser.press(button("a.txt", "Replace"))
    browser.press(button("b.txt", "Keep both"))
    browser.press(button("c.txt", "Skip"))
    browser.until("document.getElementById('all').textContent.includes('2 files')", 60)
    browser.evaluate("[...document.querySelectorAll('#all button')][1].click()")
    browser.until("document.getElementById('status').textContent.startsWith('4 of 4 stored')", 60)
    browser.until(f"{ROWS}.length === 8", 10)
    assert {path.name: path.read_text() for path in goal.iterdir()} == {
        "a.txt": "new a.txt", "b.txt": "old b.txt", "b (2).txt": "new b.txt", "c.txt": "old c.txt", "d": "old d",
        "d (2)": "new d", "e": "old e", "e (2)": "new e"}


def dropping_folders(browser, site, served):
    folder = served.parent / "dropped 夏"
    (folder / "in side").mkdir(parents=True)
    (folder / "empty").mkdir()
    (folder / "in side" / "x.txt").write_text("inside")
    for number in range(120):
        (folder / f"{number}.txt").write_text(str(number))
    browser.open(site)
    drop(browser, folder)
    browser.until("document.getElementById('status').textContent.startsWith('121 of 121 stored')")
    assert (served / folder.name / "in side" / "x.txt").read_text() == "inside"
    assert all((served / folder.name / f"{number}.txt").read_text() == str(number) for number in range(120))
    browser.until(f"{ROWS}.some(row => row[0] === 'dropped 夏/')", 10)


def folders(browser, site, served):
    """New ones, archives, and what is deleted."""
    browser.open(site)
    browser.reply = "new 夏"
    browser.press("#make")
    browser.until(f"{ROWS}.some(row => row[0] === 'new 夏/')", 10)
    assert (served / "new 夏").is_dir()
    archive = browser.evaluate("""fetch('sub%20dir/?zip').then(reply => reply.arrayBuffer()).then(bytes =>
        btoa(Array.from(new Uint8Array(bytes).slice(0, 64), byte => String.fromCharCode(byte)).join('')))""")
    assert base64.b64decode(archive).startswith(b"PK\x03\x04") and b"sub dir/" in base64.b64decode(archive)
    browser.reply = None
    browser.press("button.delete[aria-label='Delete new 夏']")
    assert (served / "new 夏").is_dir(), "the question was answered with no"
    browser.reply = "yes"
    for name in ("new 夏", "100%.txt"):
        browser.press(f"button.delete[aria-label={json.dumps('Delete ' + name, ensure_ascii=False)}]")
        browser.until(f"!{ROWS}.some(row => row[0].startsWith({json.dumps(name)}))", 10)
        assert not (served / name).exists()


def reading(browser, site, served):
    """By keyboard and with a screen reader: landmarks, a live region, and a name for everything that can be pressed."""
    browser.open(site)
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in nodes if not node.get("ignored")]
    assert {"banner", "navigation", "main", "status", "table", "columnheader"} <= set(roles), sorted(set(roles))
    for node in nodes:
        if not node.get("ignored") and node["role"]["value"] in ("button", "link"):
            assert node["name"]["value"].strip(), node
    reached = set()
    for _ in range(12):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        reached.add(browser.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"choose", "choose-folder", "make", "A", "BUTTON"} <= reached, reached


def japanese(browser, site, served):
    browser.call("Network.setExtraHTTPHeaders", headers={"Accept-Language": "ja,en;q=0.5"})
    browser.open(site)
    assert "フォルダーを選択" in browser.evaluate("document.body.textContent")
    assert browser.evaluate("document.documentElement.lang") == "ja"
    browser.picture("japanese")
    browser.call("Network.setExtraHTTPHeaders", headers={})


def without_script(browser, site, served):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(site)
    text = browser.call("DOM.getOuterHTML", nodeId=browser.call("DOM.getDocument")["root"]["nodeId"])["outerHTML"]
    assert 'href="./sub%20dir/"' in text and 'href="./?zip"' in text
    browser.picture("without-script")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


def login(browser, site, served, token):
    """The form, uploads with the cookie, logout; no dialog of the browser."""
    browser.open(site)
    assert browser.evaluate("document.activeElement.id") == "token"
    browser.picture("login")
    for word, outcome in (("wrong", "[role=alert]"), (token, "#drop")):
        browser.evaluate(f"document.getElementById('token').value = {json.dumps(word)}; "
                         "document.querySelector('form').submit()")
        browser.until(f"document.readyState === 'complete' && document.querySelector('{outcome}')", 30)
    assert browser.evaluate("document.cookie") == ""
    source = served.parent / "with login.txt"
    source.write_text("stored by cookie")
    browser.choose("#choose", source)
    browser.until(f"{ROWS}.some(row => row[0] === 'with login.txt')", 30)
    assert (served / source.name).read_text() == "stored by cookie"
    browser.press("button[name=logout]")
    browser.until("document.readyState === 'complete' && document.getElementById('token')", 30)
    browser.open(site)
    assert browser.evaluate("document.activeElement.id") == "token"


def sharing(browser, site, served, token):
    """The page of a link: its password, the download, its end."""
    def link(**fields):
        names = {name.replace("_", "-"): value for name, value in fields.items()}
        request = urllib.request.Request(site + "files/share", method="POST", headers={
            "Authorization": "Bearer " + token, "Share-Target": "/with%20login.txt", **names})
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(served.parent / "downloads"))
    made = link(Share_Limit="max-age=86400, downloads=1", Share_Password=":Z2VoZWlt:")
    address = site + made["location"].lstrip("/") + "?key=" + made["deleteKey"]
    browser.open(address)
    assert "with login" not in browser.evaluate("document.body.textContent")
    browser.picture("link-password")
    browser.evaluate("document.getElementById('password').value = 'geheim'; document.querySelector('form').submit()")
    browser.until("document.readyState === 'complete' && document.getElementById('download')", 30)
    text = browser.evaluate("document.body.textContent")
    assert "with login.txt" in text and "16B" in text and "Until" in text and "Delete this link" in text, text
    browser.picture("link")
    browser.press("#download")
    goal, deadline = served.parent / "downloads" / "with login.txt", time.monotonic() + 30
    while not goal.exists():
        assert time.monotonic() < deadline, "nothing was downloaded"
        time.sleep(0.05)
    browser.open(address.replace("?", "?x&"))
    browser.evaluate("document.getElementById('password').value = 'geheim'; document.querySelector('form').submit()")
    browser.until("document.readyState === 'complete' && document.querySelector('button[name=delete]')", 30)
    assert "Downloads left0" in browser.evaluate("document.body.textContent").replace("\n", "")
    browser.press("button[name=delete]")
    browser.until("document.body.textContent.includes('has been deleted')", 30)


def silence(browser, site, served, *others):
    """No script from elsewhere, no violation of the policy, no exception."""
    origins = (site, *others)
    for event in browser.events:
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            assert parameters["request"]["url"].startswith(origins), parameters["request"]["url"]
        assert event.get("method") != "Runtime.exceptionThrown", parameters
        if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            entry = parameters["entry"]
            # The connections that were broken, after which browsers may repeat the request from the offset before, names
            # that are taken, logins, and the icon that they ask for.
            assert entry["source"] == "network", entry
            is_known = any(word in entry["text"] for word in ("net::ERR", "409", "412", "401", "423"))
            assert is_known or entry.get("url", "").endswith("/favicon.ico"), entry


def main():
    folder = pathlib.Path(options.folder).resolve()
    served = folder / "served"
    (served / "sub dir").mkdir(parents=True)
    for name in NAMES:
        (served / name).write_text("content of " + name)
    sources = []
    for name, size in (("chosen <b>&.bin", SIZE), ("dropped 写.bin", LARGE)):
        sources.append(folder / name)
        sources[-1].write_bytes(random.randbytes(size))
    fileq = os.path.abspath(options.fileq)
    token = "open + sesame&x=1"
    (folder / "token").write_text(token + "\n")
    (folder / "token").chmod(0o600)
    (folder / "locked").mkdir()
    server = Server([fileq, "serve", str(served), "--port", "PORT", "--allow-delete"], folder / "server.log")
    locked = Server([fileq, "serve", str(folder / "locked"), "--port", "PORT", "--token-file", str(folder / "token")],
                    folder / "locked.log")
    relay = Relay(server.port)
    browser = Browser(options.chromium, pictures=options.pictures)
    site, other = (f"http://{HOST}:{port}/" for port in (relay.port, locked.port))
    try:
        checks = [
            (listing, site, served), (sorting, site, served), (choosing, site, served, relay, sources[0]),
            (dropping, site, served, relay, server, sources[1]), (pausing, site, served, relay, sources[0]),
            (taken, site, served), (dropping_folders, site, served), (folders, site, served), (reading, site, served),
            (japanese, site, served), (without_script, site, served),
            (login, other, folder / "locked", token), (sharing, other, folder / "locked", token),
            (silence, site, served, other),
        ]
        for check, *more in checks:
            check(browser, *more)
            print(f"{check.__name__}: right", flush=True)
        print(browser.call("Browser.getVersion")["product"])
    finally:
        browser.close()
        relay.close()
        server.stop()
        locked.stop()
    print("ok")


main()
