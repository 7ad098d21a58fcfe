"""Invitations to tables that are not for everybody."""

from __future__ import annotations

from typing import Any

from flask import Response

from ...log.times import SECOND, timestamp
from ..asking import Seen
from ..repeated import Reply
from ..tokens import OPERATOR
from . import answers, requests
from .context import reply_of, sent, sequencer
from .routes import Routes
from .sent import respond

routes = Routes("invitations", "Invitations")


@routes.post("/tables/<table>/invitations", requests.NewInvitation, answers.Invitation, status=201, roles=(OPERATOR,))
def make_invitation(body: dict[str, Any], table: str) -> Response:
    """Make an invitation to a table that needs one (the operator): a code that is good for one chair."""
    seconds = body.get("seconds")

    def reply(seen: Seen) -> Reply:
        ends = None if seconds is None else timestamp(seen.now + seconds * SECOND)
        return reply_of({"invitation": seen.code, "ends": ends}, 201)

    return respond(sequencer().invite(table, sent(reply), seconds))
