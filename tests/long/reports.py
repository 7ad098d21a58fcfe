"""What the report says of honest and of crooked houses: `python -m tests.long.reports`.

A line a house: the verdict on the page, and which sections ask or fail. Crooked ones are those of tests/long/house.py.
A line that does not say what it should ends with FAULT, and the command with 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from audit_cli.report.making import Made, make
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests.long.house import SIGNER, TRICKS
from tests.simulated import simulated

SEEN_BY: dict[str, set[str]] = {
    "no-bet-heard": {"luck"},
    "stopped": {"luck"},
    "late-bets": {"luck"},
    "last-seed-unheard": {"luck", "behaviour"},
    "seat-steers": {"busts"},
    "purse-toggled": {"luck"},
    "seats-leave": {"luck"},
    "quiet-seats": {"busts"},
    "quiet-bets": {"behaviour"},
}
"""The tricks of tests/long/house.py that pass an audit, and the sections of which one has to ask."""


class Line(NamedTuple):
    text: str
    holds: bool

    def __str__(self) -> str:
        return self.text + ("" if self.holds else "  FAULT")


def told(name: str, made: Made, wanted: set[str]) -> Line:
    """`wanted`: one of these sections has to ask; none at all where it is empty."""
    asking = {section.name for section in made.sections[1:] if section.status in ("question", "bad")}
    holds = bool(asking & wanted) if wanted else not asking
    return Line(f"{name:20} {made.says}  [{', '.join(sorted(asking)) or 'nothing asked'}]", holds)


def reported(log: Path) -> Made:
    return make(log, key=(log / "log.vkey").read_text())


def honest(rounds: int) -> Iterator[Line]:
    """All six games, with everything that happens at tables."""
    for number in range(5):
        with tempfile.TemporaryDirectory() as folder:
            log = simulated(Path(folder) / "log", rounds=rounds, key=bytes([number]) * 32)
            yield told(f"honest {number}", reported(log), set())


def crooked(rounds: int) -> Iterator[Line]:
    """The houses that pass an audit."""
    for name, wanted in SEEN_BY.items():
        with tempfile.TemporaryDirectory() as folder:
            write_log(Path(folder), map(encode, TRICKS[name](rounds).play().log), SIGNER)
            yield told(name, make(Path(folder), key=str(SIGNER.verifier)), wanted)


PARTS = {"honest": honest, "crooked": crooked}
ROUNDS = {"honest": 3_000, "crooked": 1_000}


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.reports", description=__doc__)
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(PARTS))
    args = parser.parse_args(words)
    if unknown := set(args.what) - set(PARTS):
        parser.error(f"nothing called {', '.join(sorted(unknown))}")
    faults = 0
    for what in args.what or PARTS:
        for line in PARTS[what](ROUNDS[what]):
            faults += not line.holds
            print(line, flush=True)
    print(f"{faults} lines do not say what they should")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
