"""The report for people: what was audited, the checks, the findings by cause; at last what a screen of 22 lines by 80
columns shows, however long the report is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairshoe.engine.rules import rules_of
from fairshoe.errors import FairshoeError

from ..findings.report import TOOL, Group, Report
from ..findings.wording import counted, left, sentence, value, verdict, where
from .columns import BAD, GOOD, NOTE, WIDTH, coloured, cut, padded, wrapped

MOST_TABLES = 20
WIDEST = 100
"""Columns of the lines with keys and hashes, which stay in one piece."""
MOST_ROWS = 10
MOST_FOLLOWING = 2
CODE, COUNT, PLACE = 27, 9, 29
"""Columns of the summary."""
MARKS = {"pass": GOOD, "fail": BAD, "not-checked": NOTE}
STATES = {"pass": "pass", "fail": "FAIL", "not-checked": "not checked"}


def render(report: Report, *, colour: bool = False) -> str:
    lines = _lines(report)
    return "\n".join(coloured(lines) if colour else lines) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from wrapped(verdict(report), then="  ")
    yield ""
    yield from _audited(report)
    yield from _tables(report.tables[:MOST_TABLES])
    if len(report.tables) > MOST_TABLES:
        yield f"  and {counted(len(report.tables) - MOST_TABLES, 'table')} more"
    yield ""
    yield from _checks(report)
    yield ""
    counts = ", ".join(f"{name} {count:,}" for name, count in report.choices.as_json()["log"].items())
    yield from wrapped(f"Choices that remained, counted and not judged: {counts or 'none'}.")
    yield ""
    yield "`fairshoe-audit explain limits` tells what no audit of a log can show."
    for group in report.groups:
        yield ""
        yield from _group(group)
    if report.groups:
        yield ""
        yield "`fairshoe-audit explain CODE` tells what a finding means."
    yield ""
    yield from _summary(report)


def _audited(report: Report) -> Iterator[str]:
    """Which log, by whom, with what given."""
    log, given = report.log, report.parameters
    remembered = given.get("remembered") or []
    amounts = (counted(report.shoes, "shoe"), f"{report.open:,} in play", counted(report.rounds, "round"))
    about = {
        "origin": log.origin or "unknown, for want of a checkpoint",
        "entries": f"{log.size:,}: {', '.join(amounts)}, {counted(report.cards, 'card')}",
        "times": f"{log.first} to {log.last}" if log.first else "none",
        "root": log.root,
        "key": given.get("key") or "none given",
        "witnesses": _witnesses(given),
        "remembered": "; ".join(map(_remembered, remembered)) or "nothing given",
        "log before": _before(given),
        "audited by": TOOL,
    }
    for name, text in about.items():
        if text:
            yield from wrapped(str(text), width=WIDEST, first=f"  {name:12} ", then=" " * 15)


def _witnesses(given: dict[str, Any]) -> str:
    """Whose cosignatures were wanted, if anybody's."""
    keys = given.get("witnesses")
    return f"{given['quorum']} of {len(keys)} wanted: {', '.join(keys)}" if keys else ""


def _before(given: dict[str, Any]) -> str:
    about = given.get("before") or {}
    return f"{about.get('origin') or 'unknown'}, {value(about.get('size'))} entries" if about else ""


def _remembered(given: Any) -> str:
    if type(given) is not dict:
        return value(given)
    return f"a checkpoint at {value(given.get('size'))} entries, {value(given.get('root'))}"


def _tables(tables: list[dict[str, Any]]) -> Iterator[str]:
    for table in tables:
        options = _unusual(table["rules"], table["options"])
        named = ", ".join(f"{name} {value(option)}" for name, option in options.items())
        dealt = f"{counted(table['shoes'], 'shoe')}, {counted(table['rounds'], 'round')}"
        rules = f"rules {table['rules']}" + (f" with {named}" if named else "")
        yield from wrapped(f"{table['table']}: {rules}; {dealt}", first=f"  {'table':12} ", then=" " * 15)


def _unusual(rules: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that differ from what the rules have where nobody says otherwise."""
    try:
        usual = rules_of(rules, {}).options
    except FairshoeError:
        return options
    return {name: option for name, option in options.items() if option != usual.get(name)}


def _checks(report: Report) -> Iterator[str]:
    for name, state in report.checks.items():
        missing = "; ".join(map(left, report.unchecked_of(name)))
        said = STATES[state] + (f"{': ' if state == 'not-checked' else '; not checked: '}{missing}" if missing else "")
        yield from wrapped(said, first=f"  {MARKS[state]} {name:14} ", then=" " * 19)


def _group(group: Group) -> Iterator[str]:
    """One cause: how often, whose fault, the first places, what follows, what to do."""
    code = group.code
    mark = BAD if code.severity == "fail" else NOTE
    decides = f"fault: {code.fault}" if code.severity == "fail" else "a note, which does not decide the verdict"
    yield from wrapped(f"{code.code}: {code.cause}", first=f"{mark} ", then="  ")
    yield from wrapped(f"{counted(group.count, 'finding')}; {decides}", first="  ")
    for finding in group.first:
        yield from wrapped(sentence(finding), first="    ", then="      ")
    if group.count > len(group.first):
        yield f"    and {group.count - len(group.first):,} more; --format jsonl lists each"
    for follower, count in group.follows.items():
        yield f"  Beneath it: {follower}, {counted(count, 'finding')}"
    yield from wrapped(f"What to do: {group.first[0].next}", first="  ", then="    ")


# The summary.


def _summary(report: Report) -> Iterator[str]:
    """Groups and counts, what was not checked, where to look first, the verdict."""
    yield "─" * WIDTH
    if report.groups:
        yield padded(" " * 2 + "found", CODE + 2) + "count".rjust(COUNT) + "  " + padded("first", PLACE) + "  fault"
        yield from _rows(report.groups)
    if report.unchecked:
        told = "; ".join(map(left, report.unchecked))
        yield from _few(f"not checked: {told}", 2)
    if report.failed:
        first = report.groups[0].first[0]
        yield from _few(f"Look first at: {sentence(first)}", 2)
        yield from _few(first.next, 3, "  ")
    yield from wrapped(verdict(report), then="  ")


def _rows(groups: list[Group]) -> Iterator[str]:
    """A row for each group and for what follows from it, as many as there is room for."""
    room = MOST_ROWS
    for shown, group in enumerate(groups):
        following = sorted(group.follows.items(), key=lambda item: (-item[1], item[0]))
        some = following[:MOST_FOLLOWING] if len(following) <= MOST_FOLLOWING else following[: MOST_FOLLOWING - 1]
        rest = following[len(some) :]
        rows = [_row(group), *(_following(code, count, "beneath it") for code, count in some)]
        if rest:
            rows.append(_following(f"{len(rest)} kinds more", sum(count for _, count in rest), "beneath it"))
        if shown and len(rows) > room:
            more = groups[shown:]
            yield f"  and {counted(len(more), 'kind')} more, with {counted(sum(g.count for g in more), 'finding')}"
            return
        room -= len(rows)
        yield from rows


def _row(group: Group) -> str:
    code = group.code
    mark = BAD if code.severity == "fail" else NOTE
    head = f"{mark} {padded(code.code, CODE)}{group.count:>{COUNT},}"
    return f"{head}  {padded(where(group.first[0]), PLACE)}  {code.fault}"


def _following(code: str, count: int, why: str) -> str:
    return f"{padded(' ' * 4 + code, CODE + 2)}{count:>{COUNT},}  {why}"


def _few(text: str, most: int, indent: str = "") -> Iterator[str]:
    """The text in at most so many lines."""
    lines = list(wrapped(text, first=indent, then="  "))
    if len(lines) > most:
        lines[most - 1 :] = [cut(" ".join([lines[most - 1], *lines[most:]]), WIDTH)]
    yield from lines
