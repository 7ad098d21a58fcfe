"""The whole report for programs: as one JSON object, or in lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairshoe.terminal.screen import json_text

from ..findings.report import Report
from ..findings.wording import shallow


def escaped_json(content: Any, indent: int | None = None) -> str:
    """The JSON text of `content`, in which what steers a terminal, or what no UTF-8 can hold, stands as an escape."""
    return json_text(shallow(content), indent)


def render(report: Report, *, colour: bool = False) -> str:
    """One object."""
    return escaped_json(report.as_json(), indent=1) + "\n"


def render_lines(report: Report, *, colour: bool = False) -> str:
    """Lines of JSON: the report without its findings, then its groups, then its findings."""
    return "".join(escaped_json(line) + "\n" for line in _lines(shallow(report.as_json())))


def _lines(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each line's `type` says what it is; its other fields are those of the JSON report."""
    groups, findings = whole.pop("groups"), whole.pop("findings")
    yield {"type": "report", **whole}
    for group in groups:
        yield {"type": "group", **group}
    for finding in findings:
        yield {"type": "finding", **finding}
