"""The report in lines of JSON: the report without its findings, then its groups, then its findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..findings.report import Report
from ..findings.wording import shallow
from ._escaped import escaped_json

NAME = "jsonl"


def render(report: Report, *, everything: bool = False, colour: bool = False) -> str:
    return "".join(escaped_json(line) + "\n" for line in _lines(shallow(report.as_json())))


def _lines(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each line's `type` says what it is; its other fields are those of the JSON report."""
    groups, findings = whole.pop("groups"), whole.pop("findings")
    yield {"type": "report", **whole}
    for group in groups:
        yield {"type": "group", **group}
    for finding in findings:
        yield {"type": "finding", **finding}
