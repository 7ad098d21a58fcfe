"""What is known of one round when the walk through the log is over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fairshoe.ceremony.book import OpenRound
from fairshoe.engine.moves import Decision
from fairshoe.engine.table import Bet, Table
from fairshoe.log.canonical import Entry
from fairshoe.protocol.shoe import CUT
from fairshoe.record.forms import decision_of

from ..walk.state import DealtRound, Shoe


class Step(NamedTuple):
    """An entry on the way of a shoe: where it stands, when, its kind, and whose it is."""

    entry: int
    at: str
    kind: str
    who: str = ""


@dataclass
class Hand:
    """A round that was opened, with all that the audit accepted about it.

    `before` is the table from which it was dealt, its first card the one at `position` of a deck of `present` cards.
    `line`, `at` and `how` say which entry ended it: a `round`, a `void`, a `lost`, another; "" while it is open.
    `entry` is the `round`, `dealt` the audit's own note of its cards; `end` the `reveal` of its shoe, `end_line` and
    `end_kind` say what ended that. `steps` are the entries of its shoe but for rounds; `names` what players are called,
    `ids` all players of the log.
    """

    table: str
    opened: OpenRound
    opened_line: int
    before: Table
    bets: Sequence[Bet]
    shoe: Shoe
    position: int
    present: int
    steps: list[Step]
    names: Mapping[tuple[str, str], str]
    ids: Collection[str] = ()
    line: int | None = None
    at: str = ""
    how: str = ""
    entry: Entry | None = None
    dealt: DealtRound | None = None
    end: Entry | None = None
    end_line: int | None = None
    end_kind: str = ""

    @property
    def number(self) -> int:
        return self.opened.number

    @property
    def name(self) -> str:
        return f"{self.table}#{self.number}"

    @property
    def decisions(self) -> list[Decision]:
        return [] if self.entry is None else [decision_of(form) for form in self.entry["decisions"]]

    def player(self, seat: int) -> str:
        """The id of who sits in a chair."""
        return self.before.players.get(seat, "")

    @property
    def drawn_cut(self) -> int | None:
        """Where the key's draw cuts the shoe, as its reveal says; None where somebody chose the cut, or nobody cuts."""
        drawn: int | None = None if self.end is None or self.shoe.told.cut is not None else self.end["draws"].get(CUT)
        return drawn

    def name_of(self, player: str) -> str | None:
        """What a player is called beside the id, if anything. Anybody may be called anything."""
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

    def cards_of(self, offsets: Sequence[int]) -> list[str]:
        """The logged cards at these places of the round, those that are there."""
        cards: list[str] = [] if self.entry is None else self.entry["cards"]
        return [cards[offset] for offset in offsets if offset < len(cards)]
