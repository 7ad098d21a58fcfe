"""The requests of a seat: each has a key, by which the house does it once however often it is sent."""

from __future__ import annotations

import secrets
import time
from typing import Any, NamedTuple

from .errors import Problem
from .patience import is_unsure

KEY_BYTES = 24
KEPT = 20 * 3600
"""Seconds for which a request may be repeated: the house remembers its answers for a day."""
SEATS, CHIPS, HASH, SEED, BETS = "seats", "chips", "hash", "seed", "bets"


class Request(NamedTuple):
    """What goes to the route `what` with these fields; `at`: when it was first sent, in seconds of the epoch; `log`:
    how many entries the log had before that, as far as the seat knew."""

    key: str
    what: str
    fields: dict[str, Any]
    at: int
    log: int = 0

    def asks(self, what: str, fields: dict[str, Any]) -> bool:
        return (self.what, self.fields) == (what, fields)

    @property
    def leaves(self) -> bool:
        return self.what == CHIPS and bool(self.fields.get("leave"))

    @property
    def stale(self) -> bool:
        """Too old to be repeated: the house may have forgotten it, and would do it once more."""
        return not -KEPT < time.time() - self.at < KEPT


def new_key() -> str:
    """A fresh key of a request: 32 characters."""
    return secrets.token_urlsafe(KEY_BYTES)


def new_request(what: str, fields: dict[str, Any], log: int = 0) -> Request:
    return Request(new_key(), what, fields, int(time.time()), log)


def is_final(refusal: Problem) -> bool:
    """Whether a refusal says that the request was not done; of an error's or a gateway's nobody knows."""
    return not is_unsure(refusal)
