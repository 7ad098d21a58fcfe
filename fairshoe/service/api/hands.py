"""A player's hands, for who has lost what the browser or the program kept of them: each is proved by the log."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from . import answers, requests
from .context import PROOF, address_of, json_response, sequencer
from .routes import ResponseSpec, RouteGroup

routes = RouteGroup("hands", "A player's hands")
LISTED = ResponseSpec((404,), {"Link": 'The next page, rel="next" (RFC 8288)'})


@routes.get("/tables/<table>/hands", answers.Hands, requests.HandsQuery, response_spec=LISTED)
def list_hands(query: dict[str, Any], table: str) -> Response:
    """The rounds of a table that are over and in which a player bet, or banked: of a hundred rounds, from the one after
    `after` on; and the chips that the player was given, gave,
    or was paid back. Anybody can read the same from the log."""
    player = query["player"]
    hands, moves, following = sequencer().log.hands_of(player, table, int(query.get("after", "0")))
    told = [{"round": name, "seat": seat, "proof": address_of(name, PROOF)} for name, seat in hands]
    response = json_response({"hands": told, "moves": moves})
    if following is not None:
        page = urlencode({"player": player, "after": following})
        response.headers["Link"] = f'<{request.path}?{page}>; rel="next"'
    return response
