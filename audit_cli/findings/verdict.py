"""The verdict in one line: PASS, PASS so far, FAIL."""

from __future__ import annotations

import re

from .report import Report, Unchecked
from .wording import counted

_CARDS = "cards"
ONE = {
    "shoes": "shoe",
    "rounds": "round",
    "entries": "entry",
    "that were": "that was",
    "their cards": "its cards",
}
"""Words about several things as they are about one."""
_ONE = re.compile("|".join(rf"\b{words}\b" for words in ONE))


def verdict(report: Report) -> str:
    """The verdict, and how much it is about; `PASS so far` says what could not be checked yet."""
    if report.failed:
        fails = [group for group in report.groups if group.code.severity == "fail"]
        places = sum(group.count + sum(group.follows.values()) for group in fails)
        kinds = counted(len(fails), "kind")
        return f"FAIL: {kinds} of finding, at {counted(places, 'place')} in {_entries(report)}"
    if not report.complete:
        return f"PASS so far: {_not_yet(report.unchecked)}"
    parts = (counted(report.shoes, "shoe"), counted(report.rounds, "round"), counted(report.cards, "card"))
    return ", ".join((f"PASS: {_entries(report)}", *parts))


def left(unchecked: Unchecked) -> str:
    """Something that could not be checked: `3 shoes in play, their cards`."""
    count, what = unchecked.count, unchecked.what
    if count == 1:
        what = _ONE.sub(lambda found: ONE[found[0]], what)
    if count is not None:
        what = f"{count:,} {what}"
    if unchecked.check != _CARDS or _CARDS in what:
        return what
    return f"{what}, {'its' if count == 1 else 'their'} cards"


def _entries(report: Report) -> str:
    return f"{report.log.size:,} {'entry' if report.log.size == 1 else 'entries'}"


def _not_yet(unchecked: list[Unchecked]) -> str:
    """The cards first, which matter most; of the rest the checks' names."""
    first = next((each for each in unchecked if each.check == _CARDS), unchecked[0])
    rest = dict.fromkeys(each.check for each in unchecked if each.check != first.check)
    said = f"{left(first)} not checked" if first.count is not None else f"not checked: {left(first)}"
    return f"{said}; nor {', '.join(rest)}" if rest else said
