"""The ceremony: a shoe, hashes, seeds, waivers, a reshuffle on request."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import AskReshuffle, AskShoe, GiveHash, GiveSeed, Waive
from ...log.hand_proof import proof_text
from ...record.forms import shoe_id
from ..tokens import OPERATOR, SEAT
from . import answers, requests
from .context import JSON, by_seat, respond, sent, sequencer
from .routes import Routes, Told

routes = Routes("shoes", "The ceremony that makes a shoe")


@routes.post("/tables/<table>/shoe", requests.Nothing, answers.TableState, roles=(SEAT, OPERATOR))
def ask_shoe(_: dict[str, Any], table: str) -> Response:
    """Begin a shoe: the house commits to a fresh key (any seat, or the operator)."""
    return respond(sequencer().act(table, sent(), lambda caller: AskShoe(caller.seat)))


@routes.post("/tables/<table>/hash", requests.Hash, answers.TableState)
def send_hash(body: dict[str, Any], table: str) -> Response:
    """Promise a seed by its SHA-256; the cutter cuts with it."""
    return by_seat(table, lambda seat: GiveHash(seat, body["hash"], body.get("cut")))


@routes.post("/tables/<table>/seed", requests.Seed, answers.TableState)
def open_seed(body: dict[str, Any], table: str) -> Response:
    """Open the seed that you promised, when it is your turn, or hand in one that you owe; a sole contributor sends
    seed and cut after the bet."""
    return by_seat(table, lambda seat: GiveSeed(seat, body["seed"], body.get("cut")))


@routes.post("/tables/<table>/waiver", requests.Nothing, answers.TableState)
def waive_seed(_: dict[str, Any], table: str) -> Response:
    """Bet on the present shoe without a seed of your own in it; the log shows that you did."""
    return by_seat(table, Waive)


@routes.post("/tables/<table>/reshuffle", requests.Nothing, answers.TableState)
def ask_reshuffle(_: dict[str, Any], table: str) -> Response:
    """Until the opening begins: have the shoe thrown away, its key revealed, and another one committed."""
    return by_seat(table, AskReshuffle)


@routes.get("/tables/<table>/shoes/<int:number>/proof", answer=answers.HandProof, told=Told((404,)))
def prove_shoe(table: str, number: int) -> Response:
    """How far a shoe has come, by entries that are shown to stand in the log, under the newest checkpoint: look at it
    before you open a seed. The form is that of a hand's proof file, with the shoe's id as `round`."""
    seen = sequencer()
    proof = seen.proofs.of_shoe(shoe_id(table, number), seen.nodes)
    return Response(proof_text(proof), mimetype=JSON, headers={"Cache-Control": "no-cache"})
