"""Rounds audited a second, to a floor that does not depend on our format.

The floor reads, parses and leaf-hashes one 300-byte line a round with the standard library: an event
record such as any service writes.
"""

from __future__ import annotations

import cProfile
import hashlib
import json
import pstats
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from audit_cli.verify import verify
from tests.house import honest

from .timing import compared

ROUNDS = 10_000
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
def honest_log() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        log = Path(name)
        honest("casino", ROUNDS, seats=(1,), chips=10_000_000).write(log)
        yield log


def run() -> None:
    with honest_log() as log:
        report = verify(log)
        if report.failed:
            raise SystemExit("the benchmark's log does not pass the audit")
        lines = log / "floor"
        lines.write_bytes(floor_line() * report.rounds)
        a, b, ratio = compared(lambda: verify(log), lambda: floor(lines), repeats=5)
        size = (log / "log.jsonl").stat().st_size
        print(
            f"audit, one-seat casino: {report.rounds / a:9,.0f} rounds/s ({size / report.rounds:.0f} bytes in "
            f"{report.log.size / report.rounds:.2f} entries a round), floor {report.rounds / b:9,.0f}/s: "
            f"{ratio:.2f} times its time"
        )


def profile() -> None:
    """Where an audit's time goes."""
    with honest_log() as log:
        watch = cProfile.Profile()
        watch.runcall(verify, log)
        pstats.Stats(watch).sort_stats("tottime").print_stats(25)
