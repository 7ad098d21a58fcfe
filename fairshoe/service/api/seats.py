"""Chairs, as the operator sees them: a lost token, a stolen one, a player who must go."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import Command, Evict
from ..asking import Seen
from ..repeated import Reply
from ..tokens import OPERATOR, Caller
from . import answers, requests
from .context import only_operator, reply_of, sent, sequencer
from .routes import Routes
from .sent import respond

routes = Routes("seats", "What the operator does about chairs")
TOKEN = "/tables/<table>/seats/<int:seat>/token"


@routes.post(TOKEN, requests.Nothing, answers.NewToken, status=201, roles=(OPERATOR,))
def renew_token(_: dict[str, Any], table: str, seat: int) -> Response:
    """Make a new token for a chair whose player lost it (the operator); the old one is worth nothing any more."""

    def reply(seen: Seen) -> Reply:
        player = seen.state.table.players[seat]
        return reply_of({"seat": seat, "player": player, "token": seen.token}, 201)

    return respond(sequencer().renew_token(table, sent(reply), seat))


@routes.post(TOKEN, requests.Nothing, answers.TableState, roles=(OPERATOR,), method="DELETE")
def revoke_token(_: dict[str, Any], table: str, seat: int) -> Response:
    """Make a chair's token worth nothing (the operator): nobody acts for it until another one is made."""
    return respond(sequencer().renew_token(table, sent(), seat, revoke=True))


@routes.post("/tables/<table>/evict", requests.EvictPlayer, answers.TableState, roles=(OPERATOR,))
def evict_player(body: dict[str, Any], table: str) -> Response:
    """Have a chair left (the operator): at once, or after the end of the shoe that is being opened or played."""

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return Evict(body["seat"])

    return respond(sequencer().act(table, sent(), make))
