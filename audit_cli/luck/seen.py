"""What the luck tests are fed with: a shoe that is over, with the rounds that were logged on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairshoe.engine.rules import Rules


class Stake(NamedTuple):
    """A bet that stood: `seat` and the player in it, chips, in acting order."""

    seat: int
    player: str
    amount: int


class HandSeen(NamedTuple):
    """A hand as it was played: the seat, the labels in the order dealt, and where each lies among the round's cards."""

    seat: int
    cards: Sequence[str]
    offsets: Sequence[int]


class RoundSeen(NamedTuple):
    """A round that was logged on a shoe.

    `position`: of its first card in the dealt order. `late`: who bet too late, as the house says. `cards`: dealt, in
    order, up to a reshuffle in the middle of the deal; none where the bets stood and nothing was dealt. `hands`,
    `dealer` and `decided` (the seats that made a choice in it) are for the bust test. `banker` is the player who banks,
    "" for the house.
    """

    position: int
    stakes: Sequence[Stake]
    late: Sequence[Stake] = ()
    cards: Sequence[str] = ()
    hands: Sequence[HandSeen] = ()
    dealer: HandSeen | None = None
    decided: frozenset[int] = frozenset()
    banker: str = ""


class ShoeSeen(NamedTuple):
    """A shoe whose order is known: its key is revealed, and all its seeds are in the log.

    `order`: the whole dealt order. `players`: whose seeds are in it. `dealt`: False where it was void, so that no card
    of it was dealt. `rest`: the bets with which what was not dealt is played, from `start` or the last round's end on;
    none where nothing is left to play. `insert`: the shoe's named draws.
    """

    table: str
    rules: Rules
    order: Sequence[str]
    players: Sequence[str]
    rounds: Sequence[RoundSeen]
    dealt: bool = True
    rest: Sequence[Stake] = ()
    start: int = 0
    draws: Sequence[tuple[str, int]] = ()
    banker: str = ""
