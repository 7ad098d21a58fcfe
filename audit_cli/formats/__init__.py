"""The forms of a report: text for people, JSON and lines of JSON for programs."""

from __future__ import annotations

from typing import Protocol

from ..findings.report import Report
from . import json, text


class Format(Protocol):
    """Makes a report's text, which ends with a LF. `colour`: for a terminal that shows it."""

    def __call__(self, report: Report, *, colour: bool = False) -> str: ...


FORMATS: dict[str, Format] = {"text": text.render, "json": json.render, "jsonl": json.render_lines}
