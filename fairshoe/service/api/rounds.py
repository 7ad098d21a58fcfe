"""The ceremony that makes a shoe, bets and decisions, and a hand afterwards: its proof file, and its page."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Response

from ...ceremony.acting import commands
from ...log.hand_proof import proof_text
from ...record.forms import shoe_id
from ..tokens import OPERATOR, SEAT
from . import answers, requests
from .context import JSON, PROOF, act_at_table, address_of, bearer, json_response, respond, sent_request, sequencer
from .pages import HTML, check_page
from .routes import ResponseSpec, RouteGroup

MAX_OPENINGS = 64
"""Of one answer."""
ceremony = RouteGroup("shoes", "The ceremony that makes a shoe")


@ceremony.post("/tables/<table>/shoe", requests.Nothing, answers.TableStateResponse, roles=(SEAT, OPERATOR))
def ask_shoe(_: dict[str, Any], table: str) -> Response:
    """Begin a shoe: the house commits to a fresh key (any seat, or the operator)."""
    return act_at_table(table, commands.AskShoe)


@ceremony.post("/tables/<table>/hash", requests.HashRequest, answers.TableStateResponse)
def send_hash(body: dict[str, Any], table: str) -> Response:
    """Promise a seed by its SHA-256; the cutter cuts with it."""
    return act_at_table(
        table, partial(commands.GiveHash, hash=body["hash"], cut=body.get("cut"), shoe=body.get("shoe"))
    )


@ceremony.post("/tables/<table>/seed", requests.SeedRequest, answers.TableStateResponse)
def open_seed(body: dict[str, Any], table: str) -> Response:
    """Open the seed that you promised, when it is your turn, or hand in one that you owe; a sole contributor sends
    seed and cut after the bet."""
    return act_at_table(table, partial(commands.GiveSeed, seed=body["seed"], cut=body.get("cut")))


@ceremony.post("/tables/<table>/waiver", requests.OfShoe, answers.TableStateResponse)
def waive_seed(body: dict[str, Any], table: str) -> Response:
    """Bet on the present shoe without a seed of your own in it; the log shows that you did."""
    return act_at_table(table, partial(commands.Waive, shoe=body.get("shoe")))


@ceremony.post("/tables/<table>/reshuffle", requests.OfShoe, answers.TableStateResponse)
def ask_reshuffle(body: dict[str, Any], table: str) -> Response:
    """Until the opening begins: have the shoe thrown away, its key revealed, and another one committed."""
    return act_at_table(table, partial(commands.AskReshuffle, shoe=body.get("shoe")))


@ceremony.post("/tables/<table>/commitment", requests.CommitmentRequest, answers.TableStateResponse)
def commit_placer(body: dict[str, Any], table: str) -> Response:
    """Commit to a key for the shoe that is asked for, at a table whose player places (docs/placer-protocol.md)."""
    sequencer().check_player_places(table)
    return act_at_table(table, commands.GiveCommitment(body["shoe"], body["commitment"]))


@ceremony.post("/tables/<table>/places", requests.PlacesRequest, answers.TableStateResponse, roles=())
def give_places(body: dict[str, Any], table: str) -> Response:
    """Answer a question that is `awaited` of your client: with places, or with its key for a shoe that is over. It is
    signed: who has left the chair sends it without a token, and so does anybody who brings the answer of another
    placer to `placer.question`. `answer_receipt` is the house's receipt of it; while the open round asks for nothing
    the newest answer has another one whenever it is sent."""
    request = sent_request()
    request = request._replace(roles=(SEAT,) if request.token else ())
    answer = sequencer().answer_of(table, body["question"], tuple(body["given"]), body["note"])
    return respond(sequencer().act(table, request, answer))


@ceremony.get(
    "/tables/<table>/openings",
    answers.OpeningsResponse,
    requests.OpeningsQuery,
    token=True,
    response_spec=ResponseSpec((404,)),
)
def show_openings(query: dict[str, Any], table: str) -> Response:
    """What shows that the `seal` of the shoe in play bound each card (docs/protocol.md, openings), if it has a root.
    With a seat's token also of the cards that the seat alone sees."""
    shown = sequencer().openings(table, bearer(), int(query.get("from_", 0)), MAX_OPENINGS)
    response = json_response(shown)
    response.vary.add("Authorization")
    return response


@ceremony.get("/tables/<table>/shoes/<int:number>/proof", answers.HandProofResponse, response_spec=ResponseSpec((404,)))
def prove_shoe(table: str, number: int) -> Response:
    """How far a shoe has come, by entries that are shown to stand in the log, under the newest checkpoint: look at it
    before you open a seed. The form is that of a hand's proof file, with the shoe's id as `round`."""
    proof = sequencer().log.proof_of_shoe(shoe_id(table, number))
    return Response(proof_text(proof), mimetype=JSON, headers={"Cache-Control": "no-cache"})


routes = RouteGroup("rounds", "Bets and decisions")
PROVED = ResponseSpec((404, 409), {"Link": 'The same hand in its other form, rel="alternate"'})


@routes.post("/tables/<table>/bets", requests.BetsRequest, answers.TableStateResponse)
def place_bets(body: dict[str, Any], table: str) -> Response:
    """Bet on the next round, or pass; until it opens your bets may be replaced."""
    stakes = tuple(commands.Stake(bet["amount"], bet.get("box")) for bet in body["bets"])
    return act_at_table(table, partial(commands.PlaceBets, round=body["round"], stakes=stakes))


@routes.post("/tables/<table>/decisions", requests.DecisionRequest, answers.TableStateResponse)
def make_decision(body: dict[str, Any], table: str) -> Response:
    """Make the choice that is yours: in the round, or about the bank."""
    return act_at_table(table, partial(commands.Decide, **body | {"chosen": tuple(body.get("chosen", ()))}))


@routes.post("/tables/<table>/no-more-bets", requests.Nothing, answers.TableStateResponse, roles=(OPERATOR,))
def close_betting(_: dict[str, Any], table: str) -> Response:
    """Close the betting (the operator, in boxes): the round opens with the bets that are in (BX-06)."""
    return act_at_table(table, commands.NoMoreBets())


@routes.post("/tables/<table>/here", requests.Nothing, answers.TableStateResponse)
def say_here(_: dict[str, Any], table: str) -> Response:
    """Say that you are back: after two time limits in a row nobody waits for your chair until it does something."""
    return act_at_table(table, commands.Here)


@routes.get("/rounds/<round>/proof", answers.HandProofResponse, requests.CheckpointQuery, response_spec=PROVED)
def prove_round(query: dict[str, Any], round: str) -> Response:
    """The proof file of one hand, under the newest checkpoint, with its cosignatures: docs/proof.md has what is in
    it."""
    return _linked(Response(_proof(query, round), mimetype=JSON), address_of(round), HTML)


@routes.get("/rounds/<round>/verify", HTML, requests.CheckpointQuery, response_spec=PROVED)
def verify_round(query: dict[str, Any], round: str) -> Response:
    """The page that checks a hand in a browser, with this hand in it: docs/verify-page.md."""
    return _linked(check_page(_proof(query, round)), address_of(round, PROOF), JSON)


def _proof(query: dict[str, Any], round: str) -> str:
    return proof_text(sequencer().proof_of(round, int(query.get("witnesses", "0"))))


def _linked(response: Response, address: str, media: str) -> Response:
    """The answer with a link to its other form (RFC 8288)."""
    response.headers["Link"] = f'<{address}>; rel="alternate"; type="{media}"'
    return response
