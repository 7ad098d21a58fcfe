"""A changing request: whose token it has, its key, and its answer."""

from __future__ import annotations

import re

from flask import Response, request

from ..errors import MalformedKey, Unauthorized
from ..repeated import Asked, Reply, asked_with

KEY = "Idempotency-Key"
AGAIN = "Idempotent-Replay"
FEWEST, MOST = 16, 128
_KEY = re.compile(rf"[!-~]{{{FEWEST},{MOST}}}", re.ASCII)
_QUOTED = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"', re.ASCII)
EXPECTED = f"{FEWEST} to {MOST} visible ASCII characters, bare or as a quoted string"

PARAMETER = {
    "in": "header",
    "name": KEY,
    "required": False,
    "description": f"A fresh random key of this request: {EXPECTED}. Sent again with the same key and body within a "
    f"day it is not done twice, and answered with the same bytes and `{AGAIN}: true`",
    "schema": {"type": "string", "pattern": f"^[!-~]{{{FEWEST},{MOST}}}$"},
    "example": "0d4ce9b0a3f64d2f8f6a55f1c9e7b813",
}
"""The header in the API's description."""
REPLAYED = {AGAIN: {"description": "`true`: answered before, and not done again", "schema": {"type": "string"}}}
"""The answer's header there."""


def bearer() -> str | None:
    """The token of the request, if it has one. Raises Unauthorized for another kind of credentials."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("not a bearer token", where="token", expected="Authorization: Bearer TOKEN")
    return token.strip()


def key_of(header: str) -> str:
    """The key in an Idempotency-Key header. Raises MalformedKey."""
    quoted = _QUOTED.fullmatch(header.strip())
    key = header.strip() if quoted is None else re.sub(r"\\(.)", r"\1", quoted[1])
    if not _KEY.fullmatch(key):
        raise MalformedKey("not a key", where=KEY, expected=EXPECTED)
    return key


def asked() -> Asked | None:
    """What a repetition of the request would be known by; None where it has no key. Raises MalformedKey."""
    header = request.headers.get(KEY)
    if header is None:
        return None
    said = b"\n".join((request.method.encode(), request.full_path.encode(), request.get_data()))
    route = "" if request.url_rule is None else request.url_rule.rule
    return asked_with(key_of(header), bearer(), f"{request.method} {route}", said)


def respond(reply: Reply) -> Response:
    response = Response(reply.body, reply.status, mimetype="application/json")
    if reply.location:
        response.headers["Location"] = reply.location
    if reply.again:
        response.headers[AGAIN] = "true"
    return response
