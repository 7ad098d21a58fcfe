"""The cover of a report: its number and date, who makes and signs it, and which program made it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fairshoe.log.times import is_hour

from ..verify.findings.report import TOOL
from ..verify.program import program_hash
from .blocks import Cell


def is_day(text: str) -> bool:
    """Whether a text is a day that the calendar has, as YYYY-MM-DD."""
    return is_hour(f"{text}T00")


class Cover(NamedTuple):
    """What people say of a report; empty where nobody said it. `signer` is a verifier key."""

    number: str = ""
    date: str = ""
    by: str = ""
    signer: str = ""

    def rows(self) -> list[tuple[Cell, ...]]:
        return [
            ("number", self.number or "not said (--number)"),
            ("date", self.date or "not said (--date)"),
            ("made by", self.by or "not said (--by)"),
            ("signed by", self.signer or "nobody (--sign)"),
            ("software", TOOL),
            ("its SHA-256", program_hash()),
        ]

    @classmethod
    def of_json(cls, form: Mapping[str, Any]) -> Cover:
        return cls(*(str(form.get(name, "")) for name in cls._fields))

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "tool": TOOL, "program": program_hash()}
