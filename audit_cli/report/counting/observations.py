"""What there is to see in a log while it is audited, settled rounds, shoes that ended, shoes whose order is known; and
what a count of it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from fairshoe.engine.rules import Rules
from fairshoe.protocol.deck import Deck


class SettledRound(NamedTuple):
    """A settled round. `at` and `opened`: when it was settled, and when its bets stood; `entry`: the log's, of its
    shape; `players`: who sits in which chair; `bank`: the chair that banked, or an account of the house; `stakes`: by
    chair and box what was bet before the first card, of the bets that were dealt; `first`: no round was dealt from its
    shoe before."""

    at: str
    opened: str
    table: str
    rules: Rules
    entry: Mapping[str, Any]
    players: Mapping[int, str]
    bank: int
    stakes: Mapping[tuple[int, int], int]
    first: bool

    def hands(self) -> dict[tuple[int, int], list[dict[str, Any]]]:
        """By chair and box the hands that a bet became."""
        found: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for hand in self.entry["hands"]:
            found.setdefault((hand["seat"], hand.get("box", hand["seat"])), []).append(hand)
        return found


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
    "" for the house.
    """

    position: int
    stakes: Sequence[SeatStake]
    late: Sequence[SeatStake] = ()
    cards: Sequence[str] = ()
    hands: Sequence[ObservedHand] = ()
    dealer: ObservedHand | None = None
    decided: frozenset[int] = frozenset()
    banker: str = ""


class ObservedShoe(NamedTuple):
    """A shoe whose order is known: its key is revealed, and all its seeds are in the log.

    `order`: the whole dealt order. `players`: whose seeds are in it. `dealt`: False where it was void, so that no card
    of it was dealt. `rest`: the bets with which what was not dealt is played, from `start` or the last round's end on;
    none where nothing is left to play. `draws`: the shoe's named draws.
    """

    table: str
    rules: Rules
    order: Sequence[str]
    players: Sequence[str]
    rounds: Sequence[ObservedRound]
    dealt: bool = True
    rest: Sequence[SeatStake] = ()
    start: int = 0
    draws: Sequence[tuple[str, int]] = ()
    banker: str = ""


# Counts.


class FieldSums:
    """Sums that add up: `ADDS` names their fields."""

    ADDS: ClassVar[tuple[str, ...]] = ()
    __slots__ = ()

    def merge(self, other: Self) -> None:
        """Add another's."""
        for name in self.ADDS:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Count:
    """Something that is counted while a log is audited; each kind takes of these what it needs."""

    def round(self, seen: SettledRound) -> None:
        """A settled round that is as the rules have it."""

    def ended(self, seen: EndedShoe) -> None:
        """A shoe that ended, whatever became of it."""

    def shoe(self, seen: ObservedShoe) -> None:
        """A shoe of a table whose whole order is known, after it ended."""
