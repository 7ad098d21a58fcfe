"""What the auditor keeps of tables and shoes beside what the ceremony's own book says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fairshoe.ceremony.book import Book
from fairshoe.ceremony.book import Shoe as Told
from fairshoe.engine.rules import Rules
from fairshoe.engine.table import Table
from fairshoe.log.canonical import Entry
from fairshoe.protocol.deck import Deck

from ..findings.finding import Place
from .logtime import Starts


class Logged(NamedTuple):
    """An entry and where it stands."""

    line: int
    entry: Entry


class Gathering(NamedTuple):
    """A reshuffle that the rules made in the middle of a deal: before the round's card `after`."""

    after: int
    cut: bool
    burn: bool


class DealtRound(NamedTuple):
    """A round's cards, to be held against the key when it is revealed. `end` is the position after the last
    one, in a deck of `present` cards; `logged_position` is where the log says that the first one lay;
    `sound`: the round is as the rules have it."""

    number: int
    line: int
    position: int
    cards: Sequence[str]
    end: int
    present: int
    gatherings: tuple[Gathering, ...] = ()
    logged: tuple[Logged, ...] = ()
    logged_position: int = 0
    sound: bool = True


@dataclass(slots=True)
class Shoe:
    """A shoe between its commitment and its end: what the ceremony is `told`, and the rest.

    `table` is None for a shoe without one, `index` the line of its commitment, `cut_line` and `seal_line` those of
    the cut, where a player chose one, and of the seal; `step` is the hour of its last step, `until` the moment from
    which on nothing is opened.
    """

    told: Told
    table: TableState | None
    index: int
    commitment: str
    deck: Deck
    named_beacon: dict[str, Any] | None = None
    beacon: dict[str, Any] | None = None
    burn: str | None = None
    cards_root: str | None = None
    cut_line: int | None = None
    seal_line: int | None = None
    until: str = ""
    step: str = ""
    rounds: list[DealtRound] = field(default_factory=list)
    id: str = field(init=False)
    place: Place = field(init=False)

    def __post_init__(self) -> None:
        self.id = self.told.id
        self.place = Place(None if self.table is None else self.table.id, self.id)

    def round(self, number: int) -> Place:
        """The place of one round; number 0 is a first banker's draw, which is none."""
        return self.place._replace(round=number or None)

    @property
    def book(self) -> Book | None:
        return None if self.table is None else self.table.book


@dataclass(slots=True)
class TableState:
    """A table. `legal`: whether the open round can be replayed at all; `checked` the table that its bets
    were held against, so that it need not be done again; `reshuffles` are those logged in it.

    `banking`: whether the rules ever move the bank. `starts` are the service's at this table alone. `sharing`: since
    when the next share of a pool is due, "" where none ever was.
    """

    book: Book
    legal: bool = True
    checked: Table | None = field(default=None, repr=False, compare=False)
    reshuffles: list[Logged] = field(default_factory=list)
    unlisted: int = 0
    starts: Starts = field(default_factory=Starts)
    sharing: str = ""
    banking: bool = field(init=False)

    def __post_init__(self) -> None:
        self.banking = type(self.book.rules).between is not Rules.between

    @property
    def id(self) -> str:
        return self.book.id

    @property
    def place(self) -> Place:
        return Place(self.book.id)

    def as_json(self) -> dict[str, Any]:
        """By which rules and options the table was audited, and how many shoes and rounds it had."""
        rules = self.book.rules
        return {
            "table": self.id,
            "rules": rules.name,
            "options": rules.options,
            "shoes": self.book.shoes,
            "rounds": self.book.rounds,
        }
