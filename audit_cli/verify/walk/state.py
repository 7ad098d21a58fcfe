"""The auditor's state of tables and shoes beside the ceremony's books; and the log's own time, without outages."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fairshoe.ceremony.book import Book, OpenRound, Shoe
from fairshoe.engine.round import Round
from fairshoe.engine.rules import Rules
from fairshoe.engine.table import Bet, Table
from fairshoe.log.canonical import Entry
from fairshoe.log.times import HOUR, microseconds, timestamp
from fairshoe.protocol.deck import Deck
from fairshoe.protocol.placer_chain import Chain
from fairshoe.record.forms import account_of

from ..findings.finding import Place

LATEST = microseconds("9999-12-31T23:59:59.999999Z")


def moment(when: int) -> str:
    """Return the text of a moment, the last that there is at most."""
    return timestamp(min(when, LATEST))


@dataclass(slots=True)
class LogTime:
    """A log's own time, in which a gap counts an hour at most. `begins`, `lengths`: longer gaps; `excess`: microseconds
    not counted before each."""

    begins: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    excess: list[int] = field(default_factory=lambda: [0])

    def pass_on(self, before: str, at: str) -> None:
        """The next entry is at `at`, the one before it at `before`, "" where there is none."""
        if not before or before[:13] == at[:13]:  # in one hour
            return
        begin = microseconds(before)
        length = microseconds(at) - begin
        if length > HOUR and (not self.begins or begin >= self.begins[-1] + self.lengths[-1]):
            self.begins.append(begin)
            self.lengths.append(length)
            self.excess.append(self.excess[-1] + length - HOUR)

    def between(self, begin: int, end: int) -> int:
        """Return the time from one moment to another, in microseconds."""
        return end - begin - self._lost_before(end) + self._lost_before(begin)

    def _lost_before(self, moment: int) -> int:
        """How much of the time up to a moment does not count."""
        i = bisect_right(self.begins, moment) - 1
        if i < 0:
            return 0
        return self.excess[i] + max(min(moment - self.begins[i], self.lengths[i]) - HOUR, 0)


@dataclass(slots=True)
class Starts:
    """The moments of `start` entries."""

    at: list[str] = field(default_factory=list)

    def add(self, at: str) -> None:
        if at > self.last:
            self.at.append(at)

    @property
    def last(self) -> str:
        """The last one, "" where there is none."""
        return self.at[-1] if self.at else ""

    def last_before(self, moment: str) -> str:
        """Return the last one before a moment: one that stands at the very moment came after what was decided then."""
        i = bisect_left(self.at, moment)
        return self.at[i - 1] if i else ""

    def between(self, begin: str, end: str) -> int:
        """Return the number of starts after `begin`, up to `end`."""
        return bisect_right(self.at, end) - bisect_right(self.at, begin)


# Bounds that no honest log meets, so that time and memory stay linear in a log's bytes (docs/log.md).

MAX_PACKS = 8
"""The N of a named deck, such as `french:N`; a larger one stands in `deck` entries."""
MAX_ROSTER = 64
"""Contributors that are followed; the protocol knows no more."""
MAX_WAIVERS = 1_024
"""Waivers in one shoe."""
MAX_RESHUFFLES = 1_024
"""`reshuffle` entries of one round that are kept."""


class LoggedEntry(NamedTuple):
    """An entry and where it stands."""

    line: int
    entry: Entry


class Gathering(NamedTuple):
    """A reshuffle that the rules made in the middle of a deal: before the round's card `after`."""

    after: int
    cut: bool
    burn: bool


class DealtRound(NamedTuple):
    """A round's cards, to be held against the key when it is revealed."""

    number: int  # the round's number
    line: int  # index of its entry
    position: int  # of its first card in the present deck
    cards: Sequence[str]  # labels in the dealt order
    end: int  # position after the last card
    present: int  # cards in the deck at the end
    gatherings: tuple[Gathering, ...] = ()  # reshuffles that the rules made during the deal
    logged: tuple[LoggedEntry, ...] = ()  # `reshuffle` entries of the round
    logged_position: int = 0  # where the log says that the first card lay
    sound: bool = True  # the round is as the rules have it


class StandingBets(NamedTuple):
    """The bets that stand at a table, before they are dealt for or go back; `played` is the round that was dealt for
    them, if it is as the rules have it."""

    table: Table
    round: OpenRound
    bets: Sequence[Bet]
    played: Round | None = None


class PlacedRow(NamedTuple):
    """Cards dealt in a row from place `start` on, of `size` under `digest` (hex), with their places."""

    line: int
    number: int
    digest: str
    size: int
    start: int
    places: list[int]


class ImpliedStep(NamedTuple):
    """A step that a log implies for a placer: the chain before it, its line, what happened since the step before."""

    before: Chain
    line: str
    since: str


@dataclass(slots=True)
class AuditedShoe:
    """A shoe between its commitment and its end."""

    book_shoe: Shoe  # the shoe as the ceremony knows it
    table: AuditedTable | None  # None for a shoe without a table
    index: int  # of its commitment in the log
    commitment: str  # SHA-256 of the key, in hex
    deck: Deck  # its cards before the shuffle
    named_beacon: dict[str, Any] | None = None  # the beacon of version 1 that was announced
    burn: str | None = None  # label of the card burned at the seal
    cards_root: str | None = None  # the root in the `seal` that binds its cards, in hex
    cut_line: int | None = None  # index of the cut that a player chose
    seal_line: int | None = None  # index of the `seal`
    until: str = ""  # time from which on nothing is opened on it
    step: str = ""  # hour of its last step, as text
    end_time: str = ""  # time of its end, if its placer's key is to come
    rounds: list[DealtRound] = field(default_factory=list)  # rounds dealt from it
    rows: list[PlacedRow] = field(default_factory=list)  # places that its placer gave
    place_mask: int = 0  # places given of the present deck, a bit for each
    astray: int | None = None  # line from which on the placer's chain cannot be followed
    told_entries: list[LoggedEntry] = field(default_factory=list)  # its `drawn` and `shown` entries
    beyond: bool = False  # rounds were dealt from it that are not at hand
    bound: Counter[int] = field(default_factory=Counter, init=False)  # by round: number of cards that openings show
    id: str = field(init=False)  # the shoe's id
    place: Place = field(init=False)  # for findings about the shoe

    def __post_init__(self) -> None:
        self.id = self.book_shoe.id
        self.place = Place(None if self.table is None else self.table.id, self.id)

    def round(self, number: int) -> Place:
        """Return the place of one round; number 0 is a first banker's draw, which is none."""
        return Place(self.place.table, self.id, number or None)

    @property
    def book(self) -> Book | None:
        return None if self.table is None else self.table.book


@dataclass(slots=True)
class AuditedTable:
    """A table."""

    book: Book
    legal: bool = True  # the open round can be replayed
    checked: Table | None = field(default=None, repr=False, compare=False)  # the table that its bets were held against
    # a `shoe`'s form, and what it follows from, by bank and memory
    shoe_forms: dict[tuple[int, ...], tuple[Any, Entry, str]] = field(default_factory=dict, repr=False, compare=False)
    reshuffles: list[LoggedEntry] = field(default_factory=list)  # in the open round
    unlisted: int = 0  # further reshuffles in it
    starts: Starts = field(default_factory=Starts)  # at this table alone
    sharing: str = ""  # since when the next share of a pool is due, or ""
    banking: bool = field(init=False)  # the rules move the bank

    def __post_init__(self) -> None:
        self.banking = type(self.book.rules).settle_bank is not Rules.settle_bank

    @property
    def id(self) -> str:
        return self.book.id

    @property
    def place(self) -> Place:
        return Place(self.book.id)

    def as_json(self) -> dict[str, Any]:
        """Return the rules and options by which the table was audited, and how many shoes and rounds it had."""
        rules, purse = self.book.rules, self.book.table.purse
        return {
            "table": self.id,
            "rules": rules.name,
            "options": rules.options,
            "shoes": self.book.shoes,
            "rounds": self.book.rounds,
            "chips": sum(purse[seat] for seat in self.book.table.players),
        }


# After a finding a table follows what the log says, so that one change is not found again at every later entry.


def logged_chips(table: Table, chips: Any) -> Table:
    """Return the table with the logged chips of those accounts that it has."""
    purse: dict[int, int] = {}
    for name, amount in chips.items() if type(chips) is dict else ():
        account = account_of(name)
        if account is not None and account in table.purse and type(amount) is int:
            purse[account] = amount
    return table.after(purse)


def logged_seat(table: Table, entry: Entry) -> Table:
    """Return the table with the logged player in the chair, or without, where that does not clash."""
    seat, player = entry["seat"], entry["player"]
    players, purse = dict(table.players), dict(table.purse)
    if entry.get("leaves"):
        players.pop(seat, None)
        if seat != table.bank:
            purse.pop(seat, None)
    elif entry["op"] == "buy-in" and player not in players.values() and seat <= table.rules.chairs[1]:
        players[seat] = player
        purse.setdefault(seat, 0)
    return Table(table.rules, players, purse, table.bank, table.memory)


def logged_table(table: Table, entry: Entry) -> Table:
    """The table with the logged chips and what the rules remember, as a `shoe` says them, where they can be so."""
    table = logged_chips(table, entry.get("chips"))
    memory = table.rules.import_memory(entry.get("memory", {}), entry.get("paid", ()))
    if memory.keys() == table.memory.keys() and all(value >= 0 for value in memory.values()):
        return table.after({}, memory=memory)
    return table


def logged_bank(table: Table, entry: Entry) -> Table:
    """Return the table with the bank where the log says, if somebody sits there."""
    if entry["to"] in table.players:
        table = table.after({}, bank=entry["to"], memory={})
    return logged_chips(table, entry.get("chips"))
