"""The page as one file: template, styles, texts and script, and the policy that lets nothing else in."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from ..errors import InputError
from .script import joined_script

SOURCE = Path(__file__).parents[1] / "verifier"
FOLDER = "page"
"""Where in the source template, styles, texts and the first module are."""
ENTRY = f"{FOLDER}/main.mjs"
POLICY = (
    "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; connect-src 'none'; form-action 'none'; "
    "base-uri 'none'"
)
_PLACE = re.compile(r"<!--(policy|style|script|texts|filled)-->")
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">')


def joined_page(source: Path = SOURCE) -> str:
    """Join the page from its parts: the same bytes from the same parts, wherever. Raises InputError."""

    def read(name: str) -> str:
        path = source / name
        if not path.is_file():
            raise InputError("there is no such file", where=name, expected=f"a file in {source}")
        return path.read_text(encoding="utf-8")

    script = joined_script(ENTRY, read)
    style = plain_style(read(f"{FOLDER}/page.css"))
    parts = {
        "policy": POLICY.format(source_hash(script), source_hash(style)),
        "style": style,
        "script": script,
        "texts": data(json.loads(read(f"{FOLDER}/texts.json"))),
        "filled": "",
    }
    template = read(f"{FOLDER}/page.html")
    if sorted(_PLACE.findall(template)) != sorted(parts):
        raise InputError("other places to fill", where="page.html", expected=f"each of {', '.join(parts)} once")
    return _PLACE.sub(lambda found: parts[found[1]], template)


def plain_style(style: str) -> str:
    """Styles without comments and empty lines. Raises InputError where they would end their element."""
    if "</" in style:
        raise InputError("would end the styles", where="page.css", expected="no `</`")
    lines = re.sub(r"/\*.*?\*/", "", style, flags=re.S).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"


def data(form: Mapping[str, object]) -> str:
    """An object as the text of a script element that holds data, a line for each field: no `<`, so that nothing in it
    ends the element or begins another."""
    fields = (f"{_json(name)}:{_json(value)}" for name, value in form.items())
    return "{" + ",\n".join(fields).replace("<", "\\u003c") + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def source_hash(text: str) -> str:
    """What a content security policy calls an inline script or style (CSP 3, 2.3.1)."""
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


def policy_of(page: str) -> str:
    """The content security policy that a page has. Raises InputError where it has none."""
    found = _POLICY.search(page)
    if found is None:
        raise InputError("no content security policy", where="page", expected="the page as it was joined")
    return found[1]
