"""Pages for people: the house's first one, without a script, and the one that checks a hand in the browser."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from typing import Any

from flask import Flask, Response, request

from ... import __version__
from ...ceremony.acting.phase import phase
from ...ceremony.acting.state import State
from ...log.note import base64_of
from ...page import filled, page, policy
from .context import address_of, answer, sequencer
from .tables import PAGE

HTML = "text/html"
ADDRESS = "/verify"
PHASES = {
    "idle": "waiting for a shoe",
    "bank": "settling who banks",
    "hash": "collecting the hashes of seeds",
    "bet": "taking bets",
    "seed": "opening seeds",
    "round": "playing a round",
    "closed": "closed",
}
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
        liked = request.accept_mimetypes
        by_a_person = liked["text/html"] > liked["application/json"]
        response = Response("".join(front()), mimetype=HTML) if by_a_person else answer(_index())
        response.vary.add("Accept")
        return response

    @app.get(ADDRESS)
    def verify() -> Response:
        response = _checking_page(page())
        response.set_etag(sha256(response.get_data()).hexdigest()[:32])
        response.make_conditional(request)
        return response


# The page that checks.


def check_page(proof: str) -> Response:
    """The page with a proof file and the house's key in it."""
    return _checking_page(filled(proof.encode(), str(sequencer().signer.verifier)))


def _checking_page(text: str) -> Response:
    return Response(text, mimetype=HTML, headers={"Content-Security-Policy": f"{policy()}; frame-ancestors 'none'"})


# The first page, and the same for programs.


def _index() -> dict[str, Any]:
    return {
        "service": f"fairshoe {__version__}",
        "log": sequencer().signer.verifier.name,
        "documentation": "/docs",
        "openapi": "/openapi.json",
        "tables": "/v1/tables",
        "verify": ADDRESS,
    }


def front() -> Iterator[str]:
    """The page, a piece at a time."""
    source = sequencer()
    key, head = str(source.signer.verifier), source.heads.present()
    name, command = escape(head.origin), f"fairshoe-audit hand hand.json --key {shlex.quote(key)}"
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f'<meta name="color-scheme" content="light dark"><style>{STYLE}</style></head><body>'
    yield f'<header><p class="brand">fairshoe</p></header><main><h1>{name}</h1>'
    yield '<p class="lead">This house commits to each shuffle before anybody bets, lets the players add to it, and '
    yield "shows its key afterwards. Every card, decision and payout can be checked, without trusting the house.</p>"
    yield '<section><h2>Check a hand</h2><p><a class="act" href="/verify">Open the page that checks</a></p>'
    yield "<p>It runs in your browser, sends nothing to anybody, and can be saved and opened without a network. Each "
    yield "hand has an address of its own that opens it filled in; the tables below link their last one. With the "
    yield f"hand's proof file on your disk, a program does the same:</p><pre><code>{escape(command)}</code></pre>"
    yield "</section><section><h2>The house's key</h2><p>Everything that this house puts on record is signed with it. "
    yield "Keep it, and compare it with what others were shown: a page of the house alone proves nothing.</p>"
    yield f"<pre><code>{escape(key)}</code></pre></section><section><h2>Tables</h2>"
    yield from _tables(source.all_tables("", PAGE + 1))
    yield "</section><section><h2>The log</h2><p>What happened at every table, in order, for anybody to read: "
    yield f'<a href="/v1/log.tar">all of it</a>, {head.size:,} entries, and <a href="/checkpoint">the newest signed '
    yield f"checkpoint</a>, whose tree head is <code>{base64_of(head.root)}</code>.</p></section></main>"
    yield '<footer><p>For programs: <a href="/docs">the API</a>, <a href="/openapi.json">its description</a>, '
    yield f'<a href="/v1/tables">the tables</a>. fairshoe {escape(__version__)}</p></footer></body></html>\n'


def _tables(states: Sequence[State]) -> Iterator[str]:
    yield '<table><thead><tr><th scope="col">table<th scope="col">rules<th scope="col">now<th scope="col">seats'
    yield '<th scope="col">last hand</thead><tbody>'
    for state in states[:PAGE]:
        seats = f"{len(state.table.players)} of {state.rules.chairs[1]} taken"
        yield f'<tr><th scope="row">{escape(state.id)}<td>{escape(state.rules.name)}<td>{PHASES[phase(state)]}'
        yield f"<td>{seats}<td>{_last(state)}"
    yield "</tbody></table>"
    if not states:
        yield "<p>There is no table yet.</p>"
    if len(states) > PAGE:
        yield '<p>There are more: <a href="/v1/tables">all of them</a>.</p>'


def _last(state: State) -> str:
    if state.last is None:
        return "–"
    name = f"{state.id}#{state.last['round']}"
    return f'<a href="{escape(address_of(name))}">check {escape(name)}</a>'
