"""The key that a service shows: worth as much as the service, until somebody compares it."""

from __future__ import annotations

from ..errors import InputError
from ..log.note import Verifier, verifier_of
from .errors import NO_SERVICE, Unreachable


def key_shown(text: str, address: str) -> Verifier:
    """Read what an address shows as a log's key. Raises Unreachable where it is none: nobody's fault is known then."""
    try:
        return verifier_of(text)
    except InputError as error:
        what = f"the service shows no key: {error.what}"
        raise Unreachable(what, where=address, expected=error.expected, remedy=NO_SERVICE) from None
