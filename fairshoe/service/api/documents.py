"""The package's documents as pages: docs/NAME.md is served at /docs/NAME, its pictures beside it."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from functools import cache
from hashlib import sha256
from html import escape
from itertools import pairwise
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from markdown_it import MarkdownIt
from markdown_it.token import Token

from .shell import shell

_HERE = Path(__file__).resolve()
DIRECTORY = next((path for path in (_HERE.parents[2] / "docs", _HERE.parents[3] / "docs") if path.is_dir()), None)
"""The documents' directory: in the package if it was built, else in the tree that it runs from."""
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


class Document(NamedTuple):
    """A document as HTML, its title, and the first sentence of its text."""

    title: str
    lead: str
    html: str


def install(app: Flask) -> None:
    @app.get("/docs/<path:name>")
    def document(name: str) -> Response:
        """A document, a picture or a schema of the package; nothing else is served from there."""
        if name in _files(".webp") | _files(".schema.json"):
            response = Response(_read(name), mimetype=guess_type(name)[0])
        elif f"{name}.md" in _files(".md"):
            found = rendered(name)
            page = shell(f"{found.title} · fairshoe", found.html, found.lead)
            response = Response(page, mimetype="text/html", headers={"Content-Security-Policy": POLICY})
        else:
            abort(404)
        response.set_etag(sha256(response.get_data()).hexdigest()[:32])
        response.make_conditional(request)
        return response


def address_of_picture(name: str) -> str:
    """Return the whole address of a picture of the documents, or nothing if the package has none."""
    path = f"pictures/{name}.webp"
    return f"{request.host_url}docs/{path}" if path in _files(".webp") else ""


@cache
def list_of_documents() -> str:
    """Every document with its title and first sentence, as HTML; the decisions in a list of their own."""
    names = [name.removesuffix(".md") for name in sorted(_files(".md"))]
    decisions = [name for name in names if name.startswith("decisions/")]
    rest = [name for name in names if name not in decisions]
    lists = [f"<ul>{''.join(map(_line, some))}</ul>" for some in (rest, decisions)]
    return f"{lists[0]}<details><summary>Decisions</summary>{lists[1]}</details>"


def _line(name: str) -> str:
    found = rendered(name)
    return f'<li><a href="/docs/{escape(name)}">{escape(found.title)}</a>: {escape(found.lead)}</li>'


@cache
def _files(suffix: str) -> frozenset[str]:
    """Names of the files of that kind, as paths below the documents' directory."""
    if DIRECTORY is None:
        return frozenset()
    return frozenset(path.relative_to(DIRECTORY).as_posix() for path in DIRECTORY.rglob(f"*{suffix}"))


def _read(name: str) -> bytes:
    return (DIRECTORY / name).read_bytes() if DIRECTORY else b""


@cache
def rendered(name: str) -> Document:
    """Render a document. HTML in its source is shown as text, and links lead to other documents or are none."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(_read(f"{name}.md").decode())
    title = lead = ""
    anchors: Counter[str] = Counter()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            words = _words(inline)
            title = title or words
            anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            token.attrSet("id", f"{anchor}-{anchors[anchor]}" if anchors[anchor] else anchor)
            anchors[anchor] += 1
        elif token.type == "paragraph_open" and not lead:
            lead = re.split(r"(?<=\.) ", _words(inline))[0]
        _lead_to_pages(inline.children or [], posixpath.dirname(name))
    return Document(title or name, lead, markdown.renderer.render(tokens, markdown.options, {}))


def _words(inline: Token) -> str:
    return "".join(child.content or " " * (child.type == "softbreak") for child in inline.children or [])


def _lead_to_pages(inline: list[Token], folder: str) -> None:
    """Make links and pictures of the source lead to what is served; a link to another file becomes plain text."""
    dropped = False
    for token in inline:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), folder)
            token.attrs, dropped = {"href": address} if address else {}, not address
            token.tag = "span" if dropped else "a"
        elif token.type == "link_close":
            token.tag = "span" if dropped else "a"
        elif token.type == "image":
            token.attrSet("src", _address(str(token.attrGet("src")), folder))


def _address(target: str, folder: str) -> str:
    """Return where a link of a document in `folder` leads, or nothing if its target is not served."""
    url = urlsplit(target)
    if url.scheme or not url.path:
        return target
    path = posixpath.normpath(posixpath.join(folder, url.path))
    if path not in _files(".md") | _files(".webp") | _files(".schema.json"):
        return ""
    return f"/docs/{path.removesuffix('.md')}" + (f"#{url.fragment}" if url.fragment else "")
