"""What every answer says besides its body: what may be kept, what a browser may do with it, and for which pages."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response, request

from ..setting_kinds import EVERY_PAGE as ALL
from ..setting_kinds import origin_of

NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
PAGE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""For an HTML page, whose styles are its own, and which has no script."""
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PRIVATE = "no-store"
METHODS = "GET, HEAD, POST, DELETE"
TAKEN = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Range, X-Request-Id"
SHOWN = (
    "Accept-Ranges, Content-Range, ETag, Idempotent-Replay, Link, Location, Retry-After, WWW-Authenticate, X-Log-Size, "
    "X-Request-Id"
)
A_DAY = "86400"


def install(app: Flask, origins: Sequence[str] = ()) -> None:
    """Add the headers to every answer; pages of `origins` may use the API. Raises InputError where one is none."""
    allowed = frozenset(map(origin_of, origins))

    @app.before_request
    def preflight() -> Response | None:
        if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
            return None
        return Response(status=204)

    @app.after_request
    def add(response: Response) -> Response:
        for name, value in ALWAYS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Content-Security-Policy", PAGE if response.mimetype == "text/html" else NO_PAGE)
        if _is_private(response):
            response.headers["Cache-Control"] = PRIVATE
        response.headers.setdefault("Cache-Control", "no-cache")
        if allowed:
            _share(response, allowed)
        return response


def _is_private(response: Response) -> bool:
    """Whether an answer holds what one caller alone may see, or is true only now: whatever answers a command or a
    token, and every refusal."""
    return request.method not in ("GET", "HEAD") or "Authorization" in request.headers or response.status_code >= 400


def _share(response: Response, allowed: frozenset[str]) -> None:
    """CORS (Fetch standard), without cookies: a token is sent by the page itself."""
    headers = response.headers
    if ALL not in allowed:
        response.vary.add("Origin")
    page = _page(request.headers.get("Origin", ""), allowed)
    if not page:
        return
    headers["Access-Control-Allow-Origin"] = page
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        headers["Access-Control-Allow-Methods"] = METHODS
        headers["Access-Control-Allow-Headers"] = TAKEN
        headers["Access-Control-Max-Age"] = A_DAY
    else:
        headers["Access-Control-Expose-Headers"] = SHOWN


def _page(origin: str, allowed: frozenset[str]) -> str:
    """Which pages may read an answer to one of this origin; empty where they may not."""
    if ALL in allowed:
        return ALL
    return origin if origin.lower() in allowed else ""
