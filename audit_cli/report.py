"""The report of an audit: counts, checks, findings, choices, the verdict."""

from __future__ import annotations

from typing import Any

from fairshoe.ceremony.choices import Choices

from .codes import CATALOGUE
from .findings import CHECKS, LOG, Finding, Place

MOST_FINDINGS = 1000


class Report:
    """Collects findings. A check passes only where something was put to it and nothing failed."""

    def __init__(self) -> None:
        self.entries = 0
        self.shoes = 0
        self.rounds = 0
        self.cards = 0
        self.open = 0
        self.choices = Choices()
        self.findings: list[Finding] = []
        self._listed = {"fail": 0, "note": 0}
        self._failed: set[str] = set()
        self._checked: set[str] = set()

    def checked(self, *names: str) -> None:
        """Say that these checks were put to something."""
        self._checked.update(names)

    def add(
        self,
        code: str,
        place: Place = LOG,
        *,
        entry: int | None = None,
        field: str | None = None,
        expected: Any = None,
        found: Any = None,
    ) -> None:
        about = CATALOGUE[code]
        if about.severity == "fail":
            self._failed.add(about.check)
        self._listed[about.severity] += 1
        listed = self._listed[about.severity]
        if listed <= MOST_FINDINGS:
            finding = Finding(code, about.severity, about.fault, entry, *place, field, expected, found, about.cause)
            self.findings.append(finding)
        elif listed == MOST_FINDINGS + 1:
            capped = CATALOGUE["findings-capped"]
            self.findings.append(
                Finding(capped.code, "note", "unknown", entry, *LOG, None, MOST_FINDINGS, None, capped.cause)
            )

    @property
    def failed(self) -> bool:
        return bool(self._failed)

    @property
    def checks(self) -> dict[str, str]:
        def state(name: str) -> str:
            if name in self._failed:
                return "fail"
            return "pass" if name in self._checked else "not-checked"

        return {name: state(name) for name in CHECKS}

    def as_json(self) -> dict[str, Any]:
        """The report as docs/audit.md describes it."""
        return {
            "verdict": "fail" if self.failed else "pass",
            "entries": self.entries,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "cards": self.cards,
            "open": self.open,
            "checks": self.checks,
            "findings": [finding._asdict() for finding in self.findings],
            "choices": self.choices.as_json(),
        }
