"""What a route needs of the application: the sequencer, the caller's token, answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from flask import Response, current_app, g, request

from ...ceremony.acting.view import table_view
from ...serving.addresses import address_of as client_address
from ..asking import Seen, Sent
from ..errors import Unauthorized
from ..limits import Visit
from ..repeated import Reply
from ..sequencer import Sequencer
from ..tokens import OPERATOR, SEAT, Caller
from .links import address_of
from .sent import asked, bearer

EXTENSION = "fairshoe"


def sequencer() -> Sequencer:
    return cast(Sequencer, current_app.extensions[EXTENSION])


def seat_of(caller: Caller) -> int:
    """The chair of a caller who must be a player."""
    caller.check_role(SEAT)
    return caller.seat or 0


def only_operator(caller: Caller) -> None:
    caller.check_role(OPERATOR)


def answer(body: dict[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(body), status, mimetype="application/json")


def state_of(seen: Seen) -> dict[str, Any]:
    """The table as whoever asked sees it, with the receipt of what they sent, and of their bets as they stand."""
    state = table_view(seen.state, seen.seat, seen.now, seen.dealt) | {"log": seen.size}
    if seen.state.last is not None:
        state["verify"] = address_of(f"{seen.state.id}#{seen.state.last['round']}")
    if seen.invitation:
        state["invitation"] = True
    if sequencer().restored is not None:
        state["restored"] = sequencer().restored
    if seen.receipt is not None:
        state["receipt"] = seen.receipt
    standing = None if seen.seat is None else sequencer().receipts.standing(seen.state, seen.seat)
    if standing is not None:
        state["you"]["receipt"] = standing
    return state


def table_reply(seen: Seen) -> Reply:
    return reply_of(state_of(seen))


def reply_of(body: dict[str, Any], status: int = 200, location: str = "") -> Reply:
    return Reply(status, json.dumps(body).encode(), location)


def sent(reply: Callable[[Seen], Reply] = table_reply) -> Sent:
    """The request as the sequencer takes it; it is answered by the table's state, or as `reply` says."""
    return Sent(bearer(), reply, asked(), visit())


def visit() -> Visit:
    """The request as limits know it; the same each time within one request."""
    if "visit" not in g:
        route = "" if request.url_rule is None else request.url_rule.rule.rpartition("/")[2]
        g.visit = Visit(client_address(request.remote_addr or ""), _token(), route)
    return cast(Visit, g.visit)


def _token() -> str | None:
    try:
        return bearer()
    except Unauthorized:
        return None
