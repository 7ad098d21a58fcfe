"""A log that took the place of the one in which a seat played: the house lost that, and its tables with it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING

from ..errors import VerificationError
from ..log.note import signatures_of
from .errors import Problem, Unreachable
from .log_before import LogBefore, log_before

if TYPE_CHECKING:
    from .client import Client

REMEDY = "keep the book and the receipts, which hold in that log; ask the house for the chips; play on with new files"


class LogReplaced(Problem):
    """The house says that it lost the seat's log: the first entry of another one, which came in its place, is
    `before`."""

    def __init__(self, before: LogBefore, refusal: Problem | None = None) -> None:
        status, body = (0, {}) if refusal is None else (refusal.status, refusal.body)
        super().__init__(status, body | {"detail": f"the house has another log now; {before.said}; {REMEDY}"})
        self.before = before


def replaced(client: Client, origin: str) -> LogBefore | None:
    """What the first entry of the service's log says of the log `origin`, if that is the one whose place it took."""
    try:
        with closing(client.with_token(None)) as anybody:
            before = log_before(next(anybody.log(0, 1), b""))
    except (Problem, Unreachable):
        return None
    return before if before is not None and before.head.origin == origin else None


def check_log(client: Client, origins: Iterable[str]) -> None:
    """Raise LogReplaced where the service's log says that it took the place of one of these."""
    for origin in filter(None, origins):
        before = replaced(client, origin)
        if before is not None:
            raise LogReplaced(before)


def log_of(note: str) -> str:
    """The log whose key signed a note, by its name; "" where it is no note."""
    try:
        return signatures_of(note)[1][0].name
    except VerificationError:
        return ""
