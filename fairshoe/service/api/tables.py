"""Tables: opened, listed, looked at, closed; chips and chairs: who sits down, a lost token, a stolen one, a player
who must go."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from ...ceremony.acting.commands import BuyIn, CashOut, Close, Evict, Refund, TakeSeat, Transfer
from ...ceremony.acting.phase import phase
from ...ceremony.acting.state import State
from ...ceremony.acting.view import seats_view
from ...ceremony.policy import policy_of
from ...engine.rules import RULES, rules_of
from ..beacons import check_beacons
from ..placers import addresses, check_placer
from ..sequencer import new_table_id
from ..tokens import OPERATOR
from . import answers, requests
from .context import act_at_table, json_response, respond, sent_request, sequencer
from .routes import ResponseSpec, RouteGroup

routes = RouteGroup("tables", "Tables, chairs and chips")
CREATED_SPEC = ResponseSpec(headers={"Location": "Where the table is"})
LISTED = ResponseSpec(headers={"Link": 'The next page, rel="next" (RFC 8288)'})
PAGE = 100


@routes.post(
    "/tables", requests.NewTable, answers.TableStateResponse, status=201, roles=(OPERATOR,), response_spec=CREATED_SPEC
)
def create_table(body: dict[str, Any]) -> Response:
    """Open a table (the operator)."""
    rules = rules_of(body["rules"], body.get("options"))
    policy = policy_of(body.get("policy", {}))
    name = body.get("table") or new_table_id()
    placer = body.get("placer", "")
    check_placer(placer, sequencer().settings.placers, rules)
    more = body.get("lapses", 0), body.get("beacon", {}).get("delay", 0)
    if "beacon" in body:
        check_beacons(sequencer().settings.beacons)
    request = sent_request(201, f"/v1/tables/{name}")
    return respond(sequencer().create_table(request, name, rules, policy, placer, *more))


@routes.get("/rules", answers.RuleSets)
def list_rules() -> Response:
    """What a table may be opened with: the rule sets with their options, and the time limits, each with its default;
    the placers that the house was started with."""
    rules = [{"name": name, "options": rules_of(name).options} for name in sorted(RULES)]
    placers = list(addresses(sequencer().settings.placers))
    return json_response({"rules": rules, "policy": policy_of({})._asdict(), "placers": placers})


@routes.get("/tables", answers.Tables, requests.TablesQuery, response_spec=LISTED)
def list_tables(query: dict[str, Any]) -> Response:
    """The tables, by their ids."""
    most = int(query.get("limit", PAGE))
    found = sequencer().all_tables(query.get("after", ""), most + 1)
    response = json_response({"tables": [_line(state) for state in found[:most]]})
    if len(found) > most:
        following = urlencode({"limit": most, "after": found[most - 1].id})
        response.headers["Link"] = f'<{request.path}?{following}>; rel="next"'
    return response


def _line(state: State) -> dict[str, Any]:
    return {
        "table": state.id,
        "rules": state.rules.name,
        "options": state.rules.options,
        "phase": phase(state),
        "chairs": state.book.max_chairs,
        "seats": seats_view(state),
        "policy": state.book.policy._asdict(),
        "closed": bool(state.book.closed_at),
        **({"placer": state.book.placer} if state.book.placer else {}),
    }


@routes.post("/tables/<table>/chips", requests.ChipsMove, answers.TableStateResponse)
def move_chips(body: dict[str, Any], table: str) -> Response:
    """Buy in, cash out (`leave` gives up the chair), or pass chips on, between rounds."""
    match body["op"]:
        case "buy-in":
            return act_at_table(table, partial(BuyIn, amount=body["amount"]))
        case "transfer":
            return act_at_table(table, partial(Transfer, amount=body["amount"], to=body["to"]))
    return act_at_table(table, partial(CashOut, amount=body.get("amount"), leave=body.get("leave", False)))


@routes.post("/tables/<table>/refund", requests.RefundPlayer, answers.TableStateResponse, roles=(OPERATOR,))
def refund_player(body: dict[str, Any], table: str) -> Response:
    """Give a player a buy-in back after a mistake of the house (the operator; LO-07)."""
    return act_at_table(table, Refund(body["player"], body["game"], body["why"]))


@routes.post("/tables/<table>/close", requests.Nothing, answers.TableStateResponse, roles=(OPERATOR,))
def close_table(_: dict[str, Any], table: str) -> Response:
    """Close a table (the operator): no new chair and no new shoe; the sealed shoe is played to its end."""
    return act_at_table(table, Close())


chairs = RouteGroup("seats", "What the operator does about chairs")
TOKEN = "/tables/<table>/seats/<int:seat>/token"


@routes.post("/tables/<table>/seats", requests.NewSeat, answers.TableStateResponse, status=201, roles=())
def take_seat(body: dict[str, Any], table: str) -> Response:
    """Sit down with a buy-in, by a token that you have made: send its SHA-256 here, and the token itself with whatever
    you send from then on."""
    command = TakeSeat(body["player"], body["amount"], body.get("seat", 0), body.get("name"), body.get("placer"))
    return respond(sequencer().sit(table, sent_request(201), command, body["token_sha256"]))


@chairs.post(TOKEN, requests.SeatToken, answers.TableStateResponse, roles=(OPERATOR,))
def renew_token(body: dict[str, Any], table: str, seat: int) -> Response:
    """Let a chair have another token, which its player has made (the operator); the old one is worth nothing any
    more."""
    return respond(sequencer().renew_token(table, sent_request(), seat, body["token_sha256"]))


@chairs.post(TOKEN, requests.Nothing, answers.TableStateResponse, roles=(OPERATOR,), method="DELETE")
def revoke_token(_: dict[str, Any], table: str, seat: int) -> Response:
    """Make a chair's token worth nothing (the operator): nobody acts for it until it has another one."""
    return respond(sequencer().renew_token(table, sent_request(), seat, None))


@chairs.post("/tables/<table>/evict", requests.EvictPlayer, answers.TableStateResponse, roles=(OPERATOR,))
def evict_player(body: dict[str, Any], table: str) -> Response:
    """Have a chair left (the operator): at once, or after the end of the shoe that is being opened or played."""
    return act_at_table(table, Evict(body["seat"]))
