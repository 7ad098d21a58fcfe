"""The key that a service shows: worth as much as the service, until somebody compares it."""

from __future__ import annotations

from contextlib import suppress

from ..client import Problem, Unreachable
from ..client.client import NO_SERVICE
from ..client.log import LogAt
from ..errors import InputError
from ..log.note import Verifier, verifier_of


def shown_key(source: LogAt) -> Verifier:
    """Raises InputError where a log is served without one, Unreachable, Problem."""
    try:
        return verifier_of(source.verifier())
    except Problem:
        with suppress(Problem, Unreachable):
            source.checkpoint()
            what, remedy = "a log without its key", "give the house's key with --key"
            raise InputError(what, where=source.address, expected="log.vkey", remedy=remedy) from None
        raise
    except InputError as error:
        what = f"the service shows no key: {error.what}"
        raise Unreachable(what, where=source.address, expected=error.expected, remedy=NO_SERVICE) from None
