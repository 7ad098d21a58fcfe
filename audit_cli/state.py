"""What the auditor knows of tables and shoes while it walks through a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fairshoe.engine.rules import Rules
from fairshoe.engine.table import Bet, Table
from fairshoe.log.canonical import Entry
from fairshoe.protocol.deck import Deck


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
    one, in a deck of `present` cards."""

    number: int
    line: int
    position: int
    cards: list[str]
    end: int
    present: int
    gatherings: tuple[Gathering, ...] = ()
    logged: tuple[Logged, ...] = ()


@dataclass(slots=True)
class OpenRound:
    """An `open` whose `round` has not come yet. `table` is the table that it started from."""

    number: int
    index: int
    bets: Sequence[Bet]
    waived: Sequence[int]
    legal: bool = True
    reshuffles: tuple[Logged, ...] = ()


@dataclass(slots=True)
class Shoe:
    """A shoe between its commitment and its end. `table` is None for a shoe without one."""

    id: str
    table: TableState | None
    index: int
    at: str
    commitment: str
    deck: Deck
    roster: list[str]
    draws: Mapping[str, int]
    cutter: str | None
    purpose: str | None
    beacon: dict[str, Any] | None
    hashes: dict[str, str] | None = None
    cut: dict[str, Any] | None = None
    seal: Entry | None = None
    position: int = 0
    present: int = 0
    bank_moved: bool = False
    rounds: list[DealtRound] = field(default_factory=list)

    @property
    def contributors(self) -> Mapping[str, Any]:
        """Who has a part in the order, as far as the log tells by now."""
        if self.seal is not None:
            seeds: Mapping[str, Any] = self.seal["seeds"]
            return seeds
        return self.hashes or {}


@dataclass(slots=True)
class TableState:
    """A table: the engine's table, counters, the shoes in play in their order; `banking` whether the rules
    ever move the bank."""

    id: str
    rules: Rules
    policy: Mapping[str, int]
    table: Table
    shoes: int = 0
    rounds: int = 0
    live: list[Shoe] = field(default_factory=list)
    open: OpenRound | None = None
    out: str | None = None
    closed: bool = False
    banking: bool = field(init=False)

    def __post_init__(self) -> None:
        self.banking = type(self.rules).between is not Rules.between

    @property
    def seat_of(self) -> dict[str, int]:
        return {player: chair for chair, player in self.table.players.items()}

    def name(self, number: int) -> str:
        """How findings name a round."""
        return f"{self.id}#{number}"
