"""Rules for drawing from a shoe without a table and showing its hidden cards, for service and auditor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..log.canonical import Entry
from ..log.times import SECOND, microseconds
from ..protocol.shoe import CUT, Sealed
from .book import Gather, Shoe
from .fold import run_of

MAX_POSITIONS = 100_000
"""Positions of one shoe, over all its orders."""


class DrawFault(NamedTuple):
    """A wrong field of an entry: its name, what is expected there, what stands there."""

    field: str
    expected: Any
    found: Any


def faults_of_drawn(shoe: Shoe, entry: Entry) -> Iterator[DrawFault]:
    """Yield what is wrong with a `drawn` entry, but for what only the key shows. Field "": the shoe is too old."""
    told, run, numbers = shoe.told_cards, run_of(entry), entry.get("draws", {})
    if told is None:
        return
    if shoe.placer is None and _is_old(shoe, entry):  # with a placer the draw may have waited: then it is late
        yield DrawFault("", "a reveal: the shoe is too old", shoe.id)
    if entry.get("gathered", 0) != len(told.gathers):
        yield DrawFault("gathered", len(told.gathers), entry.get("gathered", 0))
    if run.pos != shoe.position:
        yield DrawFault("pos", shoe.position, run.pos)
    elif run.pos + run.size > told.start + shoe.deck_size:
        field = "hidden" if "hidden" in entry else "cards"
        yield DrawFault(field, f"at most {told.start + shoe.deck_size - run.pos} cards", run.size)
    if "hidden" in entry and "cards" in entry:
        yield DrawFault("hidden", "cards in public or hidden ones, not both", run.size)
    if "hidden" not in entry and "cards" not in entry and not numbers:
        yield DrawFault("cards", "a card or a number", None)
    if "to" in entry and "hidden" not in entry:
        yield DrawFault("hidden", "a number of cards, since `to` has a player", None)
    if "to" in entry and run.to not in shoe.roster:
        yield DrawFault("to", shoe.roster, run.to)
    for name, value in numbers.items():
        below = shoe.draws.get(name)
        if below is None or not value < below:
            expected = sorted(shoe.draws) if below is None else f"a number below {below}"
            yield DrawFault(f"draws.{name}", expected, name if below is None else value)
        elif name in told.numbers:
            yield DrawFault(f"draws.{name}", "a number that was not told before", value)


def faults_of_gathered(shoe: Shoe, entry: Entry) -> Iterator[DrawFault]:
    """Yield what is wrong with a `gathered` entry, but for what only the key shows. Field "": the shoe is too old, or
    has a placer, to whom the new digest would tell which hidden cards stay out."""
    told, out = shoe.told_cards, entry.get("out", [])
    if told is None:
        return
    if shoe.placer is not None:
        yield DrawFault("", "a shoe without one: end this, and begin another", "a shoe with a placer is not reshuffled")
    elif _is_old(shoe, entry):
        yield DrawFault("", "a reveal: the shoe is too old", shoe.id)
    if entry["pos"] != shoe.position:
        yield DrawFault("pos", shoe.position, entry["pos"])
    lie = all(pos < shoe.position and told.lies_out(pos) for pos in out)
    if out != sorted(set(out)) or not lie:
        yield DrawFault("out", "positions of drawn cards that were not gathered since, in order", out[:8])
    elif not len(out) < shoe.cards:
        yield DrawFault("out", "a card that is gathered", len(out))
    elif entry["pos"] + shoe.cards - len(out) > MAX_POSITIONS:
        yield DrawFault("pos", f"at most {MAX_POSITIONS} positions: begin another shoe", entry["pos"])


def _is_old(shoe: Shoe, entry: Entry) -> bool:
    return microseconds(entry["at"]) >= microseconds(shoe.sealed) + shoe.policy.shoe * SECOND


def replay_gathers(sealed: Sealed, gathers: Sequence[Gather]) -> dict[int, int]:
    """Take a fresh order through its reshuffles; return deck indexes by position: of each order those drawn, of the
    last all."""
    found: dict[int, int] = {}
    start = 0
    for gather in gathers:
        found |= dict(enumerate(sealed.order_indexes()[: gather.pos - start], start))
        out = {found.get(pos) for pos in gather.out}
        sealed.reshuffle([index for index in range(len(sealed.deck)) if index not in out], cut=CUT in sealed.draws)
        start = gather.pos
    return found | dict(enumerate(sealed.order_indexes(), start))


def labels_at(sealed: Sealed, gathers: Sequence[Gather]) -> dict[int, str]:
    """Return the labels by position of a shoe without a table, whose order was just made, through its reshuffles."""
    if not gathers:
        return sealed.labels_at()
    return {pos: sealed.deck[index] for pos, index in replay_gathers(sealed, gathers).items()}


def faults_of_shown(shoe: Shoe, entry: Entry) -> Iterator[DrawFault]:
    """Yield the positions of a `shown` entry at which no hidden card lies that has still to be shown."""
    told = shoe.told_cards
    if told is None:
        return
    for text, label in entry["cards"].items():
        if told.hidden_at(int(text)) is None or not told.lies_out(int(text)):
            yield DrawFault(f"cards.{text}", "the position of a hidden card that was not gathered since", label)
        elif int(text) in told.shown:
            yield DrawFault(f"cards.{text}", "a card that was not shown before", label)
