"""The key that is shown with a log, by a service or on a web server."""

from __future__ import annotations

from contextlib import suppress

from ..client import Problem, Unreachable
from ..client.log import LogAt, key_shown
from ..errors import InputError
from ..log.note import Verifier


def shown_key(source: LogAt) -> Verifier:
    """Raises InputError where a log is served without one, Unreachable, Problem."""
    try:
        text = source.verifier()
    except Problem:
        with suppress(Problem, Unreachable):
            source.checkpoint()
            what, remedy = "a log without its key", "give the house's key with --key"
            raise InputError(what, where=source.address, expected="log.vkey", remedy=remedy) from None
        raise
    return key_shown(text, source.address)
