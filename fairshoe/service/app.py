"""The application: its routes, what every answer says besides its body, and what monitors ask for."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response, request

from ..serving.requests import BUSY, FAILED, ROUTE
from .api import description, documents, events, hands, house, log, modules, pages, problems, rounds, shoes, tables
from .api.context import EXTENSION, check_caller, json_response, route
from .api.routes import MAX_BODY
from .errors import Busy, Forbidden, Unauthorized
from .monitoring import Operations
from .sequencer import Sequencer
from .settings import EVERY_PAGE as ALL
from .settings import origin_of
from .tokens import OPERATOR, READER

GROUPS = [
    tables.routes,
    events.routes,
    tables.chairs,
    rounds.ceremony,
    rounds.routes,
    hands.routes,
    shoes.routes,
    log.routes,
    house.routes,
]


def create_app(sequencer: Sequencer, asked: Operations | None = None) -> Flask:
    """The service as a WSGI application over an opened sequencer; `asked` is what monitors ask of a server."""
    app = Flask("fairshoe.service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.extensions[EXTENSION] = sequencer
    app.extensions[house.OPERATIONS] = asked
    problems.install(app)
    _add_headers(app, sequencer.settings.cors_origins)
    for group in GROUPS:
        group.serve(app)
    description.install(app, GROUPS)
    documents.install(app)
    pages.install(app)
    modules.install(app)
    log.install(app)
    _serve_operations(app, asked)
    return app


# What every answer says besides its body: what may be kept, what a browser may do with it, and for which pages.

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
TAKEN = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id"
EXPOSED_HEADERS = "ETag, Idempotent-Replay, Link, Location, Retry-After, WWW-Authenticate, X-Log-Size, X-Request-Id"
PREFLIGHT_MAX_AGE = "86400"


def _add_headers(app: Flask, origins: Sequence[str] = ()) -> None:
    """Add the headers to every answer; pages of `origins` may use the API. Raises InputError where one is none."""
    allowed = frozenset(map(origin_of, origins))

    @app.before_request
    def preflight() -> Response | None:
        if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
            return None
        return Response(status=204)

    @app.after_request
    def add(response: Response) -> Response:
        response.headers.pop("Date", None)  # the server adds it to every answer
        for name, value in ALWAYS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Content-Security-Policy", PAGE if response.mimetype == "text/html" else NO_PAGE)
        if _is_private(response):
            response.headers["Cache-Control"] = PRIVATE
        response.headers.setdefault("Cache-Control", "no-cache")
        if allowed:
            _allow_origin(response, allowed)
        return response


def _is_private(response: Response) -> bool:
    """Whether an answer is for one caller, or true only now: after a command, with a token, or a refusal."""
    return request.method not in ("GET", "HEAD") or "Authorization" in request.headers or response.status_code >= 400


def _allow_origin(response: Response, allowed: frozenset[str]) -> None:
    """CORS (Fetch standard), without cookies: a token is sent by the page itself."""
    headers = response.headers
    if ALL not in allowed:
        response.vary.add("Origin")
    page = _find_allowed_origin(request.headers.get("Origin", ""), allowed)
    if not page:
        return
    headers["Access-Control-Allow-Origin"] = page
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        headers["Access-Control-Allow-Methods"] = METHODS
        headers["Access-Control-Allow-Headers"] = TAKEN
        headers["Access-Control-Max-Age"] = PREFLIGHT_MAX_AGE
    else:
        headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS


def _find_allowed_origin(origin: str, allowed: frozenset[str]) -> str:
    """Which pages may read an answer to one of this origin; empty where they may not."""
    if ALL in allowed:
        return ALL
    return origin if origin.lower() in allowed else ""


# What monitors ask for: `/healthz`, which the loop itself has answered whatever else waits, `/readyz`, `/metrics`.


def _serve_operations(app: Flask, operations: Operations | None) -> None:
    """Leave each request's route for whoever counts, refuse where too many wait, serve what there is to be served."""

    @app.before_request
    def tell() -> None:
        request.environ[ROUTE] = route()
        if FAILED in request.environ:
            raise request.environ[FAILED]
        if BUSY in request.environ:
            raise Busy("too many requests are waiting", remedy="send it again in a moment")

    @app.get("/healthz")
    def alive() -> Response:
        return _forbid_caching(Response("alive\n", content_type="text/plain"))

    if operations is None:
        return

    @app.get("/readyz")
    def ready() -> Response:
        checks = operations.checks()
        fine = not any(check.what for check in checks)
        body: dict[str, object] = {"ready": fine}
        if _may_read():
            body["checks"] = {check.name: check.what or "fine" for check in checks}
        return _forbid_caching(json_response(body, 200 if fine else 503))

    @app.get("/metrics")
    def metrics() -> Response:
        if not operations.public:
            check_caller(OPERATOR, READER)
        return _forbid_caching(Response(operations.metrics(), content_type=operations.media))


def _may_read() -> bool:
    try:
        check_caller(OPERATOR, READER)
    except (Unauthorized, Forbidden):
        return False
    return True


def _forbid_caching(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
