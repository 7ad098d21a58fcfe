"""The log in whose place another one came: the first entry of the newer one names it (docs/log.md, `start`)."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import InputError
from ..log.canonical import NotCanonical, parse
from ..log.checkpoint import Checkpoint, checkpoint_of


class LogBefore(NamedTuple):
    """Its newest checkpoint, as far as the house knew: the signed `note`, and the `head` that this says. Nothing of it
    is checked."""

    note: str
    head: Checkpoint

    @property
    def said(self) -> str:
        """What the first entry says, in words."""
        return f"its log says that it took the place of {self.head.origin}, lost after {self.head.size:,} entries"


def log_before(first: bytes) -> LogBefore | None:
    """What the first entry of a log says; None where it names no log before."""
    try:
        entry = parse(first)
        note = entry["continues"] if entry["kind"] == "start" else None
        return LogBefore(note, checkpoint_of(note)) if isinstance(note, str) else None
    except (NotCanonical, InputError, KeyError, TypeError):
        return None
