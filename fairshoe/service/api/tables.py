"""Tables, chairs and chips."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import BuyIn, CashOut, Close, Command, Refund, TakeSeat, Transfer
from ...ceremony.acting.phase import phase
from ...ceremony.policy import policy_of
from ...engine.rules import rules_of
from ..sequencer import new_table_id
from ..tokens import Caller
from . import answers, requests
from .context import answer, bearer, only_operator, seat_of, sequencer, state_of, table_answer
from .routes import Routes

routes = Routes("tables", "Tables, chairs and chips")


@routes.post("/tables", requests.NewTable, answers.TableState, status=201)
def create_table(body: dict[str, Any]) -> Response:
    """Open a table (the operator)."""
    rules = rules_of(body["rules"], body.get("options"))
    policy = policy_of(body.get("policy", {}))
    seen = sequencer().create_table(bearer(), body.get("table") or new_table_id(), rules, policy)
    response = table_answer(seen, 201)
    response.headers["Location"] = f"/v1/tables/{seen.state.id}"
    return response


@routes.get("/tables", answer=answers.Tables)
def list_tables() -> Response:
    """Every table."""
    lines = []
    for state in sequencer().all_tables():
        players = state.table.players
        lines.append(
            {
                "table": state.id,
                "rules": state.rules.name,
                "phase": phase(state),
                "chairs": state.rules.chairs[1],
                "seats": [{"seat": seat, "player": players[seat]} for seat in sorted(players)],
            }
        )
    return answer({"tables": lines})


@routes.get("/tables/<table>", answer=answers.TableState, token=True)
def show_table(table: str) -> Response:
    """A table as your seat may see it, and what you can do; without a token, as everybody may see it."""
    return table_answer(sequencer().look(table, bearer()))


@routes.post("/tables/<table>/seats", requests.NewSeat, answers.TakenSeat, status=201, token=False)
def take_seat(body: dict[str, Any], table: str) -> Response:
    """Sit down with a buy-in; the answer has your token."""
    seen = sequencer().sit(table, TakeSeat(body["player"], body["amount"], body.get("seat", 0), body.get("name")))
    return answer({"seat": seen.seat, "token": seen.token, "state": state_of(seen)}, 201)


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

    return table_answer(sequencer().act(table, bearer(), make))


@routes.post("/tables/<table>/refund", requests.RefundPlayer, answers.TableState)
def give_back(body: dict[str, Any], table: str) -> Response:
    """Give a player a buy-in back after a mistake of the house (the operator; LO-07)."""

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return Refund(body["player"], body["game"], body["why"])

    return table_answer(sequencer().act(table, bearer(), make))


@routes.post("/tables/<table>/close", requests.Nothing, answers.TableState)
def close_table(_: dict[str, Any], table: str) -> Response:
    """Close a table (the operator): no new chair and no new shoe; the sealed shoe is played to its end."""

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return Close()

    return table_answer(sequencer().act(table, bearer(), make))
