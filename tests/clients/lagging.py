"""A reader on `websockets` with its default limits that sleeps until it is told to read.

    python3 lagging.py SOCKET

Each line on stdin is a `seq`: it reads on until its mirror has come that far, prints it, and stops reading;
`Infinity` makes it read until the next line.
"""

import asyncio
import json
import math
import sys

from websockets.asyncio.client import unix_connect


class Mirror:
    """docs/protocol.md, "Keeping a mirror": a snapshot comes in parts and replaces what was there."""

    def __init__(self):
        self.open, self.lagged, self.seq = set(), 0, -1
        self.whole, self.between = False, True

    def fold(self, event):
        kind = event["kind"]
        if kind == "lagged":
            self.lagged += 1
            self.whole, self.between = False, True
        elif kind == "snapshot":
            if self.between:
                self.open.clear()
            self.open.update(form["formId"] for form in event["forms"])
            self.whole = self.between = event.get("last") is True
        elif kind == "started":
            self.open.add(event["formId"])
        elif kind == "completed":
            self.open.discard(event["formId"])
        self.seq = event["seq"]

    def line(self):
        return json.dumps({"lagged": self.lagged, "open": list(self.open), "seq": self.seq})


class Reader:
    """Reads while something is left to be reached."""

    def __init__(self, websocket):
        self.websocket, self.mirror = websocket, Mirror()
        self.until, self.may_read = math.inf, asyncio.Event()

    async def send(self, number, method, params):
        await self.websocket.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))

    def report(self):
        if self.mirror.whole and self.mirror.seq >= self.until:
            self.until = math.inf
            self.may_read.clear()
            print(self.mirror.line(), flush=True)

    async def listen(self):
        while await self.may_read.wait():
            message = json.loads(await self.websocket.recv())
            if "error" in message:
                raise RuntimeError(message["error"]["message"])
            if message.get("method") == "events/event":
                self.mirror.fold(message["params"]["result"])
                self.report()

    async def obey(self):
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := await lines.readline():
            self.until = float(line)
            self.may_read.set()
            self.report()


async def main():
    # The library pings, and gives up when a pong is late; while nobody reads, the pong waits behind the events.
    async with unix_connect(sys.argv[1], uri="ws://localhost/", ping_timeout=None) as websocket:
        reader = Reader(websocket)
        client = {"name": "lagging.py", "version": "1"}
        frontend = {"kind": "test", "human": False}
        await reader.send(1, "initialize", {"client": client, "roles": ["frontend"], "protocol": 1, "frontend": frontend})
        await reader.send(2, "events/subscribe", {})
        tasks = {asyncio.create_task(reader.listen()), asyncio.create_task(reader.obey())}
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        done.pop().result()


asyncio.run(main())
