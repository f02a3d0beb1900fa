"""Asks one question through askd from Python and prints what the person chose.

    pip install websockets && python3 ask.py

docs/protocol.md explains every call. Exit status: 0 answered, 3 cancelled, 7 no daemon.
"""

import asyncio
import itertools
import json
import os
import sys
import tempfile
from pathlib import Path

from websockets.asyncio.client import unix_connect

FORM = {
    "title": "Release",
    "questions": [
        {
            "id": "target",
            "label": "Target",
            "prompt": "Where should this go?",
            "options": [
                {"value": "staging", "label": "Staging", "description": "for the testers", "recommended": True},
                {"value": "production", "label": "Production"},
            ],
        }
    ],
}


def absolute(name):
    """The directory in an XDG variable; relative ones count as unset."""
    value = os.environ.get(name, "")
    return Path(value) if value.startswith("/") else None


STATE = (absolute("XDG_STATE_HOME") or Path.home() / ".local/state") / "askd"


def sockets():
    """Protocol §1: the usual path first, then the one that the running daemon has written down."""
    if os.environ.get("ASKD_SOCKET"):
        yield os.environ["ASKD_SOCKET"]
    else:
        runtime = absolute("XDG_RUNTIME_DIR")
        path = str(runtime / "askd/v1/askd.sock" if runtime else STATE / "run/v1/askd.sock")
        short = len(os.fsencode(path)) <= 103
        yield path if short else f"{tempfile.gettempdir()}/askd-{os.getuid()}/v1/askd.sock"
    try:
        yield json.loads((STATE / "daemon.lock").read_text())["socket"]
    except (OSError, ValueError, KeyError):
        return


async def connect():
    for path in sockets():
        try:
            return await unix_connect(path, uri="ws://localhost/", max_size=None)
        except OSError:
            continue
    print("no askd daemon is running; start one with `ask daemon`", file=sys.stderr)
    sys.exit(7)


async def main():
    websocket = await connect()
    ids = itertools.count(1)

    async def call(method, params):
        """One call at a time, so the next message is its answer."""
        await websocket.send(json.dumps({"jsonrpc": "2.0", "id": next(ids), "method": method, "params": params}))
        answer = json.loads(await websocket.recv())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    await call("initialize", {"client": {"name": "ask.py", "version": "1"}, "roles": ["agent"], "protocol": 1})
    origin = {"agent": "ask.py", "cwd": os.getcwd()}
    form_id = (await call("form/create", {"params": FORM, "origin": origin}))["formId"]

    # People take their time: each call waits up to four minutes, and is made again while the form is open.
    waited = {"state": "open"}
    while waited["state"] == "open":
        waited = await call("form/wait", {"formId": form_id, "timeoutMs": 240_000})
    await call("form/ack", {"formId": form_id})
    await websocket.close()

    print(waited["toolResult"]["content"][0]["text"])
    if waited["outcome"]["kind"] == "cancelled":
        return 3
    values = waited["outcome"]["answers"].get("target", {}).get("values", [])
    print("target=" + (values[0] if values else ""))
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
