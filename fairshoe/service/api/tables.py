"""Tables, chairs and chips."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import BuyIn, CashOut, Close, Command, Refund, TakeSeat, Transfer
from ...ceremony.policy import policy_of
from ...engine.rules import rules_of
from ..asking import Seen
from ..repeated import Reply
from ..sequencer import new_table_id
from ..tokens import OPERATOR, Caller
from . import answers, requests
from .context import only_operator, reply_of, seat_of, sent, sequencer, state_of
from .listing import LISTED, listed
from .polling import POLLED, tagged
from .routes import Routes, Told
from .sent import bearer, respond

routes = Routes("tables", "Tables, chairs and chips")
MADE = {"Location": {"description": "Where the table is", "schema": {"type": "string"}}}


@routes.post("/tables", requests.NewTable, answers.TableState, status=201, roles=(OPERATOR,), told=Told(headers=MADE))
def create_table(body: dict[str, Any]) -> Response:
    """Open a table (the operator)."""
    rules = rules_of(body["rules"], body.get("options"))
    policy = policy_of(body.get("policy", {}))

    def reply(seen: Seen) -> Reply:
        return reply_of(state_of(seen), 201, f"/v1/tables/{seen.state.id}")

    name, invitation = body.get("table") or new_table_id(), body.get("invitation", False)
    return respond(sequencer().create_table(sent(reply), name, rules, policy, invitation=invitation))


@routes.get("/tables", answer=answers.Tables, query=requests.TablesQuery, told=LISTED)
def list_tables(query: dict[str, Any]) -> Response:
    """The tables, by their ids."""
    return listed(query)


@routes.get("/tables/<table>", answer=answers.TableState, token=True, told=POLLED)
def show_table(table: str) -> Response:
    """A table as your seat may see it, and what you can do; without a token, as everybody may see it. With the ETag
    of the last answer it is 304 as long as nothing but the time and the log's size has changed."""
    return tagged(state_of(sequencer().look(table, bearer())))


@routes.post("/tables/<table>/seats", requests.NewSeat, answers.TableState, status=201, roles=(), told=Told((403,)))
def take_seat(body: dict[str, Any], table: str) -> Response:
    """Sit down with a buy-in, by a token that you have made: send its SHA-256 here, and the token itself with whatever
    you send from then on."""
    command = TakeSeat(body["player"], body["amount"], body.get("seat", 0), body.get("name"))

    def reply(seen: Seen) -> Reply:
        return reply_of(state_of(seen), 201)

    return respond(sequencer().sit(table, sent(reply), command, body["token_sha256"], body.get("invitation")))


@routes.post("/tables/<table>/chips", requests.ChipsMove, answers.TableState)
def move_chips(body: dict[str, Any], table: str) -> Response:
    """Buy in, cash out (`leave` gives up the chair), or pass chips on, between rounds."""

    def make(caller: Caller) -> Command:
        seat = seat_of(caller)
        match body["op"]:
            case "buy-in":
                return BuyIn(seat, body["amount"])
            case "transfer":
                return Transfer(seat, body["amount"], body["to"])
        return CashOut(seat, body.get("amount"), body.get("leave", False))

    return respond(sequencer().act(table, sent(), make))


@routes.post("/tables/<table>/refund", requests.RefundPlayer, answers.TableState, roles=(OPERATOR,))
def refund_player(body: dict[str, Any], table: str) -> Response:
    """Give a player a buy-in back after a mistake of the house (the operator; LO-07)."""

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return Refund(body["player"], body["game"], body["why"])

    return respond(sequencer().act(table, sent(), make))


@routes.post("/tables/<table>/close", requests.Nothing, answers.TableState, roles=(OPERATOR,))
def close_table(_: dict[str, Any], table: str) -> Response:
    """Close a table (the operator): no new chair and no new shoe; the sealed shoe is played to its end."""

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return Close()

    return respond(sequencer().act(table, sent(), make))
