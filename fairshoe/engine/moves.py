"""Legal moves, decision points and decisions: `Move`, `Ask`, `Decision`."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ..errors import IllegalDecision

SEAT = "seat"
TABLE = "table"


class Decision(NamedTuple):
    """One logged choice. `by`: "seat", or "table" at the time limit; `amount` in the smallest unit; `chosen`: seats."""

    actor: int
    move: str
    amount: int = 0
    chosen: tuple[int, ...] = ()
    by: str = SEAT


class Move(NamedTuple):
    """A legal move: amounts from `low` to `high`; seats in `among`, from `fewest` to `most` of them. `prompt`: the
    table must ask the player about it (BX-16, BX-21)."""

    name: str
    low: int = 0
    high: int = 0
    among: tuple[int, ...] = ()
    fewest: int = 0
    most: int = 0
    prompt: bool = False

    def allows(self, decision: Decision) -> bool:
        if not self.low <= decision.amount <= self.high:
            return False
        chosen = decision.chosen
        if not chosen:
            return self.fewest == 0
        return (
            self.fewest <= len(chosen) <= self.most
            and all(seat in self.among for seat in chosen)
            and all(a < b for a, b in pairwise(chosen))
        )

    def __str__(self) -> str:
        text = self.name
        if self.high:
            text += f" {self.low}" if self.low == self.high else f" {self.low} to {self.high}"
        if self.among:
            text += " of seats " + ", ".join(map(str, self.among))
        return text


class Ask(NamedTuple):
    """A decision point: who may do what. `default`: the table's move at the time limit (GE-07). `hand`: the index of
    the hand that is played, or -1."""

    actor: int
    hand: int
    moves: tuple[Move, ...]
    default: Move

    def allows(self, decision: Decision) -> bool:
        if decision.actor != self.actor:
            return False
        if decision.by != SEAT and decision != self.default_decision():
            return False
        name = decision.move
        for move in self.moves:
            if move.name == name and move.allows(decision):
                return True
        return False

    def check(self, decision: Decision) -> None:
        """Raise IllegalDecision, naming what would have been legal (GE-08)."""
        if not self.allows(decision):
            raise IllegalDecision(
                f"seat {decision.actor} may not {Move(decision.move, decision.amount, decision.amount)} now",
                where="decision",
                expected=self.legal_moves,
            )

    @property
    def legal_moves(self) -> str:
        """The seat to act and its legal moves, in words."""
        return f"seat {self.actor}: " + "; ".join(map(str, self.moves))

    def default_decision(self) -> Decision:
        """Return the choice that the table makes at its time limit: every seat of `among`, the lowest amount."""
        move = self.default
        chosen = move.among if len(move.among) <= move.most else move.among[: move.most]
        return Decision(self.actor, move.name, move.low, chosen, TABLE)


HIT = Move("hit")
STAND = Move("stand")
DOUBLE = Move("double")
SPLIT = Move("split")
SURRENDER = Move("surrender")
DECLINE = Move("decline")
HIT_OR_STAND = (HIT, STAND)
