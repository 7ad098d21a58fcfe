"""Chairs: who sits down, by invitation or without; a lost token, a stolen one, a player who must go."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import Evict, TakeSeat
from ...log.times import SECOND, timestamp
from ..asking import Seen
from ..repeated import Reply
from ..tokens import OPERATOR
from . import answers, requests
from .context import by_operator, reply_of, respond, sent, sequencer, state_of
from .routes import Routes, Told
from .tables import routes as tables

routes = Routes("seats", "What the operator does about chairs")
invitations = Routes("invitations", "Invitations")
TOKEN = "/tables/<table>/seats/<int:seat>/token"


@tables.post("/tables/<table>/seats", requests.NewSeat, answers.TableState, status=201, roles=(), told=Told((403,)))
def take_seat(body: dict[str, Any], table: str) -> Response:
    """Sit down with a buy-in, by a token that you have made: send its SHA-256 here, and the token itself with whatever
    you send from then on."""
    command = TakeSeat(body["player"], body["amount"], body.get("seat", 0), body.get("name"))

    def reply(seen: Seen) -> Reply:
        return reply_of(state_of(seen), 201)

    return respond(sequencer().sit(table, sent(reply), command, body["token_sha256"], body.get("invitation")))


@routes.post(TOKEN, requests.SeatToken, answers.TableState, roles=(OPERATOR,))
def renew_token(body: dict[str, Any], table: str, seat: int) -> Response:
    """Let a chair have another token, which its player has made (the operator); the old one is worth nothing any
    more."""
    return respond(sequencer().renew_token(table, sent(), seat, body["token_sha256"]))


@routes.post(TOKEN, requests.Nothing, answers.TableState, roles=(OPERATOR,), method="DELETE")
def revoke_token(_: dict[str, Any], table: str, seat: int) -> Response:
    """Make a chair's token worth nothing (the operator): nobody acts for it until it has another one."""
    return respond(sequencer().renew_token(table, sent(), seat, None))


@routes.post("/tables/<table>/evict", requests.EvictPlayer, answers.TableState, roles=(OPERATOR,))
def evict_player(body: dict[str, Any], table: str) -> Response:
    """Have a chair left (the operator): at once, or after the end of the shoe that is being opened or played."""
    return by_operator(table, Evict(body["seat"]))


@invitations.post(
    "/tables/<table>/invitations", requests.NewInvitation, answers.Invitation, status=201, roles=(OPERATOR,)
)
def make_invitation(body: dict[str, Any], table: str) -> Response:
    """Make an invitation to a table that needs one (the operator): a code that is good for one chair."""
    seconds = body.get("seconds")

    def reply(seen: Seen) -> Reply:
        ends = None if seconds is None else timestamp(seen.now + seconds * SECOND)
        return reply_of({"invitation": seen.code, "ends": ends}, 201)

    return respond(sequencer().invite(table, sent(reply), seconds))
