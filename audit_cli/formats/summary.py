"""The end of the report for people: what a screen of 22 lines by 80 columns shows, however long the report is."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.report import Group, Report
from ..findings.wording import counted, left, sentence, verdict, where
from .columns import BAD, NOTE, WIDTH, cut, padded, wrapped

MOST_ROWS = 10
MOST_FOLLOWING = 2
CODE, COUNT, PLACE = 27, 9, 29


def summary(report: Report) -> Iterator[str]:
    """Groups and counts, what was not checked, where to look first, the verdict."""
    yield "─" * WIDTH
    if report.groups:
        yield padded(" " * 2 + "found", CODE + 2) + "count".rjust(COUNT) + "  " + padded("first", PLACE) + "  fault"
        yield from _table(report.groups)
    if report.unchecked:
        told = "; ".join(map(left, report.unchecked))
        yield from _few(f"not checked: {told}", 2)
    if report.failed:
        first = report.groups[0].first[0]
        yield from _few(f"Look first at: {sentence(first)}", 2)
        yield from _few(first.next, 3, "  ")
    yield from wrapped(verdict(report), then="  ")


def _table(groups: list[Group]) -> Iterator[str]:
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
