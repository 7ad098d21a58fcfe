"""The pages that check a hand, and a raffle, in a browser: a file each, which fairshoe/web/build.mjs builds."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

BUILT = Path(__file__).parents[1] / "web" / "built"
"""The web code in the package: this page, the tables' scripts, the second reading for Node."""
_EMPTY = '<script type="application/json" id="filled">'
_POLICY = re.compile(r'(?<=<meta http-equiv="Content-Security-Policy" content=")[^"]+')


@cache
def page() -> str:
    """Return the page with nothing in it yet, as it is saved to a disk."""
    return (BUILT / "verify.html").read_text(encoding="utf-8")


def policy() -> str:
    """Return the page's content security policy; what it is filled with changes nothing in it."""
    (found,) = _POLICY.findall(page())
    return str(found)


def fill_page(proof: bytes, key: str, **more: str) -> str:
    """Return the page with a proof file and the house's verifier key in it. `more`: `link`, where it is served, and
    `code`, its QR code: modules a side, a space, an SVG path of the dark ones."""
    before, place, after = page().partition(_EMPTY)
    return before + place + _data({"key": key, "proof": base64.b64encode(proof).decode(), **more}) + after


def raffle_page(**texts: str) -> str:
    """Return the page that checks a raffle; `texts`: its `proof` and its `entries`, if they are to be in it."""
    before, place, after = (BUILT / "raffle.html").read_text(encoding="utf-8").partition(_EMPTY)
    return before + place + (_data(texts) if texts else "") + after


def _data(form: Mapping[str, object]) -> str:
    """Return an object as text of a data script element, a line a field; without `<`, which could end it."""
    fields = (f"{_json(name)}:{_json(value)}" for name, value in form.items())
    return "{" + ",\n".join(fields).replace("<", "\\u003c") + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
