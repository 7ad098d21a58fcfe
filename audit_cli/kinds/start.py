"""`start`: the service started; limits that run begin anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import shape

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "start"
SHAPE = shape()
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    """Each table is told when it is next looked at, so that this costs the same however many there are."""
    audit.started = entry["at"]
