"""What a seat, the public or the dealer may see of a round, at any step. Built on demand."""

from __future__ import annotations

from typing import Any

from .cards import Dealt
from .hand import UP, Hand
from .moves import Move
from .round import Round
from .table import account_name

PUBLIC = -9
"""The audience that sees only what lies face up."""


def view(round: Round, audience: int, upto: int | None = None) -> dict[str, Any]:
    """The round as `audience` (a seat, HOUSE for the dealer, PUBLIC) sees it, as plain JSON values.

    `upto`: as it stood after that many decisions. A hidden card is null, and so is the total of a
    hand with one; the legal moves are shown to the seat that has them and to nobody else.
    """
    if upto is not None and upto != len(round.decisions):
        round = as_of(round, upto)
    seen: dict[str, Any] = {
        "chips": {account_name(account): chips for account, chips in sorted(round.purse.items())},
        "dealer": _hand(round, round.dealer, audience),
        "hands": [_hand(round, hand, audience) for hand in round.hands],
        "over": round.over,
    }
    ask = round.ask
    if ask is not None:
        seen["turn"] = ask.actor
        if ask.actor == audience:
            seen["hand"] = ask.hand
            seen["moves"] = [move_form(move) for move in ask.moves]
            seen["step"] = len(round.decisions)
    return seen


def as_of(round: Round, step: int) -> Round:
    """The same round after only `step` decisions."""
    source = Dealt(round.cards, position=round.position, present=round.present, size=round.size)
    again = Round(round.table, source, round.bets)
    for decision in round.decisions[:step]:
        again.decide(decision)
    return again


def _hand(round: Round, hand: Hand, audience: int) -> dict[str, Any]:
    visible = [face in (UP, audience) for face in hand.faces]
    seen: dict[str, Any] = {
        "cards": [label if ok else None for label, ok in zip(hand.cards, visible, strict=True)],
        "total": round.rules.total(hand) if all(visible) else None,
    }
    if hand.bet:
        seen |= {"bet": hand.bet, "box": hand.box, "seat": hand.seat}
    if hand.insured:
        seen["insured"] = hand.insured
    if hand.outcome:
        seen |= {"net": hand.net, "outcome": hand.outcome}
    if hand.short:
        seen["short"] = hand.short
    return seen


def move_form(move: Move) -> dict[str, Any]:
    """A legal move as JSON values: amounts and seats where it takes any."""
    form: dict[str, Any] = {"move": move.name}
    if move.high:
        form |= {"low": move.low, "high": move.high}
    if move.among:
        form |= {"among": list(move.among), "fewest": move.fewest, "most": move.most}
    if move.prompt:
        form["prompt"] = True
    return form
