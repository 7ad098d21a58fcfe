"""What monitors ask for: `/healthz`, which the loop itself has answered whatever else waits, `/readyz`, `/metrics`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from flask import Flask, Response, request

from ...serving.requests import BUSY, ROUTE
from ..errors import Busy, Forbidden, Unauthorized
from ..health import Check
from ..tokens import OPERATOR, READER
from .context import answer, bearer, route, sequencer


class Operations(NamedTuple):
    """What is asked of the server; `public`: /metrics needs no token."""

    checks: Callable[[], Sequence[Check]]
    metrics: Callable[[], bytes]
    media: str
    public: bool = False


def install(app: Flask, operations: Operations | None) -> None:
    """Leave each request's route for whoever counts, refuse where too many wait, serve what there is to be served."""

    @app.before_request
    def tell() -> None:
        request.environ[ROUTE] = route()
        if BUSY in request.environ:
            raise Busy("too many requests are waiting", remedy="send it again in a moment")

    @app.get("/healthz")
    def alive() -> Response:
        return _fresh(Response("alive\n", content_type="text/plain"))

    if operations is None:
        return

    @app.get("/readyz")
    def ready() -> Response:
        checks = operations.checks()
        fine = not any(check.what for check in checks)
        body: dict[str, object] = {"ready": fine}
        if _may_read():
            body["checks"] = {check.name: check.what or "fine" for check in checks}
        return _fresh(answer(body, 200 if fine else 503))

    @app.get("/metrics")
    def metrics() -> Response:
        if not operations.public:
            _check_reader()
        return _fresh(Response(operations.metrics(), content_type=operations.media))


def _check_reader() -> None:
    sequencer().caller(bearer()).check_role(OPERATOR, READER)


def _may_read() -> bool:
    try:
        _check_reader()
    except (Unauthorized, Forbidden):
        return False
    return True


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
