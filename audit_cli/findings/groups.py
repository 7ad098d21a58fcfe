"""Findings by cause: one item for each code, with what follows from it beneath."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ..state.seen import Seen
from .advice import doubted, doubtful
from .finding import SIGNED, Code, Finding

FIRST = 3
"""How many places of a group are shown."""


@dataclass
class Group:
    """All findings of one code that do not follow from another; `first` are the first of them.

    `rounds` and `shoes` count the ones concerned; `follows` counts what follows from them, by code. `seen` is that of
    all groups of a report: what each is about.
    """

    code: Code
    seen: Seen
    count: int = 0
    rounds: int = 0
    shoes: int = 0
    first: list[Finding] = field(default_factory=list)
    follows: dict[str, int] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        self.count += 1
        if len(self.first) < FIRST:
            self.first.append(finding)
        if finding.round is not None:
            self.rounds += self._is_new(finding.table, finding.round)
        if finding.shoe is not None:
            self.shoes += self._is_new(finding.shoe)

    def _is_new(self, *place: str | int | None) -> bool:
        return self.seen.add(sha256(repr((self.code.code, *place)).encode()).digest())

    def doubt(self) -> None:
        """This copy is not what the house signed: see `Report.conclude`."""
        self.code = doubted(self.code)
        self.first = [doubtful(finding) for finding in self.first]

    def add_following(self, code: str, count: int = 1) -> None:
        self.follows[code] = self.follows.get(code, 0) + count

    def counted(self) -> dict[str, Any]:
        """What is known but for the code, as JSON."""
        return {"count": self.count, "rounds": self.rounds, "shoes": self.shoes, "first": self.first}

    @property
    def rank(self) -> tuple[bool, bool, bool, bool, int, bool, str]:
        """Ascending: what fails first, of that what only the reader can mend, then whether the log is the house's
        word at all, then by the first entry, and of one entry what was paid."""
        entry = self.first[0].entry
        code = self.code
        return (
            code.severity != "fail",
            code.fault != "reader",
            code.check not in SIGNED,
            entry is None and code.check not in SIGNED,
            entry or 0,
            code.code != "payout-differs",
            code.code,
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code.code,
            "check": self.code.check,
            "severity": self.code.severity,
            "fault": self.code.fault,
            "count": self.count,
            "rounds": self.rounds,
            "shoes": self.shoes,
            "follows": dict(sorted(self.follows.items())),
            "cause": self.code.cause,
            "next": self.first[0].next,
            "first": [finding._asdict() for finding in self.first],
        }
