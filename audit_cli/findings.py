"""Findings: what the auditor says is wrong, where, and whose fault it is."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Severity = Literal["fail", "note"]
Fault = Literal["house", "player", "unknown"]


class Code(NamedTuple):
    """A kind of finding. `check` is the check it belongs to, `cause` the likely cause in a sentence,
    `explain` what it means and what to do, for `fairshoe-audit explain`."""

    code: str
    check: str
    cause: str
    explain: str
    severity: Severity = "fail"
    fault: Fault = "house"


class Finding(NamedTuple):
    """One finding. `entry` counts from 0; `round` is `TABLE#NUMBER`, a table's id, or null."""

    code: str
    severity: Severity
    fault: Fault
    entry: int | None
    round: str | None
    field: str | None
    expected: Any
    found: Any
    cause: str


CHECKS = (
    "signature",
    "tree",
    "remembered",
    "syntax",
    "order",
    "completeness",
    "commitment",
    "contributions",
    "shuffle",
    "cards",
    "decisions",
    "dealer",
    "settlement",
    "chips",
    "policy",
)
"""In the order in which they are decided. The names are an interface."""
