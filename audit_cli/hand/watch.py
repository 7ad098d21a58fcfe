"""Finds rounds while the log is audited, and keeps what the books say of them at that moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from fairshoe.ceremony.book import OpenRound, bets_that_stand
from fairshoe.log.canonical import Entry

from ..walk.audit import Audit
from ..walk.state import Shoe
from ..walk.watching import Watcher, entry_of
from .dealt import Hand, Step
from .wanted import Wanted

STEPS = frozenset(("shoe", "seeds", "opened", "lapse", "seal", "reshuffle", "reveal", "void", "lost", "bank"))
"""Kinds of entry that are told with their times; `open` and `round` are the hand's own."""


class Stake(NamedTuple):
    """Who bets how much on a round."""

    seat: int
    player: str
    amount: int


@dataclass(slots=True)
class Row:
    """A round that was asked for. `nets` are what its seats won or lost, insurance included, as the log says.

    `how` is the kind of entry that ended the round, `end` that of its shoe's end; both "" while there is none.
    """

    table: str
    number: int
    shoe: str
    opened: str
    opened_line: int
    stakes: list[Stake]
    line: int | None = None
    at: str = ""
    how: str = ""
    end: str = ""
    dropped: bool = False
    nets: dict[int, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.table}#{self.number}"


class HandWatcher(Watcher):
    """`hand` is the first round that was asked for, `rows` are all of them. `names` are what players call themselves,
    by table and id, `players` all that sat at an `open`, `ids` those of everybody, `tables` the entries in which the
    tables were opened."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self.wanted = wanted
        self.hand: Hand | None = None
        self.names: dict[tuple[str, str], str] = {}
        self.players: set[tuple[str, str]] = set()
        self.ids: set[str] = set()
        self.tables: dict[str, int] = {}
        self._rows: list[Row] = []
        self._steps: dict[str, list[Step]] = {}
        self._pending: dict[str, Row] = {}
        self._in_play: dict[str, list[Row]] = {}
        self._opened: OpenRound | None = None
        self._at = ""

    @property
    def rows(self) -> list[Row]:
        """The rounds that were asked for, in the order of the log."""
        return [row for row in self._rows if not row.dropped]

    def before(self, audit: Audit, shoe: Shoe | None) -> None:
        book = None if shoe is None else shoe.book
        self._opened = None if book is None else book.open
        hand = self.hand
        if hand is not None and shoe is hand.shoe and book is not None and hand.opened is book.open:
            told = hand.shoe.told
            hand.before, hand.position, hand.present = book.table, told.position, told.present
            hand.bets = bets_that_stand(book, told, hand.opened)

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        entry = audit.entry
        if audit.followed and entry is not None and entry["kind"] == "chips":
            self._known([entry["player"]])
            if "name" in entry:
                self.names[entry["table"], entry["player"]] = entry["name"]
        elif audit.followed and entry is not None and entry["kind"] == "table":
            self.tables.setdefault(entry["table"], audit.index)
        if shoe is None:
            return
        kind = self._step(audit, shoe, entry, line) if audit.followed else ""
        book = shoe.book
        if book is not None and book.open is not self._opened:
            self._closed(audit, shoe, kind, line)
            if book.open is not None:
                self._open(audit, shoe, book.open)
        if shoe.id not in audit.shoes:
            self._ended(audit, shoe, kind, entry)

    def _step(self, audit: Audit, shoe: Shoe, entry: Entry | None, line: bytes) -> str:
        """Note the entry among those of its shoe; gives its kind."""
        if entry is None:  # an `open` or a `round` in its usual form
            self._at = line[7:34].decode()
            return "round" if line.startswith(b'"cards"', 36) else "open"
        kind, self._at = str(entry["kind"]), entry["at"]
        if kind in STEPS:
            steps = self._steps.setdefault(shoe.id, [])
            steps.append(Step(audit.index, self._at, kind, entry.get("player") or entry.get("by") or ""))
        return kind

    def _open(self, audit: Audit, shoe: Shoe, opened: OpenRound) -> None:
        """Bets stand: keep the round if it is asked for."""
        book, told = shoe.book, shoe.told
        if book is None:
            return
        seated, table, wanted = book.table.players, book.id, self.wanted
        self.players.update((table, player) for player in seated.values())
        self._known(seated.values())
        if wanted.number is not None and (opened.number != wanted.number or wanted.table not in (None, table)):
            return
        stakes = [Stake(bet.seat, seated.get(bet.seat, ""), bet.amount) for bet in opened.betting.bets]
        if wanted.number is None and not self._asked_for(table, opened, stakes):
            return
        row = Row(table, opened.number, shoe.id, opened.at, audit.index, stakes)
        self._rows.append(row)
        self._pending[table] = row
        self._in_play.setdefault(shoe.id, []).append(row)
        if self.hand is None:
            bets, steps = bets_that_stand(book, told, opened), self._steps.setdefault(shoe.id, [])
            now = (told.position, told.present)
            self.hand = Hand(table, opened, audit.index, book.table, bets, shoe, *now, steps, self.names, self.ids)

    def _asked_for(self, table: str, opened: OpenRound, stakes: list[Stake]) -> bool:
        wanted = self.wanted
        if wanted.until and opened.at > wanted.until:
            return False
        return wanted.player is None or any(self.is_called(table, stake.player) for stake in stakes)

    def _known(self, players: Iterable[str]) -> None:
        """These ids stand in the log: if one is asked for, nobody is meant who only calls himself so."""
        wanted = self.wanted.player
        new = wanted is not None and wanted not in self.ids
        self.ids.update(players)
        if new and wanted in self.ids:
            for row in self._rows:
                row.dropped = row.dropped or all(stake.player != wanted for stake in row.stakes)
                if row.dropped and self.hand is not None and self.hand.opened_line == row.opened_line:
                    self.hand = None

    def is_called(self, table: str, player: str) -> bool:
        """Whether that is the player who is asked for: by id, or by a name where nobody has such an id."""
        wanted = self.wanted.player
        return player == wanted or (wanted not in self.ids and self.names.get((table, player)) == wanted)

    def _closed(self, audit: Audit, shoe: Shoe, kind: str, line: bytes) -> None:
        """The round that was open is not any more."""
        book = shoe.book
        row = None if book is None else self._pending.pop(book.id, None)
        if row is None:
            return
        row.line, row.at, row.how = audit.index, self._at, kind
        hand = self.hand if self.hand is not None and self.hand.opened_line == row.opened_line else None
        if hand is not None:
            hand.line, hand.at, hand.how = row.line, row.at, row.how
        if kind == "round" and shoe.rounds and shoe.rounds[-1].line == audit.index:
            entry = audit.entry or entry_of(line)
            for each in entry["hands"]:
                row.nets[each["seat"]] = row.nets.get(each["seat"], 0) + each["net"] + each.get("insurance", 0)
            if hand is not None:
                hand.entry, hand.dealt = entry, shoe.rounds[-1]
        if self.wanted.since and row.at < self.wanted.since:
            row.dropped = True
            self.hand = None if hand is not None else self.hand

    def _ended(self, audit: Audit, shoe: Shoe, kind: str, entry: Entry | None) -> None:
        """The shoe is revealed, void or lost."""
        self._steps.pop(shoe.id, None)
        if not kind:  # its last entry could not be read
            return
        for row in self._in_play.pop(shoe.id, ()):
            row.end = kind
        hand = self.hand
        if hand is not None and hand.shoe is shoe:
            hand.end, hand.end_line, hand.end_kind = entry if kind == "reveal" else None, audit.index, kind
