"""Which entries of a log one hand needs, so that they can be proved alone; and which an unfinished shoe needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError, NotCanonical
from ..log.canonical import Entry, parse
from .forms import account_of, shoe_id, table_of

Line = tuple[int, bytes]
"""An entry's number in the log and its bytes."""
NO_ENTRY = (NotCanonical, KeyError, TypeError, AttributeError, InputError)
"""What is raised for a line that cannot be read as an entry."""
ENDS = ("reveal", "void", "lost")
LEFT_OUT = ("owes", "waits", "away")
"""The lists of chairs that a `shoe` leaves out of its roster."""


@dataclass
class _Shoe:
    """A shoe in play."""

    line: Line  # its `shoe` entry
    entry: Entry  # the same, parsed
    steps: list[Line] = field(default_factory=list)  # `seeds`, `opened`, `lapse`, `seal`, the end, `placed`
    hashed: set[str] = field(default_factory=set)  # contributors who have still to open a seed
    take_lines: dict[int, Line] = field(
        default_factory=dict
    )  # by which entry since the commitment each chair was taken
    leave_lines: dict[int, Line] = field(default_factory=dict)  # by which entry since the commitment it was left
    sealed: bool = False  # its `seal` is logged
    open: list[Line] = field(default_factory=list)  # the `open` and reshuffles of the round that is open
    number: int = 0  # of the newest round
    rounds: list[Line] = field(default_factory=list)  # entries of the rounds that the hand needs
    seats: list[Line] = field(default_factory=list)  # `chips` entries that the hand needs
    has_hand: bool = False  # the hand's round was opened on it
    ended: bool = False  # its `reveal`, `void` or `lost` is logged
    has_placer: bool = False  # it has a placer
    unplaced: bool = False  # its placer's key is to come


class HandEntries:
    """Takes the entries of a log, or of a table, in order, and keeps what round `number` there needs.

    Those are: `table`; `shoe`, `seeds`, each `opened` and `lapse`, `seal` of its shoe; its own `open`, `reshuffle`s and
    `round`; earlier rounds of the shoe that were reshuffled; its `reveal`, `void` or `lost`; and each `chips` by which
    a chair was taken since the commitment, or left before the opening. A shoe with a placer needs all rounds up to this
    one, each such `chips` between, and `placed`.
    """

    def __init__(self, table: str, number: int) -> None:
        self.table = table
        self.number = number
        self.is_complete = False
        self._table_line: Line | None = None
        self._chairs: dict[int, str] = {}
        self._shoe: _Shoe | None = None
        self._marks = (f'"shoe":"{table}/'.encode(), f'"table":"{table}"'.encode())

    def take(self, index: int, line: bytes) -> None:
        """The entry number `index`. What cannot be read as an entry is passed over."""
        if self.is_complete or not any(mark in line for mark in self._marks):
            return
        with suppress(*NO_ENTRY):
            self._take((index, line), parse(line))

    def _take(self, line: Line, entry: Entry) -> None:
        kind, shoe = entry["kind"], self._shoe
        if kind == "table" and entry["table"] == self.table and self._table_line is None:
            self._table_line = line
        elif kind == "chips" and entry["table"] == self.table:
            self._chips(line, entry)
        elif kind == "shoe" and table_of(entry["shoe"])[0] == self.table and not (shoe is not None and shoe.has_hand):
            self._shoe = _Shoe(line, entry, has_placer="placer" in entry, unplaced="placer" in entry)
            self._chairs |= seated(entry)
        elif shoe is not None and entry.get("shoe") == shoe.entry["shoe"]:
            self._take_of_shoe(shoe, line, entry, kind)

    def _chips(self, line: Line, entry: Entry) -> None:
        """Of the entries that a hand needs this says the same as of all."""
        seat, player, shoe = entry["seat"], entry["player"], self._shoe
        takes = takes_chair(entry) and self._chairs.get(seat) != player
        if shoe is not None and shoe.has_placer and not shoe.has_hand and (takes or entry.get("leaves") is True):
            shoe.seats.append(line)
        if takes:
            self._chairs[seat] = player
            if shoe is not None:
                shoe.take_lines[seat] = line
        elif entry.get("leaves") is True:
            self._chairs.pop(seat, None)
            if shoe is not None:
                shoe.take_lines.pop(seat, None)
                shoe.leave_lines[seat] = line
                if player in shoe.hashed and not shoe.sealed and not shoe.open:
                    shoe.hashed.discard(player)
                    shoe.seats.append(line)

    def _take_of_shoe(self, shoe: _Shoe, line: Line, entry: Entry, kind: str) -> None:
        if shoe.ended:
            if kind == "placed" and shoe.unplaced:
                shoe.steps.append(line)
                self.is_complete = True
        elif kind in ("seeds", "opened", "lapse", "seal"):
            shoe.steps.append(line)
            if kind == "seeds":
                shoe.hashed = set(entry["hashes"])
            shoe.hashed.discard(entry.get("player", ""))
            shoe.sealed |= kind == "seal"
        elif kind == "open":
            shoe.open, shoe.number = [line], entry["round"]
            if shoe.number == self.number:
                shoe.has_hand = True
                shoe.seats += self._seat_entries(shoe, entry)
                shoe.rounds += shoe.open
        elif kind == "reshuffle" and shoe.open and entry["round"] == shoe.number:
            (shoe.rounds if shoe.number == self.number else shoe.open).append(line)
        elif kind == "round" and shoe.open:
            if shoe.number == self.number:
                shoe.rounds.append(line)
            elif not shoe.has_hand and (shoe.has_placer or entry.get("reshuffled")):
                shoe.rounds += [*shoe.open, line]
            shoe.open = []
        elif kind in ENDS:
            shoe.steps.append(line)
            shoe.ended = True
            self.is_complete = shoe.has_hand and not shoe.unplaced
            if not shoe.has_hand:
                self._shoe = None

    def _seat_entries(self, shoe: _Shoe, opened: Entry) -> list[Line]:
        """Return the entries by which chairs that may bet without a seed were taken since the commitment, and left
        before."""
        before = seated(shoe.entry)
        seats = [seat for seat in newcomers_in(opened) if seat in shoe.take_lines]
        back = [seat for seat in seats if seat in shoe.leave_lines and self._chairs.get(seat) == before.get(seat)]
        return [*(shoe.take_lines[seat] for seat in seats), *(shoe.leave_lines[seat] for seat in back)]

    @property
    def lines(self) -> list[Line]:
        """The entries, by their numbers. InputError where there is no such round."""
        shoe = self._shoe
        if shoe is None or not shoe.has_hand or self._table_line is None:
            name = f"{self.table}#{self.number}"
            raise InputError(f"no round {name}", where="round", expected="a round of the log")
        return sorted({self._table_line, shoe.line, *shoe.steps, *shoe.rounds, *shoe.seats})


def takes_chair(entry: Mapping[str, Any]) -> bool:
    """Whether a `chips` entry may be one by which a player sits down."""
    return entry.get("op") == "buy-in"


def named_in(opened: Entry) -> list[int]:
    """Return the seats that an `open` names."""
    others = (seat for name in ("passed", "late", "unfunded") for seat in opened.get(name, ()))
    return sorted({*_betting(opened), *others})


def newcomers_in(opened: Entry) -> list[int]:
    """The seats that an `open` names and that may have no seed in the shoe: of bets without one `waived` tells."""
    own = _betting(opened).difference(opened.get("waived", ()))
    return [seat for seat in named_in(opened) if seat not in own]


def _betting(opened: Entry) -> set[int]:
    return {each["seat"] for each in (*opened["bets"], *opened.get("uncovered", ()))}


def chairs_in(shoe: Entry) -> list[int]:
    """Return the chairs that are taken, by a table's `shoe`."""
    accounts = filter(None, map(account_of, shoe.get("chips", ())))
    return sorted(account for account in accounts if account > 0)


def seated(shoe: Entry) -> dict[int, str]:
    """Return the players of a `shoe` entry's roster by chair: the chairs that are not left out, in their order."""
    left_out = {seat for name in LEFT_OUT for seat in shoe.get(name, ())}
    return dict(zip([seat for seat in chairs_in(shoe) if seat not in left_out], shoe["roster"], strict=False))


def unnamed(seat: int) -> str:
    """Name a player of whom only the chair is known. No id has a space, so this is nobody's id."""
    return f"seat {seat}"


def round_of(name: str) -> tuple[str, int]:
    """Table and number of `TABLE#NUMBER`. Raises InputError."""
    table, _, digits = name.rpartition("#")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else 0
    if not table or not number or f"{table}#{number}" != name:
        raise InputError(f"{name[:80]!r} is not a round", where="round", expected="TABLE#NUMBER")
    return table, number


STEPS = ("seeds", "opened", "lapse", "late", "seal", *ENDS)


class DrawEntries:
    """Takes the entries of a log in order; keeps those that one card of a shoe without a table needs. `pos` None: those
    of the shoe alone."""

    def __init__(self, shoe: str, pos: int | None = None) -> None:
        self.shoe, self.pos = shoe, pos
        self.numbered_lines: list[Line] = []
        self._drawn = False
        self._decks: dict[str, list[Line]] = {}

    @property
    def lines(self) -> list[Line]:
        """The entries in the log's order; none if there is no such shoe, or its card was not drawn."""
        committed = any(b'"kind":"shoe"' in line for _, line in self.numbered_lines)
        return sorted(self.numbered_lines) if committed and (self.pos is None or self._drawn) else []

    def take(self, number: int, line: bytes) -> None:
        """Take the next entry, or the next that is of this shoe or a deck. What is no entry is passed over."""
        if self.shoe.encode() not in line and b'"kind":"deck"' not in line:
            return
        with suppress(*NO_ENTRY):
            self._take(number, line, parse(line))

    def _take(self, number: int, line: bytes, entry: Entry) -> None:
        if entry["kind"] == "deck":
            self._decks.setdefault(entry["deck"], []).append((number, line))
        elif entry.get("shoe") == self.shoe and self._needs(entry):
            self.numbered_lines += (
                [*self._decks.pop(entry["deck"], ()), (number, line)] if "deck" in entry else [(number, line)]
            )

    def _needs(self, entry: Entry) -> bool:
        kind = entry["kind"]
        if kind == "shown":
            return str(self.pos) in entry["cards"]
        if kind == "drawn":
            size = entry.get("hidden", len(entry.get("cards", ())))
            tells = self.pos is not None and 0 <= self.pos - entry["pos"] < size
            self._drawn = self._drawn or tells
            return tells
        if kind == "gathered":
            return not self._drawn
        return kind in ("shoe", "placed") or kind in STEPS


def draw_of(name: str) -> tuple[str, int]:
    """Return the shoe and the position of `SHOE@POSITION`, a card of a shoe without a table. Raises InputError."""
    shoe, _, digits = name.rpartition("@")
    pos = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else -1
    if not shoe or f"{shoe}@{pos}" != name:
        raise InputError(f"{name[:80]!r} is no card", where="round", expected="SHOE@POSITION")
    return shoe, pos


def names_for_shoe(shoe: str) -> list[str]:
    """Return the table, the shoe and the one before it, whose entries `entries_of_shoe` chooses from. InputError."""
    table, number = table_of(shoe)
    return [table, shoe, *([shoe_id(table, number - 1)] if number > 1 else [])]


def entries_of_shoe(lines: Iterable[Line], shoe: str) -> list[Line]:
    """Return the entries that show how far a shoe has come: the `table`; the end of the shoe before; each `chips` by
    which its roster took or left chairs, or was evicted; `shoe`, `seeds`, `opened`, `lapse`, `late`, `seal`, the end,
    each `open` before the seal; with a placer also the newest `open`, and the newest entry with places. Nothing without
    a `shoe`."""
    chosen: list[Line] = []
    chairs = _Chairs()
    roster: list[str] = []
    committed = sealed = placed = False
    newest: dict[str, Line] = {}
    for line in lines:
        entry = parse(line[1])
        kind = entry["kind"]
        if kind == "table":
            chosen.append(line)
        elif kind == "chips":
            if committed and entry.get("leaves") and entry["player"] in roster:
                chosen.append(line)
            chairs.take(line, entry)
        elif entry.get("shoe") != shoe:
            if kind in ENDS:
                chosen.append(line)
        elif kind == "shoe":
            committed, roster, placed = True, entry["roster"], "placer" in entry
            chosen += [line, *(each for who, taking in chairs.sitting.values() if who in roster for each in taking)]
        elif kind in STEPS or (kind == "open" and not sealed):
            chosen.append(line)
            sealed |= kind == "seal"
        elif placed and (kind == "open" or "placed" in entry):
            newest["open" if kind == "open" else "placed"] = line
    return sorted({*chosen, *newest.values()}) if committed else []


class _Chairs:
    """The taken chairs, each with its player and the entries by which it was taken."""

    def __init__(self) -> None:
        self.sitting: dict[int, tuple[str, list[Line]]] = {}
        self._put_out: dict[str, list[Line]] = {}

    def take(self, line: Line, entry: Entry) -> None:
        seat, player = entry["seat"], entry["player"]
        if takes_chair(entry) and (seat not in self.sitting or self.sitting[seat][0] != player):
            self.sitting[seat] = player, [*self._put_out.pop(player, []), line]
        elif entry.get("leaves") and seat in self.sitting:
            _, taking = self.sitting.pop(seat)
            if "by" in entry:
                self._put_out[player] = [*taking, line]
