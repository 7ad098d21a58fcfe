"""Hands where the bank is a chair (chinese, pontoon): what their tests share beyond tests/hands.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairshoe.engine.cards import Stack
from fairshoe.engine.round import BankSettlement, Round
from fairshoe.engine.table import Table
from fairshoe.engine.view import view
from tests.hands import Bets, bets_of, go_on, labels, said, seated


def pack(cards: str, *, size: int = 52) -> Stack:
    """The next cards of a pack of `size`; the rest lies among the discards, and may not be needed."""
    stack = Stack(labels(cards))
    stack.size = size
    return stack


def begin(table: Table, cards: str, bets: Bets = (1,), moves: str = "", *, size: int = 52) -> Round:
    """A round at this table, as far as these moves bring it."""
    return go_on(Round(table, pack(cards, size=size), bets_of(bets)), moves)


def banked(
    name: str, bets: Bets = (1,), *, bank: int | None = None, chips: int | Mapping[int, int] = 1000, **options: Any
) -> Table:
    """A table whose dealer sits in chair `bank`: unless told, the chair behind those that bet."""
    chairs = [bet.seat for bet in bets_of(bets)]
    dealer = max(chairs) + 1 if bank is None else bank
    return seated(name, sorted({*chairs, dealer}), chips=chips, bank=dealer, **options)


def settle(table: Table, moves: str = "") -> BankSettlement:
    """Who banks next, after these moves."""
    between = BankSettlement(table)
    for word in moves.split():
        assert between.ask is not None, f"nobody is asked before {word!r}"
        between.decide(said(between.ask, word))
    return between


def seen(played: Round, audience: int) -> list[list[str | None]]:
    """The cards of every hand as an audience sees them, the dealer's last: ranks, or None."""
    shown = view(played, audience)
    return [
        [None if label is None else label[0] for label in hand["cards"]] for hand in (*shown["hands"], shown["dealer"])
    ]


def totals(played: Round, audience: int) -> list[int | None]:
    """The totals that an audience sees, the dealer's last."""
    shown = view(played, audience)
    return [hand["total"] for hand in (*shown["hands"], shown["dealer"])]


def outcomes(played: Round) -> list[str]:
    return [hand.outcome for hand in played.hands]


def chips(played: Round, seats: Sequence[int]) -> list[int]:
    """What these seats have gained so far, stakes on the table included as spent."""
    return [played.purse[seat] - played.table.purse[seat] for seat in seats]
