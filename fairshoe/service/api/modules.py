"""What a table's page is made of, under one path: its own files, the player's and the verifier's modules, these without
their comments and the spaces that mean nothing."""

from __future__ import annotations

import gzip
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from flask import Flask, Response, request

from ...page.bundle import plain_script, plain_style
from ..errors import NotFound

ADDRESS = "/modules"
SOURCE = Path(__file__).parents[2]
DIRECTORIES = ("player", "tables", "verifier")
KINDS = {
    ".css": "text/css",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
}
IMPORTED = re.compile(r'^import .*from "(\.[^"]+)"', re.MULTILINE)
POLICY = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
"""For a module that a worker begins with: it may import others of this house, and asks nobody for anything."""


class Served(NamedTuple):
    """A file, `packed` by gzip too."""

    media: str
    data: bytes
    packed: bytes
    tag: str


@cache
def files() -> dict[str, Served]:
    """Every file, by its path below the address."""
    found = [path for name in DIRECTORIES for path in (SOURCE / name).rglob("*") if path.suffix in KINDS]
    return {path.relative_to(SOURCE).as_posix(): _served(path) for path in sorted(found)}


def _served(path: Path) -> Served:
    data = path.read_bytes()
    if path.suffix == ".mjs":
        data = tight(plain_script(data.decode())).encode()
    elif path.suffix == ".css":
        data = plain_style(data.decode()).encode()
    return Served(KINDS[path.suffix], data, gzip.compress(data, mtime=0), sha256(data).hexdigest()[:32])


_STRING = re.compile(r'("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)')
_SPACED = re.compile(r" ?(=>|===|!==|&&|\|\||\?\?|[][=?:{}(),;<>!]) ?")


def tight(script: str) -> str:
    """Return a module without the spaces and line feeds that mean nothing. Imports, lines that may hold a regular
    expression, a string in '…', or more of a template than a whole one stay, but for their indentation: no line of a
    template begins with a space."""
    lines, inside = [], False
    for line in script.split("\n"):
        inside, began = inside ^ (line.count("`") % 2 == 1), inside
        parts = _STRING.split(line.lstrip(" "))
        whole = not began and line.count("`") in (0, 2)
        plain = whole and not re.search("[`'\"/]", "".join(parts[::2])) and not line.startswith("import ")
        if plain:
            parts[::2] = [_SPACED.sub(r"\1", part) for part in parts[::2]]
        lines.append("".join(parts) + ("" if plain and parts[-1].endswith(("{", ",", ";")) else "\n"))
    return "".join(lines).rstrip("\n") + "\n"


def needed_by(name: str) -> list[str]:
    """The modules that one imports, and those that they do, in the order in which they are met."""
    found, met = [name], {name}
    for each in found:
        wanted = [normpath(join(dirname(each), path)) for path in IMPORTED.findall(files()[each].data.decode())]
        found += [one for one in wanted if one not in met]
        met |= {*wanted}
    return found


def install(app: Flask) -> None:
    def module(name: str) -> Response:
        served = files().get(name)
        if served is None:
            raise NotFound("there is no such module", where="path", expected=f"below {ADDRESS}/")
        packed = request.accept_encodings["gzip"] > 0
        response = Response(served.packed if packed else served.data, mimetype=served.media)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Security-Policy"] = POLICY
        response.vary.add("Accept-Encoding")
        response.set_etag(served.tag, weak=True)
        response.make_conditional(request)
        return response

    app.add_url_rule(f"{ADDRESS}/<path:name>", view_func=module)
