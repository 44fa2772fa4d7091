# SPDX-License-Identifier: MIT
"""aria2p and aioaria2, clients of aria2 from PyPI, against fileq: clients.py URL SECRET."""

import asyncio
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import aioaria2
import aria2p

import files

URL, SECRET = sys.argv[1:3]
PARTS = urlsplit(URL)


def until(check, what):
    end = time.monotonic() + 30
    while not check():
        if time.monotonic() > end:
            raise SystemExit(f"{what} did not come about")
        time.sleep(0.05)


def by_aria2p(origin, held):
    client = aria2p.Client(f"{PARTS.scheme}://{PARTS.hostname}", PARTS.port, SECRET)
    api = aria2p.API(client)
    first = api.add_uris([origin + "/small?a", origin + "/small?b"], {"out": "folder/a.bin"})
    until(lambda: api.get_download(first.gid).is_complete, "the download")
    first.update()
    assert first.total_length == first.completed_length == 100_000, first.total_length
    assert Path(first.files[0].path).read_bytes() == bytes(100_000)
    assert first.progress == 100.0 and str(first.files[0].path).endswith("/folder/a.bin"), first.files[0].path

    failed = api.add_uris([origin + "/none"])
    until(lambda: api.get_download(failed.gid).has_failed, "the failure")
    assert api.get_download(failed.gid).error_code == "3"

    slow = api.add_uris([origin + "/slow"], {"max-download-limit": "1M"})
    until(lambda: api.get_download(slow.gid).is_active, "the start")
    slow.update()
    assert slow.connections == 1, slow.connections
    assert slow.options.max_download_limit == 1 << 20, slow.options.max_download_limit
    assert slow.pause()
    until(lambda: api.get_download(slow.gid).is_paused, "the pause")

    others = [api.add_uris([f"{origin}/small?{n}"], {"pause": "true"}) for n in range(3)]
    others[2].move_to_top()
    others[0].move_to_bottom()
    waiting = [download.gid for download in api.get_downloads() if download.is_paused]
    assert waiting[0] == others[2].gid and waiting[-1] == others[0].gid, waiting
    assert len(api.get_downloads()) == 6
    assert api.get_stats().num_waiting == 4, api.get_stats().num_waiting
    api.set_global_options({"max-concurrent-downloads": "7"})
    assert api.get_global_options().max_concurrent_downloads == 7
    assert all(api.remove(others))
    assert api.pause_all() and api.resume_all()
    until(lambda: api.get_download(slow.gid).is_active, "the resumption")
    held.set()
    until(lambda: api.get_download(slow.gid).is_complete, "the end")
    assert api.purge()
    assert api.get_downloads() == []
    try:
        api.add_torrent(__file__)
    except aria2p.ClientException as error:
        assert "BitTorrent" in str(error), error
    else:
        raise SystemExit("a torrent was added")
    print("aria2p ok")


async def by_aioaria2(origin):
    ended = asyncio.Event()
    async with await aioaria2.Aria2WebsocketClient.new(URL.replace("http", "ws", 1), token=SECRET) as client:
        @client.onDownloadComplete
        async def complete(_, notice):
            if notice["params"][0]["gid"]:
                ended.set()

        assert (await client.getVersion())["version"]
        gid = await client.addUri([origin + "/small?w"])
        await asyncio.wait_for(ended.wait(), 30)
        status = await client.tellStatus(gid, ["status"])
        assert status == {"status": "complete"}, status
        calls = [{"methodName": "aria2.tellStatus", "params": [gid, ["gid"]]}]
        assert await client.multicall(calls) == [[{"gid": gid}]]
    async with aioaria2.Aria2HttpClient(URL, token=SECRET) as client:
        assert (await client.getGlobalStat())["numActive"] == "0"
    async with aioaria2.Aria2HttpClient(URL, token="wrong") as client:
        try:
            answer = await client.getGlobalStat()
        except aioaria2.Aria2rpcException:
            answer = None
        assert not isinstance(answer, dict) or "numActive" not in answer, answer
    print("aioaria2 ok")


server, origin = files.serve()
by_aria2p(origin, server.held)
asyncio.run(by_aioaria2(origin))
