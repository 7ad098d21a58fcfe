"""Where a hand is, in its two forms, and answers that say where the other one is."""

from __future__ import annotations

from urllib.parse import quote

from flask import Response

PROOF, VERIFY = "proof", "verify"
"""The file for programs, and the page for people that has it inside."""
LINKED = {"Link": {"description": 'The same hand in its other form, rel="alternate"', "schema": {"type": "string"}}}


def address_of(round: str, form: str = VERIFY) -> str:
    return f"/v1/rounds/{quote(round, safe='')}/{form}"


def linked(response: Response, address: str, media: str) -> Response:
    """The answer with a link to its other form (RFC 8288)."""
    response.headers["Link"] = f'<{address}>; rel="alternate"; type="{media}"'
    return response
