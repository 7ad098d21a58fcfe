"""What the report says of honest and of crooked houses: `python -m tests.long.reports`.

A line a house: the verdict on the page, and which sections ask or fail. Crooked ones are those of tests/long/house.py.
A line that does not say what it should ends with FAULT, and the command with 1.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from audit_cli.report.blocks import ATTENTION_LEVEL, LEVEL
from audit_cli.report.luck.tails import above
from audit_cli.report.run import ReportResult, make
from fairshoe.ceremony.acting.phase import phase
from fairshoe.ceremony.acting.shoes import current_order
from fairshoe.engine.moves import Ask
from fairshoe.engine.round import Round
from fairshoe.engine.rules import RULES
from fairshoe.engine.strategies import bicycle
from fairshoe.engine.table import Bet
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from tests.long.crooked.play import Play
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


def level(logs: int) -> Iterator[Line]:
    """So many small honest logs, of a game each in turn: how many are asked about their numbers, or to be looked at,
    beside the level that the report states."""
    asked: Counter[str] = Counter()
    looked: Counter[str] = Counter()
    for number in range(logs):
        game, strategy = sorted(RULES)[number % len(RULES)], ("random", "mimic")[number // len(RULES) % 2]
        with tempfile.TemporaryDirectory() as folder:
            key = hashlib.sha256(f"level {number}".encode()).digest()
            made = reported(simulated(Path(folder) / "log", [game], rounds=200, key=key, strategy=strategy))
        for status, counts in (("question", asked), ("look", looked)):
            names = [section.name for section in made.sections[1:] if section.status == status]
            counts.update([*names, *(["logs"] if names else [])])
    for called, counts, share in (("asked", asked, LEVEL), ("look at this", looked, 2 * ATTENTION_LEVEL)):
        many = counts.pop("logs", 0)
        text = f"{logs:,} honest logs: {called} {many}, by the level at most {logs * share:g}  {dict(counts)}"
        yield Line(text, above((many - logs * share) / sqrt(logs * share)) > ATTENTION_LEVEL)


class Grinds(Play):
    """A house that knows every seed and cut before it commits: of so many `keys` it takes the one whose whole shoe, as
    it will be dealt after the cut, is best for it."""

    sitting = ("h1", "h2")
    keys_of_each = 20

    def __init__(self, rounds: int) -> None:
        self.best = b""
        super().__init__(rounds)

    def fresh_key(self) -> bytes:
        return self.best

    def ask_shoe(self) -> None:
        made = [hashlib.sha256(f"key {self.shoes} {choice}".encode()).digest() for choice in range(self.keys_of_each)]
        self.best = max(made, key=self.worth)
        super().ask_shoe()

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        """The players play well, and the house counts on it."""
        return self.said(round, bicycle(round, ask))

    def worth(self, key: bytes) -> int:
        """What the house would win of the shoe."""
        other = self.fork()
        other.fresh_key = lambda: key  # type: ignore[method-assign]
        other.ask_shoe()
        while phase(other.state) != "bet":
            other.step()
        shoe = other.state.shoe
        if shoe is None:
            raise RuntimeError("no shoe")
        sealed = current_order(other.state, shoe, key)
        draws = {name: sealed.number(name) for name in sealed.draws}
        bets = [Bet(seat, self.unit, seat) for seat in self.seats()]
        won, position, worn = 0, shoe.position, False
        while not worn:
            round = other.dealt(bets, position, bicycle)
            won, position = won + other.wins(round), position + len(round.cards)
            worn = self.state.rules.is_worn_out(position, round.present, draws)
        return won


def told(name: str, made: ReportResult, wanted: set[str]) -> Line:
    """`wanted`: one of these sections has to ask; none at all where it is empty."""
    asking = {section.name for section in made.sections[1:] if section.status in ("question", "bad")}
    holds = bool(asking & wanted) if wanted else not asking
    return Line(f"{name:20} {made.says}  [{', '.join(sorted(asking)) or 'nothing asked'}]", holds)


def reported(log: Path) -> ReportResult:
    return make(log, key=(log / "log.vkey").read_text())


def honest(rounds: int) -> Iterator[Line]:
    """All six games, with everything that happens at tables."""
    for number in range(5):
        with tempfile.TemporaryDirectory() as folder:
            log = simulated(Path(folder) / "log", rounds=rounds, key=bytes([number]) * 32)
            yield told(f"honest {number}", reported(log), set())


def grinds(rounds: int) -> Iterator[Line]:
    """The best of twenty keys, and of two in five times as many rounds."""
    for keys, times in ((20, 1), (2, 5)):
        Grinds.keys_of_each = keys
        with tempfile.TemporaryDirectory() as folder:
            write_log(Path(folder), map(encode, Grinds(times * rounds).play().log), SIGNER)
            made = make(Path(folder), key=str(SIGNER.verifier))
            highest = max(each["z"] for each in next(each for each in made.sections if each.name == "luck").data)
            line = told(f"best of {keys}", made, {"luck"})
            yield line._replace(text=f"{line.text} {times * rounds:,} rounds, z {highest:.1f}")


def crooked(rounds: int) -> Iterator[Line]:
    """The houses that pass an audit."""
    for name, wanted in SEEN_BY.items():
        with tempfile.TemporaryDirectory() as folder:
            write_log(Path(folder), map(encode, TRICKS[name](rounds).play().log), SIGNER)
            yield told(name, make(Path(folder), key=str(SIGNER.verifier)), wanted)


PARTS = {"honest": honest, "level": level, "grinds": grinds, "crooked": crooked}
ROUNDS = {"honest": 3_000, "level": 1_000, "grinds": 1_000, "crooked": 1_000}


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
