"""The whole report as one JSON object, for programs."""

from __future__ import annotations

from ..findings.report import Report
from ._escaped import escaped_json

NAME = "json"


def render(report: Report, *, everything: bool = False, colour: bool = False) -> str:
    return escaped_json(report.as_json(), indent=1) + "\n"
