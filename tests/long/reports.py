"""What the report says of honest and of crooked houses: `python -m tests.long.reports`.

A line a house: the verdict on the page, and which sections ask or fail. `grinds`: a house that picks the best of fifty
keys for each shoe, since it knows the seeds; the others are those of tests/long/house.py. A line that does not say what
it should ends with FAULT, and the command with 1.
"""

from __future__ import annotations

import argparse
import hmac
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from audit_cli.luck.reference import game_of, reference
from audit_cli.report.making import Made, make
from fairshoe.cards import named_deck
from fairshoe.log.canonical import encode
from fairshoe.log.directory import write_log
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.shoe import Sealed
from fairshoe.protocol.transcript import Seed, Transcript
from fairshoe.simulate.seating import Seating
from tests.long.house import SIGNER, TRICKS
from tests.simulated import simulated

KEYS = 50
SEEN_BY: dict[str, set[str]] = {
    "reveal-left": {"luck"},
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


def grinds(rounds: int) -> Iterator[Line]:
    """At one seat and at three, shoes of one round."""
    for game, seats in (("banker", 1), ("boxes", 3)):
        with grinding(), tempfile.TemporaryDirectory() as folder:
            log = simulated(Path(folder) / "log", [game], rounds=rounds, seats=seats, careless=0.0)
            yield told(f"grinds {game} {seats}", reported(log), {"luck"})


def crooked(rounds: int) -> Iterator[Line]:
    """The houses that pass an audit."""
    for name, wanted in SEEN_BY.items():
        with tempfile.TemporaryDirectory() as folder:
            write_log(Path(folder), map(encode, TRICKS[name](rounds).play().log), SIGNER)
            yield told(name, make(Path(folder), key=str(SIGNER.verifier)), wanted)


@contextmanager
def grinding() -> Iterator[None]:
    """The simulated house knows every seed, and takes of so many keys the one that is best for it."""
    honest_secret = Seating.secret

    def secret(self: Seating, name: str) -> bytes:
        made = honest_secret(self, name)
        if not name.startswith("key "):
            return made
        shoe, book = name.removeprefix("key "), self.book
        players = [book.chairs[chair].player for chair in sorted(book.chairs)]
        seeds = tuple(Seed(who, honest_secret(self, f"seed {shoe} {who}")) for who in players)
        keys = [hmac.digest(made, bytes([number]), "sha256") for number in range(KEYS)]
        return min(keys, key=lambda key: won(self, shoe, key, seeds))

    Seating.secret = secret  # type: ignore[method-assign]
    try:
        yield
    finally:
        Seating.secret = honest_secret  # type: ignore[method-assign]


def won(seating: Seating, shoe: str, key: bytes, seeds: tuple[Seed, ...]) -> int:
    """What the players would win by the reference strategy."""
    deck = named_deck(seating.rules.deck)
    transcript = Transcript(shoe, len(deck), deck.hash, commitment_of(key), seeds)
    order = Sealed(key, transcript, deck).order()
    played = reference(game_of(seating.rules)).play(order, 0, len(seeds))
    return sum(played.nets)


PARTS = {"honest": honest, "grinds": grinds, "crooked": crooked}
ROUNDS = {"honest": 3_000, "grinds": 300, "crooked": 1_000}


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
