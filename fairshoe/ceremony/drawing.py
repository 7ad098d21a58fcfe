"""Rules for drawing from a sealed shoe without a table, and for showing its hidden cards. The service asks before it
writes `drawn` and `shown`, the auditor when it reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..log.canonical import Entry
from ..log.times import SECOND, microseconds
from .book import Shoe
from .fold import run_of


class DrawFault(NamedTuple):
    """A wrong field of an entry: its name, what is expected there, what stands there."""

    field: str
    expected: Any
    found: Any


def faults_of_drawn(shoe: Shoe, entry: Entry) -> Iterator[DrawFault]:
    """Yield what is wrong with a `drawn` entry of a sealed shoe whose cards are told, but for what only its key shows.

    Field "" stands for the whole entry: the shoe is too old to be drawn from.
    """
    told, run, numbers = shoe.told_cards, run_of(entry), entry.get("draws", {})
    if told is None:
        return
    is_old = microseconds(entry["at"]) >= microseconds(shoe.sealed) + shoe.policy.shoe * SECOND
    if is_old and shoe.placer is None:  # with a placer the draw may have waited: then it is late
        yield DrawFault("", "a reveal: the shoe is too old", shoe.id)
    if run.pos != shoe.position:
        yield DrawFault("pos", shoe.position, run.pos)
    elif run.pos + run.size > shoe.cards:
        field = "hidden" if "hidden" in entry else "cards"
        yield DrawFault(field, f"at most {shoe.cards - run.pos} cards", run.size)
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


def faults_of_shown(shoe: Shoe, entry: Entry) -> Iterator[DrawFault]:
    """Yield the positions of a `shown` entry at which no hidden card lies that has still to be shown."""
    told = shoe.told_cards
    if told is None:
        return
    for text, label in entry["cards"].items():
        if told.hidden_at(int(text)) is None:
            yield DrawFault(f"cards.{text}", "the position of a hidden card", label)
        elif int(text) in told.shown:
            yield DrawFault(f"cards.{text}", "a card that was not shown before", label)
