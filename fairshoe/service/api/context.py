"""What a route needs of the application: the sequencer, the caller's token, answers."""

from __future__ import annotations

import json
from typing import Any, cast

from flask import Response, current_app, request

from ...ceremony.acting.view import table_view
from ..errors import Forbidden, Unauthorized
from ..sequencer import Seen, Sequencer
from ..tokens import Caller

EXTENSION = "fairshoe"


def sequencer() -> Sequencer:
    return cast(Sequencer, current_app.extensions[EXTENSION])


def bearer() -> str | None:
    """The token of the request, if it has one. Raises Unauthorized for another kind of credentials."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("not a bearer token", where="token", expected="Authorization: Bearer TOKEN")
    return token.strip()


def seat_of(caller: Caller) -> int:
    """The chair of a caller who must be a player."""
    if caller.seat is None:
        raise Forbidden("this is for seats", where="token", remedy="use a seat's token")
    return caller.seat


def only_operator(caller: Caller) -> None:
    if not caller.operator:
        raise Forbidden("this is the operator's", where="token", remedy="use the operator's token")


def answer(body: dict[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(body), status, mimetype="application/json")


def state_of(seen: Seen) -> dict[str, Any]:
    """The table as whoever asked sees it, with the receipt of what they sent, and of their bets as they stand."""
    state = table_view(seen.state, seen.seat, seen.now, seen.dealt) | {"log": seen.size}
    if seen.receipt is not None:
        state["receipt"] = seen.receipt
    standing = None if seen.seat is None else sequencer().receipts.standing(seen.state, seen.seat)
    if standing is not None:
        state["you"]["receipt"] = standing
    return state


def table_answer(seen: Seen, status: int = 200) -> Response:
    return answer(state_of(seen), status)
