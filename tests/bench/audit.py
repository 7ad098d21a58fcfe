"""Rounds audited a second, to a floor that does not depend on our format.

The floor reads, parses and leaf-hashes one 300-byte line a round with the standard library.
"""

from __future__ import annotations

import cProfile
import hashlib
import json
import pstats
import tempfile
from pathlib import Path

from audit_cli.verify import verify
from tests.house import SIGNER, honest

ROUNDS = 10_000


def floor_file(path: Path, rounds: int) -> None:
    body = {"at": "2026-01-01T00:00:00.000Z", "n": 0, "cards": ["Ac", "Td", "9h", "5s", "Kd"], "name": "x" * 100}
    body |= {"hands": [{"bet": 10, "cards": [0, 2, 4], "net": 10, "seat": 1, "total": 19}], "text": ""}
    body["text"] = "y" * (300 - len(json.dumps(body, separators=(",", ":"))))
    line = json.dumps(body, separators=(",", ":"))
    path.write_text((line + "\n") * rounds)


def floor(path: Path) -> None:
    with open(path, "rb") as stream:
        for line in stream:
            json.loads(line)
            hashlib.sha256(b"\x00" + line).digest()


def run() -> None:
    with tempfile.TemporaryDirectory() as name:
        log, lines = Path(name) / "log", Path(name) / "floor.jsonl"
        honest("casino", ROUNDS, seats=(1,), chips=10_000_000).write(log)
        report = verify(log)
        if report.failed:
            raise SystemExit("the benchmark's log does not pass the audit")
        floor_file(lines, report.rounds)

        from .timing import compared

        a, b, ratio = compared(lambda: verify(log), lambda: floor(lines), repeats=5)
        size = (log / "log.jsonl").stat().st_size
        print(
            f"audit, one-seat casino: {report.rounds / a:9,.0f} rounds/s ({size / report.rounds:.0f} bytes and "
            f"{report.entries / report.rounds:.2f} entries a round), floor {report.rounds / b:9,.0f}/s: "
            f"{ratio:.2f} times its time"
        )


def profile() -> None:
    """Where an audit's time goes."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name)
        honest("casino", ROUNDS, seats=(1,), chips=10_000_000).write(log)
        watch = cProfile.Profile()
        watch.runcall(verify, log)
        pstats.Stats(watch).sort_stats("tottime").print_stats(25)


__all__ = ["SIGNER", "profile", "run"]
