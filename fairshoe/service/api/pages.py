"""Pages for people: those where one plays (fairshoe/tables), and the one that checks a hand in the browser."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

import segno
from flask import Flask, Response, abort, request
from werkzeug.exceptions import HTTPException

from ... import __version__
from ...ceremony.acting.state import State
from ...engine.rules import RULES
from ...page import fill_page, page, policy
from ..errors import NotFound
from . import modules
from .context import address_of, json_response, sequencer
from .problems import refuse

HTML = "text/html"
ADDRESS = "/verify"
PAGE = 100
"""Tables that are listed for who has no JavaScript."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The pages where one plays run this house's own modules and ask this house alone; in a frame they do nothing."""
STYLE = """
:root{color-scheme:light dark;--ground:#f2f4f2;--sheet:#fff;--ink:#18211d;--quiet:#55605a;--line:#d6dcd8;
--accent:#0f5a46;--on-accent:#fff;--mono:ui-monospace,"SF Mono","Cascadia Mono",Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{--ground:#0e1412;--sheet:#161e1b;--ink:#e6ece8;--quiet:#a0ada6;
--line:#2b3732;--accent:#7fd3b0;--on-accent:#06251b}}*{box-sizing:border-box}html{font:100%/1.55 -apple-system,
"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;color:var(--ink);background:var(--ground);
-webkit-text-size-adjust:100%}body{margin:0 auto;max-width:50rem;padding:0 clamp(1rem,4vw,2.5rem) 2rem;
overflow-wrap:anywhere}header{padding:1rem 0;border-bottom:1px solid var(--line)}.brand{margin:0;
font-weight:700}h1{margin:2rem 0 .75rem;font-size:clamp(1.6rem,1.1rem + 2.2vw,2.4rem);line-height:1.15;
letter-spacing:-.02em}h2{margin:0 0 .75rem;font-size:1.15rem;line-height:1.3;letter-spacing:-.01em}p{
margin:0 0 .75rem;max-width:42rem}.lead{margin-bottom:1.75rem;font-size:1.1rem;color:var(--quiet)}a{
color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}section{margin:0 0 1.25rem;
padding:1.25rem;background:var(--sheet);border:1px solid var(--line);border-radius:.75rem}section>:last-child{
margin-bottom:0}.act{display:inline-block;min-height:2.75rem;padding:.6rem 1.1rem;border-radius:.5rem;
font-weight:600;color:var(--on-accent);background:var(--accent);text-decoration:none}pre{margin:.75rem 0;
padding:.75rem 1rem;border-radius:.5rem;background:var(--ground);white-space:pre-wrap}code{
font:.85em/1.55 var(--mono)}table{width:100%;border-collapse:collapse}th,td{padding:.6rem .75rem .6rem 0;
overflow-wrap:break-word;
text-align:left;vertical-align:top;font-weight:400;border-top:1px solid var(--line)}thead th{padding-top:0;border:0;
font-size:.875rem;color:var(--quiet)}tbody th{font-weight:600}footer{margin-top:2rem;
font-size:.875rem;color:var(--quiet)}
@media(max-width:38rem){thead{position:absolute;clip-path:inset(50%)}tr{display:block;padding:.75rem 0;
border-top:1px solid var(--line)}tbody th,td{display:inline;padding:0;border:0}tbody th{display:block}td+td::before{
content:" · "}}
"""


def install(app: Flask) -> None:
    @app.get("/")
    def index() -> Response:
        """HTML for whoever likes it better than JSON, as browsers do: who takes anything gets what programs read."""
        response = _playing_page(_tables()) if _likes_html() else json_response(_index())
        response.vary.add("Accept")
        return response

    @app.get("/tables/<table>")
    def table(table: str) -> Response:
        return _playing_page()

    @app.get("/operator")
    def operate() -> Response:
        """The operator's page; what it shows and does needs the operator's token."""
        return _playing_page()

    @app.get("/tables/<table>/rules")
    def rules_of_table(table: str) -> Response:
        try:
            sequencer().glance(table, None)
        except NotFound:
            abort(404)
        return _playing_page()

    @app.get("/rules/<game>")
    def rules_of_game(game: str) -> Response:
        return _playing_page() if game in RULES else abort(404)

    @app.errorhandler(404)
    def unknown_address(error: HTTPException) -> Response:
        """A page for a person at an address that no route has; programs get the problem."""
        if not _likes_html() or request.path.startswith("/v1/"):
            return refuse(error)
        response = _playing_page()
        response.status_code = 404
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
    return _checking_page(fill_page(proof.encode(), str(sequencer().signer.verifier), **more))


def _checking_page(text: str) -> Response:
    return Response(text, mimetype=HTML, headers={"Content-Security-Policy": f"{policy()}; frame-ancestors 'none'"})


# The pages where one plays; what programs read at the first one's address.


def _playing_page(tables: str = "") -> Response:
    """`tables`: as they stand, for who has no JavaScript."""
    page = _page_of_tables().replace("<!-- tables -->", tables)
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
