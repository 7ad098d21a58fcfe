"""A finding: what the auditor says is wrong, where, whose fault it is, and what to do next."""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple, TypeVar

Severity = Literal["fail", "note"]
Fault = Literal["house", "player", "placer", "reader", "unknown"]


class Code(NamedTuple):
    """A kind of finding: its `check`, its likely `cause` in a sentence, what it means (`explain`), and what to do
    (`next`), if that is not the usual for its fault."""

    code: str
    check: str
    cause: str
    explain: str
    severity: Severity = "fail"
    fault: Fault = "house"
    next: str = ""


def codes_of(text: str) -> tuple[Code, ...]:
    """Read codes from a list of `CODE: CHECK`, `note` and fault if not the house's; beneath the cause, the meaning, and
    what to do behind `next:`."""
    found = []
    for block in re.split(r"\n(?=\S)", text.strip()):
        head, cause, *lines = (line.strip() for line in block.split("\n"))
        code, check, *words = re.split("[:,] ", head)
        explain, _, what = " ".join(lines).partition("next: ")
        severity: Severity = "note" if "note" in words else "fail"
        fault: Fault = next((fault for fault in BY_FAULT if fault in words), "house")
        found.append(Code(code, check, cause, explain.strip(), severity, fault, what))
    return tuple(found)


CATALOGUE: dict[str, Code] = {}
"""Every code by its name; `audit_cli.verify.registry` fills it."""
RESULT_CODES = ("payout-differs", "outcome-differs")
"""The findings that say a hand came to something else."""
FALSE_RESULT = "the log states a false result; the chips moved as the rules say"
"""Cause of such a finding if the round's chips are those of the rules."""


class Place(NamedTuple):
    """The subject of a finding: a table, a shoe, the number of a round; None if that does not apply."""

    table: str | None = None
    shoe: str | None = None
    round: int | None = None

    def __str__(self) -> str:
        if self.round is not None:
            return f"round {self.table}#{self.round}"
        if self.shoe is not None:
            return f"shoe {self.shoe}"
        return "log" if self.table is None else f"table {self.table}"


LOG = Place()
"""No place in particular."""


class Finding(NamedTuple):
    """One finding."""

    code: str  # a name in CATALOGUE
    severity: Severity  # whether it fails the audit
    fault: Fault  # whose fault it is
    entry: int | None  # index of the entry, from 0
    table: str | None  # the table's id
    shoe: str | None  # the shoe's id
    round: int | None  # the round's number
    field: str | None  # a path such as `hands[0].net`
    subject: str | None  # what people call the field: `alice's payout`
    expected: Any  # the value expected there
    found: Any  # the value found there
    cause: str  # the likely cause, in a sentence
    next: str  # what to do, in a sentence or two
    follows: str | None = None  # code of the finding that this one follows from

    @property
    def place(self) -> Place:
        return Place(self.table, self.shoe, self.round)


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
SIGNED = ("signature", "tree")
"""Those that say whether this copy is what the house signed."""

# What to do about one.

BY_FAULT: dict[Fault, str] = {
    "house": "Keep this log and its checkpoint, and ask the house.",
    "player": "Ask that player; the house has done nothing wrong here.",
    "placer": "Keep this log, and ask that placer, and the house, which chose it and could not know this before.",
    "reader": "Get the log again, as it is, and repeat the audit.",
    "unknown": "Ask whoever made the log, and compare with another copy of it.",
}
GET_AGAIN_FIRST = (
    "Get the log again first, with its checkpoint, and repeat the audit: this copy is not shown to be what the house "
    "signed, so whoever had it may have changed it. If the new one says the same, ask the house."
)
"""Next step for findings in a copy that is not what the house signed."""


Doubted = TypeVar("Doubted", Code, Finding)


def as_doubtful(each: Doubted) -> Doubted:
    """A code, or a finding, as it stands for such a copy: nothing in it can be laid at the house's door."""
    return each._replace(fault="unknown", next=GET_AGAIN_FIRST) if each.fault == "house" else each


def next_step(code: Code, place: Place) -> str:
    """A sentence or two; a round is shown by `hand` before anybody is asked."""
    if code.next:
        return code.next
    if place.round is not None and place.table is not None and code.severity == "fail":
        hand = f"fairshoe-audit hand LOG --round '{place.table}#{place.round}'"
        return f"See it card by card: {hand}. {BY_FAULT[code.fault]}"
    return BY_FAULT[code.fault] if code.severity == "fail" else "Nothing; it does not decide the verdict."
