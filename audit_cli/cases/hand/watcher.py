"""Finds rounds while a log is audited, or the entries of a proof, and keeps what the books say of them at that
moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fairshoe.ceremony.book import OpenRound, standing_bets
from fairshoe.engine.table import Bet, Table
from fairshoe.log.canonical import Entry
from fairshoe.protocol.shoe import CUT

from ...verify.walk.audit import Audit
from ...verify.walk.state import AuditedShoe, DealtRound
from ...verify.walk.watcher import Watcher, entry_of

STEPS = frozenset(("shoe", "seeds", "opened", "lapse", "seal", "reshuffle", "reveal", "void", "lost", "bank"))
"""Kinds of entry that are told with their times; `open` and `round` are the hand's own."""


class ShoeEntry(NamedTuple):
    """An entry on the way of a shoe: where it stands, when, its kind, and whose it is."""

    entry: int
    at: str
    kind: str
    who: str = ""


class RoundStake(NamedTuple):
    """A bet on a round: seat, player and amount."""

    seat: int
    player: str
    amount: int


@dataclass(slots=True)
class OpenedRound:
    """A round that was opened."""

    table: str  # the table's id
    number: int  # the round's number
    shoe_id: str  # the shoe's id
    opened_at: str  # time of the `open`
    opened_line: int  # index of the `open` in the log
    stakes: list[RoundStake]  # the bets
    line: int | None = None  # index of the entry that ended it
    at: str = ""  # time of that entry
    how: str = ""  # its kind: `round`, `void`, `lost` or another; "" while there is none
    end_kind: str = ""  # kind of the entry that ended its shoe; "" while there is none
    nets: dict[int, int] = field(default_factory=dict)  # by seat: chips won or lost as the log says, insurance included

    @property
    def name(self) -> str:
        return f"{self.table}#{self.number}"


@dataclass(kw_only=True)
class WatchedRound(OpenedRound):
    """A round with all that the audit accepted about it."""

    open_round: OpenRound  # the round in the table's book
    before: Table  # the table from which it was dealt
    bets: Sequence[Bet]  # the bets that stand
    shoe: AuditedShoe  # the shoe it was dealt from
    position: int  # of its first card in the present deck
    present: int  # cards in that deck, drawn ones included
    steps: list[ShoeEntry]  # the entries of its shoe but for rounds
    names: Mapping[tuple[str, str], str]  # what players call themselves, by table and id
    entry: Entry | None = None  # the `round`
    dealt: DealtRound | None = None  # the audit's own note of its cards
    end: Entry | None = None  # the `reveal` of its shoe
    end_line: int | None = None  # index of the entry that ended its shoe

    def player(self, seat: int) -> str:
        """Return the id of who sits in a chair."""
        return self.before.players.get(seat, "")

    @property
    def bound(self) -> bool:
        """Whether openings show that the house bound each card of the round."""
        return self.entry is not None and self.shoe.bound[self.number] == len(self.entry["cards"])

    @property
    def drawn_cut(self) -> int | None:
        """The place at which the key's draw cuts the shoe, as its reveal says; None if a player chose the cut, or
        nobody cuts."""
        drawn: int | None = (
            None if self.end is None or self.shoe.book_shoe.cut is not None else self.end["draws"].get(CUT)
        )
        return drawn

    def name_of(self, player: str) -> str | None:
        """Return a player's name beside the id, if there is one. Any player may take any name."""
        return self.names.get((self.table, player))

    @property
    def lines(self) -> set[int]:
        """The entries that the round follows from, and its shoe's end."""
        own = {self.opened_line, self.line, self.end_line, self.shoe.index}
        return {step.entry for step in self.steps} | {line for line in own if line is not None}

    @property
    def last_line(self) -> int | None:
        """The entry up to which the log must be followed to say anything of the round; None: to its end."""
        if self.end_line is None:
            return None
        return self.end_line if self.line is None else self.line


class HandWatcher(Watcher):
    """Keeps the round `name`, TABLE#NUMBER, as `hand`; where that is None all, or those of a `player`, as `rows`."""

    def __init__(self, name: str | None, player: str | None = None) -> None:
        super().__init__()
        self.name = name
        self.player = player
        self.names: dict[tuple[str, str], str] = {}  # what players call themselves, by table and id
        self.ids: set[str] = set()  # those of everybody
        self.tables: dict[str, int] = {}  # the entries in which the tables were opened
        self.hand: WatchedRound | None = None
        self._rows: list[OpenedRound] = []
        self._steps: dict[str, list[ShoeEntry]] = {}
        self._pending: dict[str, OpenedRound] = {}
        self._in_play: dict[str, list[OpenedRound]] = {}
        self._open_round: OpenRound | None = None
        self._at = ""

    @property
    def rows(self) -> list[OpenedRound]:
        """The rounds that were asked for, in the order of the log. If the player is an id of the log, nobody is meant
        who only calls himself so."""
        if self.player not in self.ids:
            return self._rows
        return [row for row in self._rows if any(stake.player == self.player for stake in row.stakes)]

    def before_entry(self, audit: Audit, shoe: AuditedShoe | None) -> None:
        book = None if shoe is None else shoe.book
        self._open_round = None if book is None else book.open_round
        hand = self.hand
        if hand is not None and shoe is hand.shoe and book is not None and hand.open_round is book.open_round:
            told = hand.shoe.book_shoe
            hand.before, hand.position, hand.present = book.table, told.position, told.deck_size
            hand.bets = standing_bets(book, told, hand.open_round)

    def after_entry(self, audit: Audit, shoe: AuditedShoe | None, line: bytes) -> None:
        entry = audit.entry
        if audit.followed and entry is not None and entry["kind"] == "chips":
            self.ids.add(entry["player"])
            if "name" in entry:
                self.names[entry["table"], entry["player"]] = entry["name"]
        elif audit.followed and entry is not None and entry["kind"] == "table":
            self.tables.setdefault(entry["table"], audit.index)
        if shoe is None:
            return
        kind = self._step(audit, shoe, entry, line) if audit.followed else ""
        book = shoe.book
        if book is not None and book.open_round is not self._open_round:
            self._closed(audit, shoe, kind, line)
            if book.open_round is not None:
                self._open(audit, shoe, book.open_round)
        if shoe.id not in audit.shoes:
            self._ended(audit, shoe, kind, entry)

    def _step(self, audit: Audit, shoe: AuditedShoe, entry: Entry | None, line: bytes) -> str:
        """Note the entry among those of its shoe; gives its kind."""
        if entry is None:  # an `open` or a `round` in its usual form
            self._at = line[7:34].decode()
            return "round" if line.startswith(b'"cards"', 36) else "open"
        kind, self._at = str(entry["kind"]), entry["at"]
        if kind in STEPS:
            steps = self._steps.setdefault(shoe.id, [])
            steps.append(ShoeEntry(audit.index, self._at, kind, entry.get("player") or entry.get("by") or ""))
        return kind

    def _open(self, audit: Audit, shoe: AuditedShoe, opened: OpenRound) -> None:
        """Bets stand: keep the round if it is asked for."""
        book, told = shoe.book, shoe.book_shoe
        if book is None:
            return
        seated, table = book.table.players, book.id
        self.ids.update(seated.values())
        stakes = [RoundStake(bet.seat, seated.get(bet.seat, ""), bet.amount) for bet in opened.betting.bets]
        if not self._asked_for(table, opened, stakes):
            return
        about = table, opened.number, shoe.id, opened.at, audit.index, stakes
        row = OpenedRound(*about)
        if self.hand is None and self.name is not None:
            row = self.hand = WatchedRound(
                *about,
                open_round=opened,
                before=book.table,
                bets=standing_bets(book, told, opened),
                shoe=shoe,
                position=told.position,
                present=told.deck_size,
                steps=self._steps.setdefault(shoe.id, []),
                names=self.names,
            )
        self._rows.append(row)
        self._pending[table] = row
        self._in_play.setdefault(shoe.id, []).append(row)

    def _asked_for(self, table: str, opened: OpenRound, stakes: list[RoundStake]) -> bool:
        if self.name is not None:
            return self.name == f"{table}#{opened.number}"
        return self.player is None or any(self.is_called(table, stake.player) for stake in stakes)

    def is_called(self, table: str, player: str) -> bool:
        """Whether that is the player who is asked for: by id, or by a name where nobody has such an id."""
        named = self.player not in self.ids and self.names.get((table, player)) == self.player
        return player == self.player or named

    def _closed(self, audit: Audit, shoe: AuditedShoe, kind: str, line: bytes) -> None:
        """The round that was open is not any more."""
        book = shoe.book
        row = None if book is None else self._pending.pop(book.id, None)
        if row is None:
            return
        row.line, row.at, row.how = audit.index, self._at, kind
        if kind == "round" and shoe.rounds and shoe.rounds[-1].line == audit.index:
            entry = audit.entry or entry_of(line)
            for each in entry["hands"]:
                row.nets[each["seat"]] = row.nets.get(each["seat"], 0) + each["net"] + each.get("insurance", 0)
            if isinstance(row, WatchedRound):
                row.entry, row.dealt = entry, shoe.rounds[-1]

    def _ended(self, audit: Audit, shoe: AuditedShoe, kind: str, entry: Entry | None) -> None:
        """The shoe is revealed, void or lost."""
        self._steps.pop(shoe.id, None)
        if not kind:  # its last entry could not be read
            return
        for row in self._in_play.pop(shoe.id, ()):
            row.end_kind = kind
            if isinstance(row, WatchedRound) and row.shoe is shoe:
                row.end, row.end_line = entry if kind == "reveal" else None, audit.index
