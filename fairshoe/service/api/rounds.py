"""Bets and decisions."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..ceremony.commands import Decide, PlaceBets, Stake
from . import answers, requests
from .context import bearer, seat_of, sequencer, table_answer
from .routes import Routes

routes = Routes("rounds", "Bets and decisions")


@routes.post("/tables/<table>/bets", requests.Bets, answers.TableState)
def place_bets(body: dict[str, Any], table: str) -> Response:
    """Bet on the next round, or pass; until it opens your bets may be replaced."""
    stakes = tuple(Stake(bet["amount"], bet.get("box")) for bet in body["bets"])
    return table_answer(
        sequencer().act(table, bearer(), lambda caller: PlaceBets(seat_of(caller), body["round"], stakes))
    )


@routes.post("/tables/<table>/decisions", requests.Decision, answers.TableState)
def decide(body: dict[str, Any], table: str) -> Response:
    """Make the choice that is yours: in the round, or about the bank."""
    amount, chosen = body.get("amount", 0), tuple(body.get("chosen", ()))
    return table_answer(
        sequencer().act(
            table,
            bearer(),
            lambda caller: Decide(seat_of(caller), body["step"], body["move"], amount, chosen),
        )
    )
