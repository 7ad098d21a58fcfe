"""Whether logs go on from one another: those of the last report in those of this one, and logs that begin alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.log.tree import Tree
from fairshoe.terminal.files import is_stdin

from ..report.run import ReportResult
from ..verify.evidence.log_lines import LogLines
from .exceptions import ReportedException, begun_text, exception_id


class History(NamedTuple):
    """A log as far as a report knows it: the time of its first entry, how many it has, and their tree head in hex."""

    name: str
    house: str
    first: str
    size: int
    root: str

    @classmethod
    def of_json(cls, log: Mapping[str, Any]) -> History:
        """Read that of a log of a report's JSON."""
        head = log["audit"]["log"]
        return cls(log["name"], head["origin"] or "", head["first"] or "", head["size"], head["root"] or "")

    @classmethod
    def of(cls, result: ReportResult) -> History:
        head = result.audit.log
        return cls(result.name, head.origin or "", head.first or "", head.size, head.root or "")

    def is_in(self, log: Path) -> bool:
        """Whether a log begins with all these entries; another pass through them. Raises LogError."""
        tree = Tree()
        for line in islice(LogLines(log), self.size):
            tree.append(line)
        return tree.root.hex() == self.root

    def ask(self, code: str, what: str, where: str, day: str) -> ReportedException:
        begun = begun_text(self.first)
        name = exception_id(self.house, code, self.first)
        return ReportedException(name, self.house, self.name, begun, "", f"{code}: {what}", where, day)


def not_continued(
    form: Mapping[str, Any], results: Sequence[ReportResult], logs: Sequence[Path], day: str
) -> list[ReportedException]:
    """Return a question for each log of an earlier report's JSON with which no log of this one begins, if any is of
    its house. Raises LogError."""
    here = [(History.of(result), log) for result, log in zip(results, logs, strict=True)]
    asked = []
    for old in map(History.of_json, form["logs"]):
        alike = [log for new, log in here if new[1:3] == old[1:3] and new.size >= old.size]
        if any(new.house == old.house for new, _ in here) and old.size and not any(map(old.is_in, alike)):
            named = f"{old.name} of the last report, begun {old.first[:10]}, with {old.size:,} entries"
            told = f"no log here goes on from {named}: where is the rest, or why did it end?"
            if alike:
                told = f"a log here begins like {named}, and differs in these: which one did the house sign?"
            code = "two-histories" if alike else "not-continued"
            asked.append(old.ask(code, told, "Since the last report", day))
    return asked


def two_histories(results: Sequence[ReportResult], logs: Sequence[Path], day: str) -> list[ReportedException]:
    """Return a question for each log of a report that begins like a longer one of its house, and is no part of it.
    Raises LogError."""
    here = [(History.of(result), log) for result, log in zip(results, logs, strict=True)]
    asked: dict[str, ReportedException] = {}
    for one, _ in here:
        for other, log in here:
            if one[1:3] == other[1:3] and one.root != other.root and one.size <= other.size:
                if is_stdin(log) or one.is_in(log):
                    continue
                told = f"{one.name} and {other.name} begin alike and differ: which one did the house sign?"
                found = one.ask("two-histories", told, "The logs", day)
                asked.setdefault(found.id, found)
    return [*asked.values()]
