"""Bets and decisions, and a hand afterwards: as a proof file, and as the page that checks it."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import Decide, Here, NoMoreBets, PlaceBets, Stake
from ...log.hand_proof import proof_text
from ..tokens import OPERATOR
from . import answers, requests
from .context import JSON, PROOF, address_of, by_operator, by_seat, sequencer
from .pages import HTML, check_page
from .routes import Routes, Told, header

routes = Routes("rounds", "Bets and decisions")
PROVED = Told((404, 409), header("Link", 'The same hand in its other form, rel="alternate"'))


@routes.post("/tables/<table>/bets", requests.Bets, answers.TableState)
def place_bets(body: dict[str, Any], table: str) -> Response:
    """Bet on the next round, or pass; until it opens your bets may be replaced."""
    stakes = tuple(Stake(bet["amount"], bet.get("box")) for bet in body["bets"])
    return by_seat(table, lambda seat: PlaceBets(seat, body["round"], stakes))


@routes.post("/tables/<table>/decisions", requests.Decision, answers.TableState)
def make_decision(body: dict[str, Any], table: str) -> Response:
    """Make the choice that is yours: in the round, or about the bank."""
    amount, chosen = body.get("amount", 0), tuple(body.get("chosen", ()))
    return by_seat(table, lambda seat: Decide(seat, body["round"], body["step"], body["move"], amount, chosen))


@routes.post("/tables/<table>/no-more-bets", requests.Nothing, answers.TableState, roles=(OPERATOR,))
def close_betting(_: dict[str, Any], table: str) -> Response:
    """Close the betting (the operator, in boxes): the round opens with the bets that are in (BX-06)."""
    return by_operator(table, NoMoreBets())


@routes.post("/tables/<table>/here", requests.Nothing, answers.TableState)
def say_here(_: dict[str, Any], table: str) -> Response:
    """Say that you are back: after two time limits in a row nobody waits for your chair until it does something."""
    return by_seat(table, Here)


@routes.get("/rounds/<round>/proof", answer=answers.HandProof, query=requests.CheckpointQuery, told=PROVED)
def prove_round(query: dict[str, Any], round: str) -> Response:
    """The proof file of one hand, under the newest checkpoint, with its cosignatures: docs/proof.md has what is in
    it."""
    return _linked(Response(_proof(query, round), mimetype=JSON), address_of(round), HTML)


@routes.get("/rounds/<round>/verify", query=requests.CheckpointQuery, media=HTML, told=PROVED)
def verify_round(query: dict[str, Any], round: str) -> Response:
    """The page that checks a hand in a browser, with this hand in it: docs/verify-page.md."""
    return _linked(check_page(_proof(query, round)), address_of(round, PROOF), JSON)


def _proof(query: dict[str, Any], round: str) -> str:
    seen = sequencer()
    return proof_text(seen.proofs.of(round, seen.nodes, int(query.get("witnesses", "0"))))


def _linked(response: Response, address: str, media: str) -> Response:
    """The answer with a link to its other form (RFC 8288)."""
    response.headers["Link"] = f'<{address}>; rel="alternate"; type="{media}"'
    return response
