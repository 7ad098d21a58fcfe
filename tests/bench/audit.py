"""Rounds audited a second, each game with the fewest seats and with a full table, to a floor that does not depend on
our format.

The floor reads, parses and leaf-hashes one 300-byte line a round with the standard library: an event
record such as any service writes.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from audit_cli.verify.run import verify
from fairshoe.engine.rules import rules_of
from fairshoe.protocol import kernel, pure
from tests.house import honest

from .ratios import Ratio, ratios
from .shuffle import in_python

ROUNDS = 2_000
"""Of a table with few seats; with more seats fewer."""
REPEATS = 7
GAMES = ("casino", "banker", "boxes", "chinese", "lounge", "pontoon")
FULL = {"casino": 7, "boxes": 7, "chinese": 10, "lounge": 7, "pontoon": 7}
EVENT = {
    "time": "2026-01-01T00:00:00.000Z",
    "level": "info",
    "service": "orders",
    "id": 184467,
    "user": {"id": 90210, "name": "somebody", "country": "CH"},
    "items": [{"sku": "A-1000", "count": 2, "cents": 1999}, {"sku": "B-2000", "count": 1, "cents": 4950}],
    "total": 8948,
    "paid": True,
    "note": "",
}


def floor_line() -> bytes:
    """One line of 300 bytes with its LF."""
    empty = json.dumps(EVENT, separators=(",", ":"))
    return json.dumps(EVENT | {"note": "n" * (299 - len(empty))}, separators=(",", ":")).encode() + b"\n"


def floor(path: Path) -> None:
    with open(path, "rb") as stream:
        for line in stream:
            json.loads(line)
            hashlib.sha256(b"\x00" + line).digest()


@contextmanager
def honest_log(game: str, seats: Sequence[int], rounds: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        log = Path(name)
        honest(game, rounds, seats=seats, chips=10_000_000).write(log)
        yield log


def run() -> None:
    print(f"{kernel.RUNS}; a floor is one line of 300 bytes a round, read, parsed, leaf-hashed")
    print("| game | seats | bytes a round | entries a round | rounds a second | floors | without the kernel | casino |")
    print("|---|---|---|---|---|---|---|---|")
    casino = 0.0
    for game in GAMES:
        ratio = row(game, range(1, rules_of(game).players_needed + 1), ROUNDS, casino)
        casino = casino or ratio.median
    for game, count in FULL.items():
        row(game, range(1, count + 1), ROUNDS // count, casino)


def row(game: str, seats: Sequence[int], rounds: int, casino: float) -> Ratio:
    """Audit one log; `casino`: the floors that a round of one-seat casino costs, so far as they are known."""
    with honest_log(game, seats, rounds) as log:
        report = verify(log)
        if report.failed:
            raise SystemExit(f"the log of {game} does not pass the audit")
        lines = log / "floor"
        lines.write_bytes(floor_line() * report.rounds)
        works = {"floor": partial(floor, lines), "audit": partial(verify, log)}
        if kernel.order is not pure.order:
            works["pure"] = partial(in_python, works["audit"])
        found = ratios("floor", works, REPEATS)
        size = (log / "log.jsonl").stat().st_size
    audit = found["audit"]
    print(
        f"| {game} | {len(seats)} | {size / report.rounds:.0f} | {report.log.size / report.rounds:.2f} "
        f"| {report.rounds / audit.seconds:,.0f} | {audit} | {found.get('pure', audit)} "
        f"| {(casino or audit.median) / audit.median:.2f} |"
    )
    return audit
