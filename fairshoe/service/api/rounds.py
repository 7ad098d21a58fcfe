"""Bets and decisions."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import Command, Decide, Here, NoMoreBets, PlaceBets, Stake
from ...log.hand_proof import proof_text
from ..tokens import Caller
from . import answers, requests
from .context import bearer, only_operator, seat_of, sequencer, table_answer
from .routes import Routes

routes = Routes("rounds", "Bets and decisions")
JSON = "application/json"


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
            lambda caller: Decide(seat_of(caller), body["round"], body["step"], body["move"], amount, chosen),
        )
    )


@routes.post("/tables/<table>/no-more-bets", requests.Nothing, answers.TableState)
def close_betting(_: dict[str, Any], table: str) -> Response:
    """Close the betting (the operator, in boxes): the round opens with the bets that are in (BX-06)."""

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return NoMoreBets()

    return table_answer(sequencer().act(table, bearer(), make))


@routes.post("/tables/<table>/here", requests.Nothing, answers.TableState)
def be_back(_: dict[str, Any], table: str) -> Response:
    """Say that you are back: after two time limits in a row nobody waits for your chair until it does something."""
    return table_answer(sequencer().act(table, bearer(), lambda caller: Here(seat_of(caller))))


@routes.get("/rounds/<round>/proof", media=JSON)
def prove(round: str) -> Response:
    """The proof file of one hand under the newest checkpoint: docs/proof.md says what is in it."""
    seen = sequencer()
    return Response(proof_text(seen.proofs.of(round, seen.nodes)), mimetype=JSON)
