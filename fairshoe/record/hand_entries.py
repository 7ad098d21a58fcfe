"""Which entries of a log one hand needs, so that they can be proved without the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..errors import InputError
from ..log.canonical import Entry, NotCanonical, parse
from .forms import account_of, table_of

Line = tuple[int, bytes]
"""An entry's number in the log and its bytes."""
ENDS = ("reveal", "void", "lost")


class Sitting(NamedTuple):
    """Who sits in a chair since which entry."""

    player: str
    line: Line


@dataclass
class _Shoe:
    """A shoe in play. `before`: who sat where at its commitment. `hashed`: contributors who have still to open. `left`:
    who left a chair since, of those who are not in the roster."""

    line: Line
    entry: Entry
    before: dict[int, Sitting]
    steps: list[Line] = field(default_factory=list)
    hashed: set[str] = field(default_factory=set)
    left: dict[str, Line] = field(default_factory=dict)
    sealed: bool = False
    open: list[Line] = field(default_factory=list)
    number: int = 0
    rounds: list[Line] = field(default_factory=list)
    seats: list[Line] = field(default_factory=list)
    wanted: bool = False


class HandEntries:
    """Takes the entries of a log in order, or those about one table, and keeps what round `number` there needs.

    Those are: `table`; `shoe`, `seeds`, each `opened` and `lapse`, `seal` of its shoe; its own `open`, `reshuffle`s and
    `round`; of the rounds before it in the same shoe those that were reshuffled, since the order depends on them; the
    shoe's `reveal`, or the `void` or `lost` in its place; and of `chips` those that say who sits where, as far as
    the roster does not.
    """

    def __init__(self, table: str, number: int) -> None:
        self.table = table
        self.number = number
        self.done = False
        self._opened: Line | None = None
        self._chairs: dict[int, Sitting] = {}
        self._shoes: dict[str, _Shoe] = {}
        self._marks = (f'"shoe":"{table}/'.encode(), f'"table":"{table}"'.encode())

    def take(self, index: int, line: bytes) -> None:
        """The entry number `index`. What cannot be read as an entry is passed over."""
        if self.done or not any(mark in line for mark in self._marks):
            return
        try:
            self._take((index, line), parse(line))
        except (NotCanonical, KeyError, TypeError, AttributeError, InputError):
            return

    def _take(self, line: Line, entry: Entry) -> None:
        kind = entry["kind"]
        if kind == "table" and entry["table"] == self.table and self._opened is None:
            self._opened = line
        elif kind == "chips" and entry["table"] == self.table:
            self._chips(line, entry)
        elif "shoe" in entry and table_of(entry["shoe"])[0] == self.table:
            self._of_shoe(line, entry, kind)

    def _chips(self, line: Line, entry: Entry) -> None:
        """Of the entries that a hand needs this says the same as of all: what it goes by is among them, or matters to
        none of them."""
        seat, player = entry["seat"], entry["player"]
        sitting = self._chairs.get(seat)
        if takes_chair(entry) and (sitting is None or sitting.player != player):
            self._chairs[seat] = Sitting(player, line)
        elif entry.get("leaves") is True:
            self._chairs.pop(seat, None)
            for shoe in self._shoes.values():
                if player in shoe.hashed and not shoe.sealed and not shoe.open:
                    shoe.hashed.discard(player)
                    shoe.seats.append(line)
                elif player not in shoe.entry["roster"]:
                    shoe.left[player] = line

    def _of_shoe(self, line: Line, entry: Entry, kind: str) -> None:
        name = entry["shoe"]
        if kind == "shoe":
            self._shoes.setdefault(name, _Shoe(line, entry, dict(self._chairs)))
            return
        shoe = self._shoes.get(name)
        if shoe is None:
            return
        if kind in ("seeds", "opened", "lapse", "seal"):
            shoe.steps.append(line)
            if kind == "seeds":
                shoe.hashed = set(entry["hashes"])
            shoe.hashed.discard(entry.get("player", ""))
            shoe.sealed |= kind == "seal"
        elif kind == "open":
            shoe.open, shoe.number = [line], entry["round"]
            if shoe.number == self.number:
                shoe.wanted = True
                shoe.seats += self._seats(shoe, entry)
                shoe.rounds += shoe.open
        elif kind == "reshuffle" and shoe.open and entry["round"] == shoe.number:
            (shoe.rounds if shoe.number == self.number else shoe.open).append(line)
        elif kind == "round" and shoe.open:
            if shoe.number == self.number:
                shoe.rounds.append(line)
            elif not shoe.wanted and entry.get("reshuffled"):
                shoe.rounds += [*shoe.open, line]
            shoe.open = []
        elif kind in ENDS:
            shoe.steps.append(line)
            self.done = shoe.wanted
            if not shoe.wanted:
                del self._shoes[name]

    def _seats(self, shoe: _Shoe, opened: Entry) -> list[Line]:
        """The entries that say who sits where, of those whom neither the roster nor its order tells."""
        others = left_out(shoe.entry, shoe.before)
        needed = [sitting.line for _, sitting in others]
        try:
            known = seated(shoe.entry, {seat: sitting.player for seat, sitting in others})
        except InputError:
            known = {}
        for seat in named_in(opened):
            sitting = self._chairs.get(seat)
            if sitting is None or (known.get(seat) == sitting.player and sitting.line[0] < shoe.line[0]):
                continue
            needed.append(sitting.line)
            if known.get(seat) == sitting.player and sitting.player in shoe.left:
                needed.append(shoe.left[sitting.player])
        return needed

    @property
    def lines(self) -> list[Line]:
        """The entries, by their numbers. InputError where there is no such round."""
        shoe = next((shoe for shoe in self._shoes.values() if shoe.wanted), None)
        if shoe is None or self._opened is None:
            name = f"{self.table}#{self.number}"
            raise InputError(f"no round {name}", where="round", expected="a round of the log")
        return sorted({self._opened, shoe.line, *shoe.steps, *shoe.rounds, *shoe.seats})


def takes_chair(entry: Mapping[str, Any]) -> bool:
    """Whether a `chips` entry may be one by which a player sits down."""
    return entry.get("op") == "buy-in"


def named_in(opened: Entry) -> list[int]:
    """The seats that an `open` names."""
    seats = [each["seat"] for each in (*opened["bets"], *opened.get("uncovered", ()))]
    return sorted({*seats, *opened.get("passed", ()), *opened.get("late", ())})


def chairs_in(shoe: Entry) -> list[int]:
    """The chairs that have an account in a table's `shoe`, but for those that are away."""
    accounts = filter(None, map(account_of, shoe["chips"]))
    return sorted({account for account in accounts if account > 0}.difference(shoe.get("away", ())))


def left_out(shoe: Entry, chairs: Mapping[int, Sitting]) -> list[tuple[int, Sitting]]:
    """Of the chairs of a `shoe` those that are neither away nor in its roster: their players owe a seed, or wait."""
    able = chairs_in(shoe)
    if len(able) == len(shoe["roster"]):
        return []
    sitting = [(seat, chairs[seat]) for seat in able if seat in chairs]
    return [(seat, who) for seat, who in sitting if who.player not in shoe["roster"]]


def seated(shoe: Entry, others: Mapping[int, str]) -> dict[int, str]:
    """Who sat where at a `shoe`: its roster in the order of its chairs, and the `others`, who are left out of it.

    Raises InputError where that does not tell it.
    """
    able = [seat for seat in chairs_in(shoe) if seat not in others]
    if len(able) != len(shoe["roster"]):
        what = f"{len(shoe['roster'])} contributors and {len(able)} chairs"
        raise InputError(what, where="shoe", expected="the entries by which the others sat down")
    return {**dict(zip(able, shoe["roster"], strict=True)), **others}


def round_of(name: str) -> tuple[str, int]:
    """Table and number of `TABLE#NUMBER`. Raises InputError."""
    table, _, digits = name.rpartition("#")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else 0
    if not table or f"{table}#{number}" != name:
        raise InputError(f"{name[:80]!r} is not a round", where="round", expected="TABLE#NUMBER")
    return table, number


def entries_for(lines: Iterable[bytes], name: str) -> list[Line]:
    """The entries that a round needs, of a whole log. InputError."""
    hand = HandEntries(*round_of(name))
    for index, line in enumerate(lines):
        hand.take(index, line)
        if hand.done:
            break
    return hand.lines
