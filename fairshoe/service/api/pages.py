"""Pages for people: those where one plays (fairshoe/tables), and the one that checks a hand in the browser."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

import segno
from flask import Flask, Response, abort, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from ... import __version__
from ...ceremony.acting.state import State
from ...engine.rules import RULES
from ...page import fill_page, page, policy
from ..errors import NotFound
from . import modules
from .context import address_of, json_response, sequencer
from .documents import address_of_picture
from .fields import TABLE
from .problems import MEDIA_TYPE, refuse
from .shell import preview, shell

HTML = "text/html"
ADDRESS = "/verify"
PAGE = 100
"""Tables that are listed for who has no JavaScript."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The pages where one plays run this house's own modules and ask this house alone; in a frame they do nothing."""
FULL_RULES = '<p><a href="/docs/rules">The rules of every game</a></p>'
UNAVAILABLE = """<h1>The house cannot answer now</h1><p class="lead">It is busy, its storage is away, or another
process takes over. Bets and decisions that were answered are safe. Load this page again in a few seconds.</p>"""


def install(app: Flask) -> None:
    @app.get("/")
    def index() -> Response:
        """HTML for whoever likes it better than JSON, as browsers do: who takes anything gets what programs read."""
        response = _playing_page(_tables()) if _likes_html() else json_response(_index())
        response.vary.add("Accept")
        return response

    @app.get("/operator")
    def operate() -> Response:
        """The operator's page; what it shows and does needs the operator's token."""
        return _playing_page()

    @app.get("/tables/<table>")
    @app.get("/tables/<table>/rules")
    def page_of_table(table: str) -> Response:
        try:
            TABLE(table)  # PostgreSQL does not even look for a name with a NUL
            sequencer().glance(table, None)
        except (NotFound, ValidationError):
            abort(404)
        return _playing_page(FULL_RULES)

    @app.get("/rules/<game>")
    def rules_of_game(game: str) -> Response:
        return _playing_page(FULL_RULES) if game in RULES else abort(404)

    @app.errorhandler(404)
    def unknown_address(error: HTTPException) -> Response:
        """A page for a person at an address that no route has; programs get the problem."""
        if not _likes_html() or request.path.startswith("/v1/"):
            return refuse(error)
        response = _playing_page()
        response.status_code = 404
        return response

    @app.after_request
    def unavailable(response: Response) -> Response:
        """A page for a person while the house cannot answer; programs get the problem."""
        asked = (response.status_code, response.mimetype) == (503, MEDIA_TYPE) and not request.path.startswith("/v1/")
        if asked and _likes_html():
            response.mimetype = HTML
            response.set_data(shell("Not now · fairshoe", UNAVAILABLE))
        return response

    @app.get(ADDRESS)
    def verify() -> Response:
        response = _checking_page(page())
        response.set_etag(sha256(response.get_data()).hexdigest()[:32])
        response.make_conditional(request)
        return response


def _likes_html() -> bool:
    liked = request.accept_mimetypes
    return liked["text/html"] > liked["application/json"]


# The page that checks.


def check_page(proof: str) -> Response:
    """The page with a proof file and the house's key in it, at the address that is asked for."""
    code = segno.make_qr(request.url)
    path = "".join(f"M{x},{y}h1v1h-1z" for y, row in enumerate(code.matrix) for x, dark in enumerate(row) if dark)
    more = {"link": request.url, "code": f"{len(code.matrix)} {path}"}
    text = fill_page(proof.encode(), str(sequencer().signer.verifier), **more)
    hand = request.path.split("/")[-2]
    return _checking_page(text.replace('content="Check a hand"', f'content="Check the hand {escape(hand)}"', 1))


def _checking_page(text: str) -> Response:
    return Response(text, mimetype=HTML, headers={"Content-Security-Policy": f"{policy()}; frame-ancestors 'none'"})


# The pages where one plays; what programs read at the first one's address.


def _playing_page(tables: str = "") -> Response:
    """`tables`, as they stand, or what else the page has for who has no JavaScript."""
    kind, name, *more = f"{request.path}//".split("/")[1:]
    what = "Rules:" if "rules" in (kind, *more) else "Table"
    title = f"{what} {name} · fairshoe" if kind in ("rules", "tables") else "fairshoe"
    head = preview(title, image=address_of_picture("table"))
    page = _page_of_tables().replace("<title>fairshoe</title>", head).replace("<!-- tables -->", tables)
    return Response(page, mimetype=HTML, headers={"Content-Security-Policy": POLICY})


@cache
def _page_of_tables() -> str:
    return (modules.DIRECTORY / "page.html").read_text(encoding="utf-8")


def _tables() -> str:
    """The first tables with how many of their chairs are taken, and their last hands: in no language."""
    return f"<ul>{''.join(map(_line, sequencer().all_tables('', PAGE)))}</ul>"


def _line(state: State) -> str:
    seats = f"{len(state.table.players)}/{state.book.max_chairs}"
    last = f"{state.id}#{state.last_round['round']}" if state.last_round else ""
    check = f', <a href="{escape(address_of(last))}">{escape(last)}</a>' if last else ""
    return f"<li><b>{escape(state.id)}</b>: {state.rules.name}, {seats}{check}</li>"


def _index() -> dict[str, Any]:
    return {
        "service": f"fairshoe {__version__}",
        "log": sequencer().signer.verifier.name,
        "documentation": "/docs",
        "openapi": "/openapi.json",
        "tables": "/v1/tables",
        "verify": ADDRESS,
    }
