"""What a log has in a player's name, where the player kept every receipt and has none of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from fairshoe.ceremony.book import Book
from fairshoe.ceremony.receipts import BET, CHIPS, DECISION, HASH, SEED, STANDS, WAIVER, bets_left
from fairshoe.engine.moves import SEAT
from fairshoe.log.canonical import Entry

from .verdict import Case

CUT = "cut"
OPS = ("buy-in", "cash-out", "transfer")
"""The moves of chips that a player asks for."""
Chair = tuple[str, int, str]
"""Table, seat, player."""
Mark = tuple[Any, ...]


class Act(NamedTuple):
    """What an entry says that a player did."""

    entry: int
    table: str
    seat: int
    player: str
    what: str

    @property
    def line(self) -> str:
        return f"entry {self.entry}: {self.table} seat {self.seat} {self.player}: {self.what}"


class Names:
    """Acts in the names of those whose file has all receipts of a chair, from the buy-in on: `found` are those without
    one. What the house does where a limit passes, and bets that the rules force, are nobody's acts."""

    def __init__(self, cases: Iterable[Case]) -> None:
        self.found: list[Act] = []
        self._begins: dict[Chair, int] = {}
        self._known: set[Mark] = set()
        self._offers: dict[Mark, list[dict[str, int]]] = {}
        seen: set[Chair] = set()
        for case in cases:
            form = case.form
            if case.receipt.refused:
                continue
            chair = form["table"], form["seat"], form["player"]
            if chair not in seen and form["do"] == CHIPS and form["op"] == "buy-in":
                self._begins[chair] = form["before"]
            seen.add(chair)
            self._known.add(_mark(chair, form))
            if CUT in form:
                self._known.add((chair, CUT, form["shoe"]))
            if form["do"] == BET and form["state"] != STANDS:
                self._offers[chair, form["shoe"], form["round"]] = form["bets"]

    def __bool__(self) -> bool:
        return bool(self._begins)

    def sits(self, chair: Chair, before: int) -> None:
        """Somebody sat there before the buy-in that is entry `before`: the file does not begin with the seat."""
        if self._begins.get(chair) == before:
            del self._begins[chair]

    def look(self, index: int, entry: Entry, book: Book) -> None:
        """An entry of a table, and the table after it."""
        chairs = {seat: (book.id, seat, player) for seat, player in book.table.players.items()}
        forced = book.rules.forced_bets(book.table, ()) is not None
        for chair, mark, what in _acts(index, entry, chairs, book, forced):
            known = (chair, *mark) in self._known
            if known and mark[0] == BET:
                known = self._is_offered(chair, entry)
            if self._begins.get(chair, index + 1) <= index and not known:
                self.found.append(Act(index, *chair, what))

    def _is_offered(self, chair: Chair, entry: Entry) -> bool:
        """Whether the bets of an `open` are those that were offered last."""
        seat, stand = chair[1], [*entry["bets"], *entry.get("uncovered", ())]
        own = sorted((bet for bet in stand if bet["seat"] == seat), key=lambda bet: bet.get("box", seat))
        return own == bets_left(self._offers[chair, entry["shoe"], entry["round"]], stand, seat)


def _mark(chair: Chair, form: Entry) -> Mark:
    """What an act and its receipt have in common."""
    do = form["do"]
    if do == CHIPS:
        return chair, do, form["before"]
    if do in (HASH, SEED, WAIVER):
        return chair, do, form["shoe"]
    if do == BET:
        return (chair, do, form["shoe"], form["round"]) if form["state"] != STANDS else (chair, STANDS)
    if do == DECISION:
        return chair, do, form["about"], form["round"], form["step"]
    return chair, do


def _acts(
    index: int, entry: Entry, chairs: dict[int, Chair], book: Book, forced: bool
) -> Iterator[tuple[Chair, Mark, str]]:
    kind, shoe = entry["kind"], entry.get("shoe")
    seats = {chair[2]: chair for chair in chairs.values()}
    if kind == "chips" and entry["op"] in OPS and "by" not in entry:
        leaves = " and leaves" if entry.get("leaves") else ""
        yield (book.id, entry["seat"], entry["player"]), (CHIPS, index), f"{entry['op']} {entry['amount']}{leaves}"
    elif kind == "seeds":
        for player in sorted(entry["hashes"].keys() & seats.keys()):
            yield seats[player], (HASH, shoe), f"hash, shoe {shoe}"
        yield from _cut(entry, seats, HASH)
    elif kind in ("opened", "late") and entry["player"] in seats:
        yield seats[entry["player"]], (SEED, shoe), f"seed, shoe {shoe}"
        yield from _cut(entry, seats, SEED)
    elif kind == "open":
        yield from _betting(entry, chairs, forced)
    elif kind in ("round", "bank"):
        number = entry["round"] if kind == "round" else book.rounds
        for step, made in enumerate(entry.get("decisions", ())):
            if made["seat"] in chairs and made.get("by", SEAT) == SEAT:
                mark = (DECISION, kind, number, step)
                yield chairs[made["seat"]], mark, f"decision {made['move']}, {kind} {number}, step {step}"


def _cut(entry: Entry, seats: dict[str, Chair], do: str) -> Iterator[tuple[Chair, Mark, str]]:
    """A cut comes with the hash, that of a sole contributor with the seed."""
    by = (entry.get("cut") or {}).get("by")
    if by in seats:
        yield seats[by], (CUT, entry["shoe"]), f"cut with the {do}, shoe {entry['shoe']}"


def _betting(entry: Entry, chairs: dict[int, Chair], forced: bool) -> Iterator[tuple[Chair, Mark, str]]:
    """Bets, passes and waivers; where the rules force the bets, only the waivers."""
    shoe, number = entry["shoe"], entry["round"]
    bets = {bet["seat"] for bet in [*entry["bets"], *entry.get("uncovered", ())]}
    for seat in () if forced else sorted(chairs.keys() & bets):
        yield chairs[seat], (BET, shoe, number), f"bet, round {number}"
    for seat in () if forced else sorted(chairs.keys() & set(entry.get("passed", ()))):
        yield chairs[seat], (BET, shoe, number), f"pass, round {number}"
    for seat in sorted(chairs.keys() & set(entry.get("waived", ()))):
        yield chairs[seat], (WAIVER, shoe), f"waiver, shoe {shoe}"
