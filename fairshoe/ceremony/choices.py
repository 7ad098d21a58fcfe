"""What a house, or a seat that works with it, may still have chosen: counted, never judged. See docs/choices.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..engine.moves import TABLE
from ..log.times import SECOND, microseconds
from .book import Book, Shoe, has_seed

Counted = tuple[str, str | None, int]
"""What was chosen, the player concerned, how often."""


class Choices:
    """Counts by log, table and player."""

    def __init__(self) -> None:
        self.log: Counter[str] = Counter()
        self.tables: dict[str, Counter[str]] = {}
        self.players: dict[str, dict[str, Counter[str]]] = {}

    def add(self, table: str | None, counted: Iterator[Counted]) -> None:
        for name, player, times in counted:
            self.log[name] += times
            if table is not None:
                if table not in self.tables:
                    self.tables[table] = Counter()
                self.tables[table][name] += times
                if player is not None:
                    players = self.players.setdefault(table, {})
                    if player not in players:
                        players[player] = Counter()
                    players[player][name] += times

    def count(self, other: Choices) -> None:
        """Add the counts of other entries."""
        self.log.update(other.log)
        for table, counts in other.tables.items():
            self.tables.setdefault(table, Counter()).update(counts)
        for table, players in other.players.items():
            for player, counts in players.items():
                self.players.setdefault(table, {}).setdefault(player, Counter()).update(counts)

    def as_json(self) -> dict[str, Any]:
        """Three objects of counts, sorted by name: of the log, by table, by table and player."""
        return {
            "log": _sorted(self.log),
            "tables": {table: _sorted(self.tables[table]) for table in sorted(self.tables)},
            "players": {
                table: {player: _sorted(players[player]) for player in sorted(players)}
                for table, players in sorted(self.players.items())
            },
        }


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def counted(book: Book | None, shoe: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    """What an entry shows to have been chosen, given the book before it."""
    count = COUNTERS.get(entry["kind"])
    if count is not None:
        yield from count(book, shoe, entry)


def starts(in_play: bool) -> Iterator[Counted]:
    """A `start` entry; `in_play`: whether any shoe was, whose limits begin anew by it."""
    yield "start", None, 1
    if in_play:
        yield "start while a shoe was in play", None, 1


def _chips(_: Book | None, __: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    if "by" in entry:
        yield "put out by the house", entry["player"], 1


def _shoe(book: Book | None, _: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    if len(entry["roster"]) == 1:
        yield "sole contributor", entry["roster"][0], 1
    if book is not None:
        for seat in entry.get("away", ()):
            yield "left out as away", book.table.players.get(seat), 1


def _seeds(_: Book | None, shoe: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    for player in shoe.roster if shoe is not None else ():
        if player not in entry["hashes"]:
            yield "hash not heard", player, 1


def _seal(_: Book | None, shoe: Shoe | None, __: Mapping[str, Any]) -> Iterator[Counted]:
    """Sealed without any seed, as a shoe without a table may be: nobody of the roster was heard."""
    for player in shoe.roster if shoe is not None and not shoe.hashed and not shoe.alone else ():
        yield "hash not heard", player, 1


def _open(book: Book | None, _: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    players = {} if book is None else book.table.players
    for name, field in (("waiver", "waived"), ("pass", "passed"), ("late bet", "late")):
        for seat in entry.get(field, ()):
            yield name, players.get(seat), 1
    for bet in entry.get("uncovered", ()):
        yield "bet without cover", players.get(bet["seat"]), 1


def _decisions(book: Book | None, shoe: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    players = {} if book is None else book.table.players
    for decision in entry.get("decisions", ()):
        if decision.get("by") == TABLE:
            yield "decision by the table", players.get(decision["seat"]), 1
        elif book is not None and decision["seat"] == book.table.bank:
            yield "decision of the bank", players.get(decision["seat"]), 1
    if book is not None and shoe is not None and _banks_without_seed(book, shoe):
        yield "banked without a seed", players.get(book.table.bank), 1


def busts(book: Book, seats: Iterable[int]) -> Iterator[Counted]:
    """The seats of a round's hands that went bust."""
    for seat in seats:
        yield "bust", book.table.players.get(seat), 1


def _banks_without_seed(book: Book, shoe: Shoe) -> bool:
    bank = book.table.bank
    return bank in book.chairs and not has_seed(book, shoe, bank)


def _lapse(_: Book | None, __: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    yield "lapse", entry["player"], 1


def _late(book: Book | None, _: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    yield "seed handed in late", entry["player"], 1
    if book is not None and entry["player"] in book.debts:
        yield from _overdue(book, entry["player"], entry["at"])


def _void(_: Book | None, __: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    yield f"void: {entry['why']}", entry.get("by"), 1


def _reveal(book: Book | None, shoe: Shoe | None, entry: Mapping[str, Any]) -> Iterator[Counted]:
    if entry["why"] != "worn":
        yield f"ended before it was worn: {entry['why']}", None, 1
        if book is not None and shoe is not None:
            yield "cards left in shoes ended before they were worn", None, max(0, shoe.present - shoe.position)


def _close(book: Book | None, _: Shoe | None, __: Mapping[str, Any]) -> Iterator[Counted]:
    if book is not None and any(shoe.sealed for shoe in book.live):
        yield "closed after a seal", None, 1


def _overdue(book: Book, player: str, at: str) -> Iterator[Counted]:
    debt = book.debts[player]
    if not debt.paid and microseconds(at) > microseconds(debt.at) + book.policy.shoe * SECOND:
        yield "seed not handed in by the shoe's age", player, 1


def still_owed(book: Book, at: str) -> Iterator[Counted]:
    """The seeds that nobody has handed in by the log's end."""
    for player in book.debts:
        yield from _overdue(book, player, at)


COUNTERS = {
    "chips": _chips,
    "shoe": _shoe,
    "seeds": _seeds,
    "seal": _seal,
    "open": _open,
    "round": _decisions,
    "bank": _decisions,
    "lapse": _lapse,
    "late": _late,
    "void": _void,
    "reveal": _reveal,
    "close": _close,
}
