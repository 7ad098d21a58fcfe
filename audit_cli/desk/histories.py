"""Whether logs go on from one another: those of the last report in those of this one, and logs that begin alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from fairshoe.log.tree import Tree
from fairshoe.terminal.files import is_stdin

from ..report.run import ReportResult
from ..verify.evidence.log_lines import LogLines
from ..verify.findings.report import AuditedLog
from .exceptions import ReportedException, begun_text, exception_id

NOT_CONTINUED = "not-continued"
"""One exception a house, whose id stays the same: many found a new log each month."""
SINCE = "Since the last report"


def head_of(log: Mapping[str, Any]) -> tuple[str, AuditedLog]:
    """Return the name of a log of a report's JSON, and how far it went. Raises KeyError, TypeError."""
    name, head = log["name"], AuditedLog(*(log["audit"]["log"][part] for part in AuditedLog._fields))
    if type(name) is not str or type(head.size) is not int:
        raise TypeError
    return name, head


def not_continued(
    form: Mapping[str, Any], results: Sequence[ReportResult], logs: Sequence[Path], day: str
) -> list[ReportedException]:
    """Return a question for each house with logs in an earlier report's JSON with which no log of this one begins, if
    any is of that house, and one for each log that begins like another and differs. Raises LogError."""
    here = [(result.audit.log, log) for result, log in zip(results, logs, strict=True)]
    ended: dict[str, list[str]] = {}
    asked = []
    for name, old in map(head_of, form["logs"]):
        alike = [log for new, log in here if _begin_alike(old, new)]
        if old.size and any(new.origin == old.origin for new, _ in here) and not any(_is_in(old, log) for log in alike):
            named = f"{name}, begun {(old.first or '')[:10]}, with {old.size:,} entries"
            if alike:
                told = f"a log here begins like {named}, of the last report, and differs: which one did the house sign?"
                asked.append(_question("two-histories", name, old, told, SINCE, day))
            else:
                ended.setdefault(old.origin or "", []).append(named)
    for house, names in ended.items():
        told = f"{NOT_CONTINUED}: no log here goes on from these of the last report: {'; '.join(names)}. "
        told += "Where is the rest, or why did they end?"
        found = exception_id(house, NOT_CONTINUED)
        asked.append(ReportedException(found, house, "", "", "", told, SINCE, day))
    return asked


def two_histories(results: Sequence[ReportResult], logs: Sequence[Path], day: str) -> list[ReportedException]:
    """Return a question for each log of a report that begins like a longer one of its house, and is no part of it.
    Raises LogError."""
    asked: dict[str, ReportedException] = {}
    for one in results:
        for other, log in zip(results, logs, strict=True):
            old, new = one.audit.log, other.audit.log
            if one is not other and _begin_alike(old, new) and not (is_stdin(log) or _is_in(old, log)):
                told = f"{one.name} and {other.name} begin alike and differ: which one did the house sign?"
                found = _question("two-histories", one.name, old, told, "The logs", day)
                asked.setdefault(found.id, found)
    return [*asked.values()]


def _begin_alike(old: AuditedLog, new: AuditedLog) -> bool:
    return (old.origin, old.first) == (new.origin, new.first) and old.size <= new.size


def _is_in(old: AuditedLog, log: Path) -> bool:
    """Whether a log begins with all entries of an `old` one; another pass through them. Raises LogError."""
    tree = Tree()
    for line in islice(LogLines(log), old.size):
        tree.append(line)
    return tree.root.hex() == old.root


def _question(code: str, name: str, old: AuditedLog, told: str, where: str, day: str) -> ReportedException:
    house, begun = old.origin or "", begun_text(old.first)
    return ReportedException(
        exception_id(house, code, old.first), house, name, begun, "", f"{code}: {told}", where, day
    )
