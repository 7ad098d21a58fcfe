"""The cover of a report: its number and date, who makes and signs it, and which program made it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import audit_cli
import fairshoe

from ..verify.findings.report import TOOL
from .blocks import Cell

PROGRAM = ("*.py", "*.c", "luck/expectations.json")
"""The files of a program that decide what it finds."""


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


@cache
def program_hash() -> str:
    """Return the SHA-256 over names and bytes of the program's files, in the order of their names."""
    found = sha256()
    for package in (audit_cli, fairshoe):
        folder = Path(package.__file__ or "").parent
        files = {path for pattern in PROGRAM for path in folder.rglob(pattern)}
        for path in sorted(files, key=lambda path: path.relative_to(folder).as_posix()):
            name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            found.update(f"{name}\n{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()
