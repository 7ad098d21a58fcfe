"""Web origins, as browsers write them."""

from __future__ import annotations

import re

from ..errors import InputError

ALL = "*"
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)


def origin_of(text: str) -> str:
    """An origin, or `*` for all. Raises InputError."""
    if text != ALL and not _ORIGIN.fullmatch(text.lower()):
        raise InputError(f"{text[:60]!r} is no origin", expected="such as https://play.example, or *")
    return text.lower()
