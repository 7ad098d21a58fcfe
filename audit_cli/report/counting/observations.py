"""Observations while a log is audited, and counts of them: settled rounds, ended shoes, shoes of known order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from fairshoe.engine.round import Round
from fairshoe.engine.rules import Rules
from fairshoe.protocol.deck import Deck


class SettledRound(NamedTuple):
    """A settled round."""

    at: str  # time of the `round`
    table: str  # the table's id
    played: Round  # as the rules have it, at the table as it was before
    first: bool  # no round was dealt from its shoe before
    placed: bool  # its cards lie where a placer gave


class EndedShoe(NamedTuple):
    """A shoe that ended; `table` is "" for one without. `entry`: the one that ended it, None where the audit could not
    follow that; `rounds`: how many were dealt from it. `revealed`: it was sealed, and its key is out; then `order` has
    the indexes of its `deck` as they were shuffled, before any cut, or None where key and cut do not fit; `row` are the
    cards that were dealt in rounds without a gap."""

    table: str
    entry: Mapping[str, Any] | None
    rounds: int
    deck: Deck
    revealed: bool = False
    order: Sequence[int] | None = None
    row: Sequence[str] = ()


class SeatStake(NamedTuple):
    """A bet that stood: `seat` and the player in it, chips, in acting order."""

    seat: int
    player: str
    amount: int


class ObservedHand(NamedTuple):
    """A hand as it was played: the seat, the labels in the order dealt, and where each lies among the round's cards."""

    seat: int
    cards: Sequence[str]
    offsets: Sequence[int]


class ObservedRound(NamedTuple):
    """A round that was logged on a shoe.

    `position`: of its first card in the dealt order. `late`: who bet too late, as the house says. `cards`: dealt, in
    order, up to a reshuffle in the middle of the deal; none where the bets stood and nothing was dealt. `hands`,
    `dealer` and `decided` (the seats that made a choice in it) are for the bust test. `banker` is the player who banks,
    "" for the house. `at`: its time, if it was settled, with `net`, what all bets together won.
    """

    position: int
    stakes: Sequence[SeatStake]
    late: Sequence[SeatStake] = ()
    cards: Sequence[str] = ()
    hands: Sequence[ObservedHand] = ()
    dealer: ObservedHand | None = None
    decided: frozenset[int] = frozenset()
    banker: str = ""
    at: str = ""
    net: int = 0


class ObservedShoe(NamedTuple):
    """A shoe whose order is known: its key is revealed, and all its seeds are in the log."""

    table: str  # the table's id
    rules: Rules  # the table's rules
    order: Sequence[str]  # labels of the whole dealt order
    players: Sequence[str]  # whose seeds are in it
    rounds: Sequence[ObservedRound]  # the rounds logged on it
    dealt: bool = True  # False if it was void, so that no card was dealt
    rest: Sequence[SeatStake] = ()  # bets for what was not dealt; none if nothing is left to play
    start: int = 0  # position where that begins, unless a round ended later
    draws: Sequence[tuple[str, int]] = ()  # the shoe's named draws
    banker: str = ""  # the player who banks those bets, "" for the house


# Counts.


class FieldSums:
    """Sums that add up: `ADDS` names their fields."""

    ADDS: ClassVar[tuple[str, ...]] = ()
    __slots__ = ()

    def merge(self, other: Self) -> None:
        """Add another's."""
        for name in self.ADDS:
            setattr(self, name, _sum(getattr(self, name), getattr(other, name)))


def _sum(one: Any, other: Any) -> Any:
    """Return two sums as one: numbers and counts added, of dictionaries what stands under each key."""
    if isinstance(one, FieldSums):
        one.merge(other)
        return one
    if isinstance(one, Counter):
        one.update(other)
        return one
    if isinstance(one, dict):
        for key, value in other.items():
            one[key] = _sum(one[key], value) if key in one else value
        return one
    return one + other


class Count(FieldSums):
    """Something that is counted while a log is audited; each kind takes of these what it needs. The counts of a log's
    tables add up to those of the log, whoever counts which."""

    def round(self, seen: SettledRound) -> None:
        """A settled round that is as the rules have it."""

    def add_shoe(self, seen: EndedShoe) -> None:
        """A shoe that ended, whatever became of it."""

    def shoe(self, seen: ObservedShoe) -> None:
        """A shoe of a table whose whole order is known, after it ended."""
