"""Shoes without a table, for a game of one's own: committed to, drawn from card by card, in public or hidden to one
player, and revealed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Response

from ...ceremony.acting.beacons import BeaconChoice, beacon_form, wanted_beacon
from ...ceremony.acting.commands import DrawCards, GiveHash, GiveSeed
from ...ceremony.acting.lone_shoe import ROW, LoneShoe, deadlines_of_shoe
from ...ceremony.acting.shoe_machine import GatherCards, NewShoe, RevealShoe, ShowCards, VoidShoe, find_run
from ...ceremony.contributing import openers
from ...ceremony.policy import policy_of
from ...ceremony.stages import Stage
from ...log.hand_proof import proof_text
from ...log.times import timestamp
from ..beacons import check_beacons
from ..placers import addresses, check_placer
from ..replies import TableReply
from ..sequencer import Sequencer, new_shoe_id
from ..shoe_sequencer import MakeShoeCommand
from ..tokens import OPERATOR, SEAT, digest_of, new_token
from . import answers, requests
from .context import JSON, bearer, json_response, respond, sent_request, sequencer
from .routes import ResponseSpec, RouteGroup

routes = RouteGroup("games", "Shoes without a table, for a game of your own")
CREATED_SPEC = ResponseSpec(headers={"Location": "Where the shoe is"})


@routes.post(
    "/shoes",
    requests.NewShoeRequest,
    answers.CreatedShoeResponse,
    status=201,
    roles=(OPERATOR,),
    response_spec=CREATED_SPEC,
)
def create_shoe(body: dict[str, Any]) -> Response:
    """Commit to a shoe without a table (the operator). A player without a `token_sha256` gets a token in the answer:
    hand it on to that player alone."""
    name, placer = body.get("shoe") or new_shoe_id(), body.get("placer", "")
    check_placer(placer, sequencer().settings.placers)
    tokens = {each["player"]: new_token() for each in body["roster"] if "token_sha256" not in each}
    digests = [each.get("token_sha256") or digest_of(tokens[each["player"]]) for each in body["roster"]]
    new = NewShoe(
        name,
        body.get("deck", ""),
        tuple(body.get("labels", ())),
        tuple(each["player"] for each in body["roster"]),
        body.get("draws", {}),
        policy_of(body.get("policy", {})),
        body.get("cutter"),
        body.get("rules_hash"),
        placer,
        beacon_of(body.get("beacon")),
    )
    request = sent_request(201, f"/v1/shoes/{name}", partial(shoe_body, tokens=tokens))
    return respond(sequencer().shoes.create(request, new, digests))


def beacon_of(form: Mapping[str, int] | None) -> BeaconChoice | None:
    """Return the choice of a beacon in a request. Raises InputError where this service gets no signatures."""
    if form is None:
        return None
    check_beacons(sequencer().settings.beacons)
    return BeaconChoice(**form)


def acted(shoe: str, command: MakeShoeCommand) -> Response:
    return respond(sequencer().shoes.act(ROW + shoe, sent_request(body=shoe_body), command))


@routes.post("/shoes/<shoe>/hash", requests.ShoeHashRequest, answers.ShoeStateResponse)
def send_shoe_hash(body: dict[str, Any], shoe: str) -> Response:
    """Promise a seed by its SHA-256; the cutter cuts with it."""
    return acted(shoe, partial(GiveHash, hash=body["hash"], cut=body.get("cut")))


@routes.post("/shoes/<shoe>/seed", requests.ShoeSeedRequest, answers.ShoeStateResponse)
def open_shoe_seed(body: dict[str, Any], shoe: str) -> Response:
    """Open the seed that you promised, when it is your turn."""
    return acted(shoe, partial(GiveSeed, seed=body["seed"]))


@routes.post("/shoes/<shoe>/draw", requests.DrawRequest, answers.DrawnResponse, roles=(OPERATOR,))
def draw_cards(body: dict[str, Any], shoe: str) -> Response:
    """Draw the next cards (the operator): in public, or hidden, to one player or to nobody; and tell named draws. `pos`
    is the position of the first card. Sent again with the same `pos`, it is answered again, and nothing is drawn."""
    command = DrawCards(
        body["pos"],
        body.get("count", 0),
        body.get("to", ""),
        body.get("hidden", False),
        tuple(body.get("draws", ())),
    )
    return respond(sequencer().shoes.act(ROW + shoe, sent_request(body=partial(_drawn, command=command)), command))


@routes.get("/shoes/<shoe>/hand", answers.HandResponse, roles=(SEAT,), response_spec=ResponseSpec((404,)))
def show_hand(shoe: str) -> Response:
    """Your own hidden cards, each with the opening that shows that the `seal` bound it (docs/protocol.md, openings)."""
    state, player, cards = sequencer().shoes.hand(ROW + shoe, bearer())
    form = {"shoe": shoe, "player": player, "cards_root": state.shoe.root or None}
    return json_response(
        {**form, "cards": [each.opening.form for each in cards], "positions": [each.pos for each in cards]}
    )


@routes.post("/shoes/<shoe>/show", requests.ShowRequest, answers.ShoeStateResponse, roles=(SEAT, OPERATOR))
def show_cards(body: dict[str, Any], shoe: str) -> Response:
    """Show hidden cards by their positions: a player the own ones, the operator those of nobody."""
    return acted(shoe, partial(ShowCards, positions=tuple(body["pos"])))


@routes.post("/shoes/<shoe>/reshuffle", requests.GatherRequest, answers.ShoeStateResponse, roles=(OPERATOR,))
def gather_cards(body: dict[str, Any], shoe: str) -> Response:
    """Gather all cards but some that were drawn, and shuffle them anew (the operator). Positions go on: the next card
    has the position `pos`. Sent again it changes nothing."""
    return acted(shoe, GatherCards(body["pos"], tuple(body.get("out", ()))))


@routes.post("/shoes/<shoe>/reveal", requests.Nothing, answers.ShoeStateResponse, roles=(OPERATOR,))
def reveal_shoe(_: dict[str, Any], shoe: str) -> Response:
    """End a sealed shoe (the operator): its key is published, and with it every card."""
    return acted(shoe, RevealShoe())


@routes.post("/shoes/<shoe>/void", requests.Nothing, answers.ShoeStateResponse, roles=(OPERATOR,))
def void_shoe(_: dict[str, Any], shoe: str) -> Response:
    """End a shoe to which nobody has sent a hash in time (the operator)."""
    return acted(shoe, VoidShoe())


@routes.get(
    "/shoes/<shoe>/proof", answers.HandProofResponse, requests.DrawProofQuery, response_spec=ResponseSpec((404,))
)
def prove_draw(query: dict[str, Any], shoe: str) -> Response:
    """How far a shoe has come, by entries that are shown to stand in the log, under the newest checkpoint; with `pos`
    also what tells of the card there: `fairshoe-audit hand` takes the file."""
    pos = int(query["pos"]) if "pos" in query else None
    return Response(proof_text(sequencer().log.proof_of_draw(shoe, pos)), mimetype=JSON)


# What is seen of a shoe.


def shoe_body(seen: TableReply[LoneShoe], house: Sequencer, tokens: dict[str, str] | None = None) -> bytes:
    return json.dumps(shoe_view(seen, house) | ({} if tokens is None else {"tokens": tokens})).encode()


def _drawn(seen: TableReply[LoneShoe], _: Sequencer, command: DrawCards) -> bytes:
    """The cards and numbers that a command drew."""
    state = seen.state
    run = find_run(state, command)
    form: dict[str, Any] = {"shoe": state.shoe.id, "pos": command.pos}
    if state.waiting_draw is not None:
        form |= {"awaited": True, "draws": {}, "left": state.left, "log": seen.size}
        return json.dumps(form).encode()
    if run is not None and run.size:
        form |= _run_form(run)
    form["draws"] = {name: state.told.numbers[name] for name in command.draws}
    return json.dumps({**form, "left": state.left, "log": seen.size}).encode()


def shoe_view(seen: TableReply[LoneShoe], house: Sequencer) -> dict[str, Any]:
    """A shoe as everybody may see it, and what the player who asks can do."""
    state, shoe, told = seen.state, seen.state.shoe, seen.state.told
    ended = state.ended
    stage = "draw" if shoe.sealed else "beacon" if wanted_beacon(state) else shoe.stage.value
    stage = "over" if ended else "placer" if state.uncommitted else stage
    form: dict[str, Any] = {
        "shoe": shoe.id,
        "stage": stage,
        "commitment": state.commitment,
        "deck": state.deck,
        "cards": shoe.cards,
        "draws": dict(shoe.draws),
        "roster": list(shoe.roster),
        "cutter": shoe.cutter,
        "rules_hash": state.rules_hash or None,
        "policy": shoe.policy._asdict(),
        "hashed": [who for who in shoe.roster if who in state.hashes],
        "hashes": dict(shoe.hashes) or None,
        "opens": openers(None, shoe),
        "opened": dict(shoe.opened),
        "struck": list(shoe.struck),
        "cut": None if shoe.cut is None else shoe.cut._asdict(),
        "beacon": beacon_form(shoe),
        "cards_root": shoe.root or None,
        "pos": shoe.position,
        "drawn": [_run_form(run) for run in told.runs],
        "gathered": [each._asdict() for each in told.gathers],
        "shown": {str(pos): label for pos, label in told.shown.items()},
        "numbers": dict(told.numbers),
        "placer": _placer_view(seen, house),
        "ended": ended and {name: ended[name] for name in ("kind", "why", "by", "key") if name in ended},
        "limits": {name: timestamp(at) for name, at in deadlines_of_shoe(state).items()},
        "now": timestamp(seen.now),
        "log": seen.size,
    }
    if seen.receipt is not None:
        form["receipt"] = seen.receipt
    if seen.seat is not None:
        form["you"] = {"player": state.player(seen.seat), "expects": _expected(state, state.player(seen.seat))}
    return form


def _placer_view(seen: TableReply[LoneShoe], house: Sequencer) -> dict[str, Any] | None:
    state, placer = seen.state, seen.state.shoe.placer
    if placer is None:
        return None
    address = addresses(house.settings.placers).get(placer.key, "")
    form = {"key": placer.key, "commitment": placer.commitment, "address": address, "awaited": state.waits_for_placer}
    asked = seen.placer_requests.questions if seen.placer_requests is not None and state.waits_for_placer else []
    return form | ({"question": house.sign(asked[0][1].text)} if asked else {})


def _run_form(run: Any) -> dict[str, Any]:
    cards = {"hidden": run.size} if run.hidden else {"cards": list(run.cards)}
    return {"pos": run.pos, **cards, **({"to": run.to} if run.to else {})}


def _expected(state: LoneShoe, player: str) -> str | None:
    """Return what is awaited of a player: `hash`, `seed`, or nothing."""
    shoe = state.shoe
    if state.uncommitted is not None:
        return None
    if state.ended is None and shoe.stage is Stage.HASH and player not in state.hashes:
        return "hash"
    return "seed" if state.ended is None and openers(None, shoe)[:1] == [player] else None
