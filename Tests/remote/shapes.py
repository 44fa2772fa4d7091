# SPDX-License-Identifier: MIT
"""Sends the same requests to fileq or aria2c and keeps the shape of each response: status, members and types.

    shapes.py URL SECRET record FILE     writes the shapes
    shapes.py URL SECRET compare FILE    compares them with those of FILE, which aria2c or aria2-next has given

The server stores into a folder of its own; the files come from a server in this program.
"""

import base64
import json
import sys
import time
import urllib.error
import urllib.request

import files

URL, SECRET, MODE, FILE = sys.argv[1:5]
TOKEN = "token:" + SECRET


def send(body, kind="application/json"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(URL, data, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, json.loads(text) if text else None


def call(method, *params):
    return send({"jsonrpc": "2.0", "id": "a", "method": "aria2." + method, "params": [TOKEN, *params]})


def shape(value, name=""):
    if isinstance(value, dict):
        return {key: shape(inner, key) for key, inner in sorted(value.items())}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if name in ("jsonrpc", "code", "status"):
        return value
    return type(value).__name__


def until(check, what):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if check():
            return
        time.sleep(0.05)
    raise SystemExit(f"{what} did not come about")


def status(gid):
    return call("tellStatus", gid, ["status"])[1]["result"]["status"]


def collect():
    server, origin = files.serve()
    found = {}

    def note(name, answer):
        found[name] = {"http": answer[0], "body": shape(answer[1])}
        return answer[1].get("result") if isinstance(answer[1], dict) else None

    def both(name, *params):
        return note(name, call(name.split()[0], *params))

    ended = both("addUri", [origin + "/small"])
    until(lambda: status(ended) == "complete", "the download")
    failed = both("addUri options", [origin + "/none"], {"out": "none", "header": ["X-A: b"], "split": "2"})
    until(lambda: status(failed) == "error", "the failure")
    paused = both("addUri paused", [origin + "/small?2", origin + "/small?3"], {"pause": "true"})
    second = both("addUri position", [origin + "/small?4"], {"pause": "true"}, 0)
    active = both("addUri active", [origin + "/slow"])
    until(lambda: status(active) == "active", "the start")
    for name, gid in [("complete", ended), ("error", failed), ("paused", paused), ("active", active)]:
        both("tellStatus " + name, gid)
        both("getFiles " + name, gid)
        both("getUris " + name, gid)
    both("getOption", paused)
    both("tellStatus keys", ended, ["gid", "status"])
    both("tellActive")
    both("tellActive keys", ["gid"])
    both("tellWaiting", 0, 10)
    both("tellWaiting from the end", -1, 10)
    both("tellStopped", 0, 10)
    both("tellStopped keys", -1, 10, ["gid", "status"])
    both("getGlobalStat")
    both("getGlobalOption")
    both("getVersion")
    both("getSessionInfo")
    both("saveSession")
    both("changePosition", paused, 0, "POS_SET")
    both("changePosition of an active one", active, 0, "POS_SET")
    both("changeUri", paused, 1, [], [])
    both("changeOption", paused, {"max-download-limit": "1M"})
    both("changeGlobalOption", {"max-overall-download-limit": "0"})
    both("unpause of an active one", active)
    both("pause of a finished one", ended)
    both("remove of a finished one", ended)
    both("remove", second)
    both("removeDownloadResult", second)
    both("removeDownloadResult of an active one", active)
    both("removeDownloadResult of a failed one", failed)
    both("purgeDownloadResult")
    both("tellStopped of none", 0, 10)
    both("forcePause", active)
    both("pauseAll")
    both("forcePauseAll")
    both("tellStatus of an unknown one", "0000000000000001")
    both("tellStatus of no GID", "xyz")
    both("tellStatus without GID")
    both("tellStatus of a number", 7)
    both("addUri of nothing", [])
    both("addUri of a text", "x")
    both("addUri of another scheme", ["gopher://example.org/"])
    both("addMetalink of no document", base64.b64encode(b"x").decode())
    both("tellWaiting without number", 0)
    both("nothing")
    note("listMethods", send({"id": 1, "method": "system.listMethods"}))
    note("listNotifications", send({"id": 1, "method": "system.listNotifications"}))
    version = {"methodName": "aria2.getVersion", "params": [TOKEN]}
    wrong = {"methodName": "aria2.getVersion", "params": ["token:no"]}
    inner = {"methodName": "system.multicall", "params": []}
    for name, calls in [("", [version]), (" wrong", [wrong]), (" recursive", [inner]), (" of nothing", [])]:
        note("multicall" + name, send({"id": 1, "method": "system.multicall", "params": [calls]}))
    single = {"id": 1, "method": "aria2.saveSession", "params": [TOKEN]}
    note("batch", send([single, single]))
    note("another type", send(single, "text/plain"))
    started = time.monotonic()
    note("wrong token", send({"id": 1, "method": "aria2.saveSession", "params": ["token:no"]}))
    found["wrong token"]["late"] = time.monotonic() - started >= 1
    note("no token", send({"id": 1, "method": "aria2.saveSession", "params": []}))
    note("no id", send({"method": "aria2.saveSession", "params": [TOKEN]}))
    note("no method", send({"id": 1}))
    note("params of another type", send({"id": 1, "method": "aria2.saveSession", "params": 1}))
    note("no JSON", send(b"{"))
    note("a number", send(b"1"))
    call("forceRemove", active)
    server.held.set()
    return found


# Responses that differ on purpose: fileq knows the addresses of what has ended, lists what was removed before it started,
# and refuses other schemes at once.
ON_PURPOSE = {"getUris complete", "getUris error", "removeDownloadResult", "addUri of another scheme"}
OF_OPTIONS = {"getOption", "getGlobalOption"}
# aria2 gives these to some transfers only, by the way it writes files.
OPTIONAL = {"bitfield", "errorMessage", "errorCode", "followedBy", "following", "belongsTo"}
# aria2-next: describes its plugins, makes the parameters of lists optional, and responds to what has no id. Failures have
# status 200 there, and wrong tokens are refused at once; fileq does as aria2.
OPTIONAL_OF_NEXT = {"downloadFeatures", "mediaFeatures", "rpcVersion"}
ON_PURPOSE_OF_NEXT = {"a number", "no id", "tellWaiting without number"}


def is_next(recorded):
    return "rpcVersion" in recorded["getVersion"]["body"]["result"]


def differences(name, theirs, ours, path=""):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        if name.split()[0] in OF_OPTIONS and path == ".body.result":
            others = {key: kind for key, kind in ours.items() if kind != "str"}
            return [f"{path}: {others} are no strings"] if others else []
        lines = [f"{path}.{key} is missing" for key in theirs if key not in ours and key not in OPTIONAL]
        for key in theirs:
            if key in ours:
                lines += differences(name, theirs[key], ours[key], f"{path}.{key}")
        return lines
    if isinstance(theirs, list) and isinstance(ours, list):
        return differences(name, theirs[0], ours[0], path + "[]") if theirs and ours else (
            [] if bool(theirs) == bool(ours) else [f"{path}: {theirs} and {ours}"])
    return [] if theirs == ours else [f"{path}: {theirs} and {ours}"]


found = collect()
if MODE == "record":
    with open(FILE, "w") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")
else:
    with open(FILE) as file:
        recorded = json.load(file)
    lines = [f"{name}: not recorded" for name in found if name not in recorded]
    if is_next(recorded):
        OPTIONAL |= OPTIONAL_OF_NEXT
        ON_PURPOSE |= ON_PURPOSE_OF_NEXT
        for theirs in recorded.values():
            theirs.pop("late", None)
            if isinstance(theirs["body"], dict) and "error" in theirs["body"]:
                del theirs["http"]
    for name, theirs in recorded.items():
        if name in ON_PURPOSE:
            continue
        lines += [name + line for line in differences(name, theirs, found[name])]
    print("\n".join(lines))
    print(f"{len(found)} requests, {len(lines)} differences")
