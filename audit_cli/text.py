"""The report for people: the verdict, what passed, failed and was not checked, the findings, the limits."""

from __future__ import annotations

import textwrap
from typing import Any

from .findings import LOG, Finding
from .report import Report

LIMITS = (
    "What no audit of a log can show: that a key was random, and that nobody who held it sat at the table; that a "
    "seed was fresh; that a decision or seed marked as late was really not sent; that the house did not refuse a bet; "
    "that every order can occur (2^256 keys are fewer than the orders of six packs). That this log is the only one, "
    "and was written when it says, needs receipts, a remembered checkpoint or a witness."
)
_MARKS = {"pass": "✓ pass", "fail": "✗ FAIL", "not-checked": "· not checked"}


def report_text(report: Report) -> str:
    verdict = "FAIL" if report.failed else "PASS"
    lines = [
        f"{verdict}: {report.entries:,} entries, {report.shoes:,} shoes revealed or void, {report.open:,} in play, "
        f"{report.rounds:,} rounds, {report.cards:,} cards",
        "",
    ]
    lines += [f"  {name:14} {_MARKS[state]}" for name, state in report.checks.items()]
    fails = [finding for finding in report.findings if finding.severity == "fail"]
    notes = [finding for finding in report.findings if finding.severity == "note"]
    if fails:
        lines += ["", "Findings (`fairshoe-audit explain CODE` tells more):"]
        for finding in fails:
            lines += ["", *_finding(finding)]
    if notes:
        lines += ["", "Notes, which do not decide the verdict:"]
        lines += [f"  {_place(note)}: {note.code}: {note.cause}" for note in notes]
    return "\n".join(map(printable, [*lines, *_choices(report), "", *textwrap.wrap(LIMITS, 100)]))


def _choices(report: Report) -> list[str]:
    """What was counted over the whole log, in a paragraph."""
    counts = ", ".join(f"{name} {count:,}" for name, count in report.choices.as_json()["log"].items())
    return ["", *textwrap.wrap(f"Choices that remained, counted and not judged: {counts or 'none'}.", 100)]


def printable(line: str) -> str:
    """A line without what could steer a terminal or break the report: such characters are escaped."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _place(finding: Finding) -> str:
    parts = [] if finding.entry is None else [f"entry {finding.entry}"]
    if finding.place != LOG:
        parts.append(str(finding.place))
    if finding.field is not None:
        parts.append(finding.field)
    return ", ".join(parts) or "log"


def _finding(finding: Finding) -> list[str]:
    lines = [f"  {finding.code}  ({_place(finding)}; fault: {finding.fault})", f"    {finding.cause}"]
    if finding.expected is not None:
        lines.append(f"    expected  {_short(finding.expected)}")
    if finding.found is not None:
        lines.append(f"    found     {_short(finding.found)}")
    return lines


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 160 else text[:157] + "..."
