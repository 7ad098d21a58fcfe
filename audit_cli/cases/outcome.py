"""The first and last line of what `hand` and `refunds` say, and what of the evidence around the log was checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, Protocol

from fairshoe.terminal.screen import printable

from ..verify.findings.finding import BY_FAULT, Finding
from ..verify.findings.report import BEACONS, Report
from ..verify.findings.wording import left, sentence
from ..verify.registry import CATALOGUE

Word = Literal["PASS", "PASS so far", "FAIL", "CANNOT SAY"]

EVIDENCE = ("signature", "tree", "remembered")
"""The checks of the log as a whole: whether these are the entries that the house signed."""
MAX_TOLD = 40
"""How many findings are told one by one."""
_STATES = {"pass": "holds", "fail": "does not hold", "not-checked": "not checked"}


class Outcome(NamedTuple):
    """`complete`: nothing that it rests on is left to be checked."""

    word: Word
    what: str
    complete: bool = True

    @property
    def line(self) -> str:
        return f"{self.word}: {self.what}"

    @property
    def good(self) -> bool:
        return self.word.startswith("PASS")

    @property
    def form(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {"outcome": self.word, "says": self.what, "complete": self.complete}

    def around(self, lines: Iterable[str]) -> str:
        """Return the lines as a text, with the outcome in the first line and the last; ends with a LF."""
        return "".join(f"{printable(line)}\n" for line in (self.line, *lines, self.line))


class Answer(Protocol):
    """What a command found: its outcome, and the whole as text and as JSON values."""

    @property
    def outcome(self) -> Outcome: ...
    @property
    def text(self) -> str: ...
    @property
    def form(self) -> Any: ...


def decisive_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Those that decide a verdict."""
    return [finding for finding in findings if finding.severity == "fail"]


def doubts_log(finding: Finding) -> bool:
    """Whether a finding puts in doubt that the log is the one that the house signed, whatever stands in it."""
    return finding.severity == "fail" and (CATALOGUE[finding.code].check in EVIDENCE or finding.fault == "reader")


def describe_unchecked(report: Report) -> list[str]:
    """Describe which evidence could not be checked."""
    return [left(each) for each in report.unchecked if each.check in EVIDENCE or each.what == BEACONS]


def pass_outcome(what: str, report: Report) -> Outcome:
    """Return a pass on `what`: "so far" if it could not be checked whether this is the log that was signed."""
    left_out = ", ".join(_names(report))
    return Outcome("PASS so far", f"{what}; not checked: {left_out}", False) if left_out else Outcome("PASS", what)


def so_far(what: str, report: Report) -> Outcome:
    """`what` is not checked yet."""
    left_out = ", ".join(_names(report))
    return Outcome("PASS so far", f"{what}; nor {left_out}" if left_out else what, False)


def _names(report: Report) -> Iterable[str]:
    beacon = ["beacon" for each in report.unchecked if each.what == BEACONS]
    return dict.fromkeys([*(each.check for each in report.unchecked if each.check in EVIDENCE), *beacon])


def evidence(report: Report) -> Iterator[str]:
    """Describe what of signature, tree and remembered copies was checked."""
    checks = report.checks
    yield "The log itself: " + "; ".join(f"{name} {_STATES[checks[name]]}" for name in EVIDENCE) + "."
    words = describe_unchecked(report)
    if words:
        yield f"Not checked: {'; '.join(words)}."


def describe_findings(findings: list[Finding]) -> Iterator[str]:
    """Findings in a few lines each: what, whose fault, why, what to do."""
    for finding in findings[:MAX_TOLD]:
        about = CATALOGUE[finding.code]
        yield f"  {finding.code}: {sentence(finding)}"
        follows = "" if finding.follows is None else f" Counted beneath {finding.follows}."
        yield f"    fault: {finding.fault}; {finding.cause}.{follows}"
        yield f"    {finding.next if finding.fault != about.fault else about.next or BY_FAULT[about.fault]}"
    if len(findings) > MAX_TOLD:
        yield f"  and {len(findings) - MAX_TOLD:,} more: `fairshoe-audit verify --format jsonl` lists every one"
