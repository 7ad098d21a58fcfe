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
    """Return the page with a proof file in it, and the verifier key that whoever fills it says is the house's.

    `more`: `link`, the address at which it is served so, and `code`, its QR code: how many modules
    a side has, a space, and the dark ones as a path of SVG.
    """
    before, place, after = page().partition(_EMPTY)
    return before + place + _data({"key": key, "proof": base64.b64encode(proof).decode(), **more}) + after


def raffle_page(**texts: str) -> str:
    """Return the page that checks a raffle; `texts`: its `proof` and its `entries`, if they are to be in it."""
    before, place, after = (BUILT / "raffle.html").read_text(encoding="utf-8").partition(_EMPTY)
    return before + place + (_data(texts) if texts else "") + after


def _data(form: Mapping[str, object]) -> str:
    """An object as the text of a script element that holds data, a line for each field: no `<`, so that nothing in it
    ends the element or begins another."""
    fields = (f"{_json(name)}:{_json(value)}" for name, value in form.items())
    return "{" + ",\n".join(fields).replace("<", "\\u003c") + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
