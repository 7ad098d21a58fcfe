"""Chairs, as the operator sees them: a lost token, a stolen one, a player who must go."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...ceremony.acting.commands import Command, Evict
from ..tokens import OPERATOR, Caller
from . import answers, requests
from .context import only_operator, sent, sequencer
from .routes import Routes
from .sent import respond

routes = Routes("seats", "What the operator does about chairs")
TOKEN = "/tables/<table>/seats/<int:seat>/token"


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

    def make(caller: Caller) -> Command:
        only_operator(caller)
        return Evict(body["seat"])

    return respond(sequencer().act(table, sent(), make))
