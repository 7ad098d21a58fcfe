"""A house with a long history: its start, and the first proof that anybody asks of it."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from urllib.request import urlopen

from fairshoe.service.house import open_house
from fairshoe.service.store.journal import read_head, read_lines
from tests.load.measures import processor
from tests.load.players import Taken, seated
from tests.long.serving import Serving

AT_ONCE = 10_000


def started(serving: Serving, token: str, shoes: int, rules: str) -> None:
    """Kill it with so many live shoes, and start it again."""

    async def live() -> None:
        await seated([serving.address], token, shoes, Taken(), rules)

    asyncio.run(live())
    serving.end()
    print(f"start with {shoes} live shoes: {_begun(serving)}", flush=True)


def first_proof(serving: Serving, data: Path, token: str, entries: int, rules: str) -> None:
    """Have so many entries of rounds in its log of which no index knows, and ask for proofs of one before them."""

    async def played() -> str:
        (player,) = await seated([serving.address], token, 1, Taken(), rules)
        while player.state["last"] is None:
            await player.act()
        return player.table

    table = asyncio.run(played())
    serving.end()
    _lengthen(data, entries)
    print(f"start with {entries} entries: {_begun(serving)}", flush=True)
    assert serving.process is not None
    for name in ("first", "next"):
        before, began = processor([serving.process.pid]), time.monotonic()
        with urlopen(f"{serving.address}/v1/rounds/{table}%231/proof") as answer:
            size = len(answer.read())
        took, worked = time.monotonic() - began, processor([serving.process.pid]) - before
        print(f"{name} proof ({size} bytes): {took:.2f} s, {worked:.2f} s of the processor", flush=True)


def _begun(serving: Serving) -> str:
    began = time.monotonic()
    serving.begin()
    assert serving.process is not None
    return f"{time.monotonic() - began:.2f} s, {processor([serving.process.pid]):.2f} s of the processor"


def _lengthen(data: Path, entries: int) -> None:
    """Append the last round again and again, as of other tables' shoes."""
    house = open_house(data)
    with house.database.begin_read() as connection:
        size = read_head(connection).tree.size
        line = next(line for line in reversed(read_lines(connection, 0, size)) if json.loads(line)["kind"] == "round")
    shoe = json.dumps(json.loads(line)["shoe"]).encode()
    now = house.sequencer.transactions.clock.present
    for first in range(0, entries, AT_ONCE):
        with house.database.begin_write() as connection:
            numbers = range(first, min(first + AT_ONCE, entries))
            lines = [line.replace(shoe, b'"other-%d/1"' % (number // 100)) for number in numbers]
            end = read_head(connection, hold=True)
            end.append(lines, now)
            end.write(connection)
    house.close()
