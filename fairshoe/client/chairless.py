"""A request for a chair whose answer, and the token in it, may be lost for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError
from .book import Book
from .client import Form
from .errors import Problem
from .forgotten import is_forgotten, sent_at
from .gone import ChairGone
from .moves import Move, moves_of, public_state
from .requests import Request

if TYPE_CHECKING:
    from .table import Table


class TokenLost(Problem):
    """The chair was taken, and the answer that had its token cannot be asked for again."""

    def __init__(self, move: Move) -> None:
        what = f"the chair was taken ({move}), and its token is lost"
        remedy = "ask the operator for a token, and go on with table.resume(book, token=TOKEN)"
        super().__init__(0, {"detail": f"{what}: {remedy}"})


def check_chairless(table: Table, book: Book, request: Request) -> None:
    """Return where the request may be sent again. Raises TokenLost, ChairGone where it was done, InputError where it
    was not and is too old; Problem, Unreachable."""
    state = public_state(table)
    if not is_forgotten(request, state):
        return
    move = _taken(table, book.player, sent_at(request, state))
    if move is None and request.stale:
        book.answered(request, done=False)
        raise InputError("its request for a chair was not done", where=str(book.path), remedy="sit down anew")
    if move is not None and move.leaves:
        book.gone()
        raise ChairGone(Problem(0, {}), move)
    if move is not None:
        raise TokenLost(move)


def _taken(table: Table, player: str, since: str) -> Move | None:
    """How the player took a chair since then; where it was left again, that."""
    moves = [move for move in moves_of(table, player, 0) if move.entry["at"] >= since]
    taken = [move for move in moves if move.entry["op"] == "buy-in"]
    left = [move for move in moves if move.leaves]
    return (left or taken)[-1] if taken else None


def seated_by(table: Table, book: Book, token: str) -> None:
    """Give a book the chair of a token that the operator has made: the chair as the token itself sees it. Raises
    InputError where it is another player's, Problem, Unreachable."""
    state = table.state()
    you: Form = state.get("you", {})
    if you.get("player") != book.player:
        whose = f"{you['player']}'s" if "player" in you else "no chair's"
        raise InputError(f"this token is {whose}", where="token", expected=f"{book.player}'s, of the book {book.path}")
    chairless = not book.token or book.left
    if book.waiting is not None and chairless:
        book.answered(book.waiting, done=True)
    book.seated(you["seat"], token, state["log"] if chairless else None)
