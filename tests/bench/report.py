"""What a report costs beside the audit in it, of a log of all six games; and the page's size."""

from __future__ import annotations

import tempfile
from pathlib import Path

from audit_cli.report.blocks import PROFILES
from audit_cli.report.making import Numbers, make
from audit_cli.verify import verify
from tests.simulated import simulated

from .timing import compared

ROUNDS = 6_000


def run(rounds: int = ROUNDS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = simulated(Path(folder) / "log", rounds=rounds)
        made = make(log, PROFILES["99"])
        a, b, ratio = compared(lambda: verify(log, watch=Numbers()), lambda: verify(log), repeats=5)
        print(
            f"report: {rounds:,} rounds of six games counted and audited in {a:.2f} s, audited in {b:.2f} s: "
            f"{ratio:.2f} times its time; the page has {len(made.html().encode()) / 1000:.0f} kB"
        )
