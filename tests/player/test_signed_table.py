"""Who sits where and who opens next by a part of a log: the browser's core and the Python client say the same."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from fairshoe.client.openings import SignedTable

from ..verifier.node import node
from .test_honest import HERE, LIMIT

DATA = Path(__file__).parents[1] / "data"
NOT_SOUND = ("fails", "around", "before", "entry", "signed")
LOGS = sorted(path for path in DATA.glob("*/*/log.jsonl") if not path.parent.name.startswith(NOT_SOUND))
STARTS = 12
"""From so many entries on each table is followed."""


def parts_of(path):
    """Lists of a table's entries: its `table` and all from some entry on."""
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    for opened in (each for each in entries if each.get("kind") == "table"):
        name = opened["table"]
        own = [each for each in entries if about(each, name) and each is not opened]
        for start in range(0, len(own), max(1, len(own) // STARTS)):
            yield [opened, *own[start:]]


def about(entry, name):
    return entry.get("table") == name or entry.get("shoe", "").rpartition("/")[0] == name


def trace(opened, *entries):
    table = SignedTable(opened)
    for entry in entries:
        table.take(entry)
        book, shoe = table.book, table.book.shoe
        sitting = [[seat, chair.player, chair.order_time] for seat, chair in sorted(book.chairs.items())]
        ceremony = shoe and [
            shoe.id,
            table.commitments[shoe.id],
            shoe.alone,
            shoe.is_opening,
            bool(shoe.sealed),
            sorted(shoe.struck),
            sorted(shoe.opened),
            table.waits_for(shoe),
        ]
        bets = book.open_round and [book.open_round.number, table.bets]
        yield [sitting, sorted(table.newcomers), sorted(table.ended_shoes), bets, ceremony]


def test_both_follow_a_signed_table_alike():
    parts = [part for path in LOGS for part in parts_of(path)]
    assert len(parts) > 50
    told = "".join(f"{json.dumps(part)}\n" for part in parts)
    command = [node(), str(HERE / "signed.mjs")]
    done = subprocess.run(command, input=told, capture_output=True, text=True, timeout=LIMIT, check=True)
    opened = 0
    for part, line in zip(parts, done.stdout.splitlines(), strict=True):
        for entry, found, expected in zip(part[1:], json.loads(line), trace(*part), strict=True):
            assert found == json.loads(json.dumps(expected)), entry
            opened += bool(expected[4] and expected[4][-1])
    assert opened > 100, "seeds were waited for"
