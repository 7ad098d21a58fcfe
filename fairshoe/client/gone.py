"""Why a seat's token, or its table, is worth nothing any more, as the log has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import Problem, Unreachable
from .moves import Move, moves_of
from .replaced import LogReplaced, replaced

if TYPE_CHECKING:
    from .table import Table

NOBODYS, NOWHERE = 401, 404
"""The statuses of a token that is worth nothing, and of a table that is not there."""


class ChairGone(Problem):
    """The chair was left, by the house's word or by another program with its token: `entry` of the log says so, and
    with how many `chips`."""

    def __init__(self, refusal: Problem, move: Move) -> None:
        remedy = "the chips are the player's: ask the house for them" if move.by_house else ""
        remedy = f"{remedy}; to play on sit down anew".removeprefix("; ")
        super().__init__(refusal.status, refusal.body | {"detail": f"{move}; {remedy}"})
        self.entry = move.number
        self.chips: int = move.entry["amount"]


class TokenGone(Problem):
    """The player sits there, by the log, and the token is not the chair's any more."""

    def __init__(self, refusal: Problem, player: str) -> None:
        what = f"by the log {player} has a chair, and this token is worth nothing any more"
        why = "the operator has made another one or revoked it, or the house was restored from before it was made"
        remedy = "ask the operator for a token, and go on with table.resume(book, token=TOKEN)"
        super().__init__(refusal.status, refusal.body | {"detail": f"{what}: {why}; {remedy}"})


def why_gone(refusal: Problem, player: str, moves: Sequence[Move]) -> Problem:
    """`moves`: those of the player since the token was known to be good."""
    last = next((move for move in reversed(moves) if move.leaves or move.entry["op"] == "buy-in"), None)
    return ChairGone(refusal, last) if last is not None and last.leaves else TokenGone(refusal, player)


def explained(refusal: Problem, table: Table, player: str, since: int, origin: str) -> Problem:
    """The same refusal, or why the seat is gone. `since`: how many entries the log `origin` had while the token was
    known to be good."""
    if refusal.status not in (NOBODYS, NOWHERE):
        return refusal
    before = replaced(table.client, origin)
    if before is not None:
        return LogReplaced(before, refusal)
    if refusal.status == NOWHERE:
        return refusal
    try:
        return why_gone(refusal, player, moves_of(table, player, since))
    except (Problem, Unreachable, KeyError, TypeError, ValueError):
        return refusal
