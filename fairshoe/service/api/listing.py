"""The list of tables, a page at a time."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from ...ceremony.acting.phase import phase
from ...ceremony.acting.state import State
from ...ceremony.acting.view import seats_view
from .context import answer, sequencer
from .routes import Told

PAGE = 100
LISTED = Told(headers={"Link": {"description": 'The next page, rel="next" (RFC 8288)', "schema": {"type": "string"}}})


def listed(query: dict[str, Any]) -> Response:
    """At most `limit` tables whose ids come after `after`; a `Link` where there are more."""
    most = query.get("limit", PAGE)
    found = sequencer().all_tables(query.get("after", ""), most + 1)
    guarded = sequencer().guarded_tables()
    response = answer({"tables": [_line(state, state.id in guarded) for state in found[:most]]})
    if len(found) > most:
        following = urlencode({"limit": most, "after": found[most - 1].id})
        response.headers["Link"] = f'<{request.path}?{following}>; rel="next"'
    return response


def _line(state: State, guarded: bool) -> dict[str, Any]:
    line = {
        "table": state.id,
        "rules": state.rules.name,
        "phase": phase(state),
        "chairs": state.rules.chairs[1],
        "seats": seats_view(state),
    }
    return line | ({"invitation": True} if guarded else {})
