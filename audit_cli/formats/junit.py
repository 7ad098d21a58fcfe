"""JUnit's XML, which CI systems show: a test case for each check."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from fairshoe.terminal.style import printable

from ..findings.report import TOOL, Group, Report
from ..findings.wording import counted, left, sentence, verdict
from ..registry import CATALOGUE

NAME = "junit"
SUITE = "fairshoe-audit"


def render(report: Report, *, everything: bool = False, colour: bool = False) -> str:
    return "\n".join(_lines(report, everything)) + "\n"


def _lines(report: Report, everything: bool) -> Iterator[str]:
    states = list(report.checks.values())
    failures, skipped = states.count("fail"), states.count("not-checked")
    counts = f'name="{SUITE}" tests="{len(states)}" failures="{failures}" errors="0" time="0"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {counts}>"
    yield f' <testsuite {counts} skipped="{skipped}">'
    yield "  <properties>"
    for name, text in _properties(report).items():
        yield f"   <property name={_attribute(name)} value={_attribute(text)}/>"
    yield "  </properties>"
    for check, state in report.checks.items():
        yield f'  <testcase classname="{SUITE}" name="{check}" time="0">'
        yield from _outcome(report, check, state, everything)
        yield "  </testcase>"
    yield " </testsuite>"
    yield "</testsuites>"


def _properties(report: Report) -> dict[str, str]:
    log = report.log
    about = {"tool": TOOL, "verdict": verdict(report), "complete": "true" if report.complete else "false"}
    return about | {"origin": log.origin or "", "size": str(log.size), "root": log.root or ""}


def _outcome(report: Report, check: str, state: str, everything: bool) -> Iterator[str]:
    """What a check came to: a failure with its groups, a reason why it was skipped; notes beside."""
    unchecked = [left(each) for each in report.unchecked_of(check)]
    groups = [group for group in report.groups if group.code.check == check]
    fails = [group for group in groups if group.code.severity == "fail"]
    if state == "fail":
        about = [
            f"{group.code.code}: {group.code.cause}, {counted(group.count, 'finding')}" for group in fails
        ] or _elsewhere(report, check)
        text = [line for group in fails for line in _group(report, group, everything)]
        kind = fails[0].code.code if fails else check
        yield f"   <failure message={_attribute('; '.join(about))} type={_attribute(kind)}>{_text(text)}</failure>"
    elif state == "not-checked":
        yield f"   <skipped message={_attribute('; '.join(unchecked) or _nothing(check))}/>"
    beside = [f"Not checked: {each}" for each in unchecked if state != "not-checked"]
    beside += [line for group in groups if group not in fails for line in _group(report, group, everything)]
    if beside:
        yield f"   <system-out>{_text(beside)}</system-out>"


def _nothing(check: str) -> str:
    return "nothing was given to hold the log against" if check == "remembered" else "there was nothing to put to it"


def _elsewhere(report: Report, check: str) -> list[str]:
    """A check that fails only by what follows from other findings names those."""
    return [
        f"{counted(count, 'finding')} ({code}) from {group.code.code}"
        for group in report.groups
        for code, count in group.follows.items()
        if CATALOGUE[code].check == check
    ]


def _group(report: Report, group: Group, everything: bool) -> Iterator[str]:
    code = group.code
    yield f"{code.code}: {code.cause} ({counted(group.count, 'finding')}; fault: {code.fault})"
    own = [finding for finding in report.findings if finding.code == code.code and finding.follows is None]
    shown = own if everything else group.first
    for finding in shown:
        yield f"  {sentence(finding)}"
    if group.count > len(shown):
        yield f"  and {group.count - len(shown):,} more"
    for follower, count in group.follows.items():
        yield f"  beneath it: {follower}, {counted(count, 'finding')}"
    yield f"  {group.first[0].next}"


def _attribute(text: str) -> str:
    """Quoted; what XML cannot hold is not printable either, and escaped."""
    return f'"{escape(printable(text))}"'


def _text(lines: list[str]) -> str:
    return escape("\n".join(map(printable, lines)), quote=False)
