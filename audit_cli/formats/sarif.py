"""SARIF 2.1.0 (OASIS), which code hosts and editors read: a rule for each code, a result for each finding listed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fairshoe import __version__
from fairshoe.terminal.style import printable

from ..findings.finding import LOG, Code, Finding
from ..findings.report import Report
from ..findings.wording import left, sentence, verdict
from ._escaped import escaped_json

NAME = "sarif"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FILE = {"uri": "log.jsonl", "uriBaseId": "LOG"}
_PLAIN = str.maketrans({"\\": r"\\", "[": r"\[", "]": r"\]", "{": "{{", "}": "}}"})
LEVELS = {"fail": "error", "note": "note"}


def render(report: Report, *, everything: bool = False, colour: bool = False) -> str:
    codes = list(dict.fromkeys(finding.code for finding in report.findings))
    run = {
        "tool": {
            "driver": {
                "name": "fairshoe-audit",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(report.about(code)) for code in codes],
            }
        },
        "originalUriBaseIds": {"LOG": {"description": {"text": "The directory of the log that was audited."}}},
        "artifacts": [{"location": FILE, "mimeType": "application/jsonl", "encoding": "UTF-8"}],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}],
        "results": _results(report, codes),
        "columnKind": "unicodeCodePoints",
        "properties": _properties(report),
    }
    return escaped_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "shortDescription": _message(_capital(code.cause)),
        "fullDescription": _message(code.explain),
        "help": _message(f"{code.explain} Likely cause: {code.cause}. Fault: {code.fault}. {code.next}".strip()),
        "defaultConfiguration": {"level": LEVELS[code.severity]},
        "properties": {"check": code.check, "fault": code.fault, "tags": [code.check]},
    }


def _results(report: Report, codes: list[str]) -> list[dict[str, Any]]:
    """The first result of a code stands also for those that are not listed."""
    unlisted = _totals(report) - Counter(finding.code for finding in report.findings)
    results = []
    for finding in report.findings:
        result = _result(finding, codes.index(finding.code), report.log.size)
        if more := unlisted.pop(finding.code, 0):
            result["occurrenceCount"] = more + 1
        results.append(result)
    return results


def _totals(report: Report) -> Counter[str]:
    totals: Counter[str] = Counter()
    for group in report.groups:
        totals[group.code.code] += group.count
        totals.update(group.follows)
    return totals


def _result(finding: Finding, rule: int, size: int) -> dict[str, Any]:
    name = str(finding.place) if finding.place != LOG else "log"
    path = f"{name}/{finding.field}" if finding.field else name
    physical: dict[str, Any] = {"artifactLocation": FILE | {"index": 0}}
    if finding.entry is not None:
        physical["region"] = {"startLine": min(finding.entry, max(size - 1, 0)) + 1}
    follows = {} if finding.follows is None else {"follows": finding.follows}
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": _message(f"{sentence(finding)}. {_capital(finding.cause)}. {printable(finding.next)}"),
        "locations": [{"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": printable(path)}]}],
        "partialFingerprints": {"place/v1": printable(f"{finding.code}:{finding.entry}:{path}")},
        "properties": {"fault": finding.fault, **follows},
    }


def _notifications(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "level": "warning",
            "message": _message(f"Not checked: {printable(left(each))}."),
            "properties": {"check": each.check},
        }
        for each in report.unchecked
    ]


def _properties(report: Report) -> dict[str, Any]:
    """What the audit was about: the report without groups, findings and choices."""
    whole = report.as_json()
    kept = {name: part for name, part in whole.items() if name not in ("tool", "groups", "findings", "choices")}
    return {"summary": printable(verdict(report)), **kept}


def _message(text: str) -> dict[str, str]:
    """A message that has neither placeholders nor links, whatever stands in the log (SARIF 2.1.0, 3.11.5, 3.11.6)."""
    return {"text": text.translate(_PLAIN)}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
