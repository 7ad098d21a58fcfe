"""The page that checks a hand in a browser: one file, joined from the modules of fairshoe/verifier."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path

from .bundle import data, joined_page

JOINED = Path(__file__).with_name("verify.html")
"""Where the page is in what was installed; in a checkout it is joined when it is first wanted."""
_EMPTY = '<script type="application/json" id="filled">'
_POLICY = re.compile(r'(?<=<meta http-equiv="Content-Security-Policy" content=")[^"]+')


@cache
def page() -> str:
    """The page with nothing in it yet, as it is saved to a disk."""
    return JOINED.read_text(encoding="utf-8") if JOINED.is_file() else joined_page()


def policy() -> str:
    """The page's content security policy; what it is filled with changes nothing in it."""
    (found,) = _POLICY.findall(page())
    return str(found)


def filled(proof: bytes, key: str, **more: str) -> str:
    """The page with a proof file in it, and the verifier key that whoever fills it says is the house's.

    `more`: `link`, the address at which it is served so, and `code`, its QR code: how many modules
    a side has, a space, and the dark ones as a path of SVG.
    """
    before, place, after = page().partition(_EMPTY)
    return before + place + data({"key": key, "proof": base64.b64encode(proof).decode(), **more}) + after
