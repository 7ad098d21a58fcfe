"""Findings and the verdict in words: `alice's payout in round casino#17 is +30, should be −20 (entry 203)`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from fairshoe.terminal.screen import printable

from .finding import FALSE_RESULT, LOG, Finding, Place
from .report import Report, UncheckedItem

MAX_SHOWN = 48, 120
"""How many characters of a value, and of words about one, are shown; of longer ones the beginning and the end."""
LONGEST_HASH = 20
MAX_NAMES = 8
"""How many names of tables, rounds or players are listed."""
_HASH = re.compile(r"[0-9a-f]{32,}", re.ASCII)
EVIDENCE_NAMES = {
    "checkpoint": "the checkpoint beside the log",
    "checkpoint-missing": "the checkpoint beside the log",
    "checkpoint-required": "the checkpoint beside the log",
    "log.vkey": "the key beside the log",
    "origin": "the origin of what was remembered",
    "root-differs": "the root of the log",
    "tile-differs": "the tree in the tiles",
    "log-truncated": "the number of entries",
    "entries-unsigned": "the number of entries",
    "remembered-longer": "the number of entries",
    "remembered-unsigned": "the remembered checkpoint",
    "log-resaved": "the log",
}
"""By field or code, what a finding is about that is not about something in an entry."""
_SIGNED = re.compile(r"\.(?:net|insurance)\Z")
_HEAD = re.compile(r" (?:of|that|who|where|why|for|as|in|at|left|named|without) ")


def sentence(finding: Finding) -> str:
    """Return a finding in one line without characters that steer a terminal."""
    subject = _subject(finding)
    beside = ", ".join(_beside(finding))
    more = f"; {finding.cause}" if finding.cause == FALSE_RESULT else ""
    return printable(f"{_capital(subject)}{_stands(finding, subject)}" + (f" ({beside})" if beside else "") + more)


def place_text(finding: Finding) -> str:
    """Return the place of a finding, shortly: `casino#17, entry 203`."""
    about = finding.place
    named = f"{about.table}#{about.round}" if about.round is not None else "" if about == LOG else str(about)
    return printable(", ".join(filter(None, (shorten(named), _entry(finding))))) or "the log"


def count_text(number: int, one: str, many: str = "") -> str:
    """`1 shoe`, `1,204 shoes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def join_some(names: Sequence[str]) -> str:
    """`one of a, b and 2 more`: so many of them as a person reads."""
    more = f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else ""
    return f"one of {', '.join(names[:MAX_NAMES])}{more}"


def join_words(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def shorten(text: str, longest: int = MAX_SHOWN[0]) -> str:
    """Return the text, or its beginning and end."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}…{text[-end:]}"


def value(content: Any, *, signed: bool = False) -> str:
    """A JSON value for people: amounts with separators and a true minus, the middle of what is long left out."""
    if type(content) is int:
        return _number(content, signed)
    if type(content) is str:
        return shorten(_HASH.sub(_few_digits, content), MAX_SHOWN[" " in content]) or "empty"
    if type(content) in (list, dict) and not content:
        return "none"
    if type(content) is list and all(type(each) in (int, str) for each in content[: MAX_SHOWN[0]]):
        return shorten(", ".join(map(value, content[: MAX_SHOWN[0]])) + ", …" * (len(content) > MAX_SHOWN[0]))
    if type(content) is dict and {"move", "seat"} <= content.keys() <= {"move", "seat", "amount"}:
        return shorten(" ".join(str(content[part]) for part in ("move", "amount") if part in content))
    return shorten(json.dumps(shallow(content), ensure_ascii=False, default=str))


def _few_digits(found: re.Match[str]) -> str:
    return shorten(found[0], LONGEST_HASH)


def _number(number: int, signed: bool) -> str:
    if number.bit_length() > 128:
        return f"a number of {number.bit_length():,} bits"
    sign = "−" if number < 0 else "+" if signed and number > 0 else ""
    return f"{sign}{abs(number):,}"


def _subject(finding: Finding) -> str:
    """Return the sentence's subject and its place."""
    name = finding.subject or _around(finding)
    if not name:
        return str(finding.place) if finding.place != LOG else "the log" if finding.entry is None else _entry(finding)
    return name + _within(finding.place)


def _around(finding: Finding) -> str:
    """Name the evidence, or the log as a whole; else the field as it is written."""
    field = finding.field
    if field is None:
        return EVIDENCE_NAMES.get(finding.code, "")
    if field.startswith("entries "):
        return f"the root of {field}"
    return EVIDENCE_NAMES.get(field, f"`{shorten(field)}`")


def _within(place: Place) -> str:
    if place == LOG:
        return ""
    return f" {'at' if place.shoe is None and place.round is None else 'in'} {place}"


def _stands(finding: Finding, subject: str) -> str:
    """Describe the found and the expected value."""
    field, expected = finding.field or "", finding.expected
    found = None if finding.found in finding.place else finding.found
    if expected is None and found is None:
        return f": {finding.cause}"
    if not field and finding.code not in EVIDENCE_NAMES:
        parts = ((name, content) for name, content in (("found", found), ("expected", expected)) if content is not None)
        return ": " + ", ".join(f"{name} {value(content)}" for name, content in parts)
    verb = "are" if _is_plural(subject) else "is"
    is_name = type(finding.found) is str and field.endswith(f".{finding.found}")
    if finding.found is None or is_name:
        stands = f" {verb} {'not ' * (finding.found is None)}there"
    else:
        shown = _shown(field, finding.found)
        stands = f": {shown}" if _describes(finding.found) else f" {verb} {shown}"
    if expected is None or (finding.found is None and str(expected) in subject):
        return stands
    described = _describes(expected) or stands.endswith("there")
    return f"{stands}{'; expected:' if described else ', should be'} {_shown(field, expected)}"


def _shown(field: str, content: Any) -> str:
    """A value as its field wants it: amounts won or lost with their sign, cards of a hand by number, not by offset."""
    if field.endswith(".cards") and type(content) is list and content and all(type(each) is int for each in content):
        return "numbers " + value([each + 1 for each in content])
    return value(content, signed=_SIGNED.search(field) is not None)


def _describes(content: Any) -> bool:
    """Whether a text is words about a value and not one."""
    return type(content) is str and " " in content


def _is_plural(subject: str) -> bool:
    head = _HEAD.split(subject, maxsplit=1)[0]
    return head.endswith("s") and not head.endswith("ss")


def _beside(finding: Finding) -> list[str]:
    parts = [_entry(finding)] if _subject(finding) != _entry(finding) else []
    return [part for part in (*parts, shorten(finding.field or "")) if part]


def _entry(finding: Finding) -> str:
    return "" if finding.entry is None else f"entry {finding.entry}"


def _capital(text: str) -> str:
    """A sentence's beginning; names keep their letters."""
    return (
        text[:1].upper() + text[1:]
        if text.startswith(("the ", "card ", "everybody", "round ", "shoe ", "table ", "entry "))
        else text
    )


# JSON values, which may be nested as deeply as a line is long.

MAX_DEPTH = 24
"""No honest entry, and no report, is nested deeper."""
DEEPER = "nested too deeply"


def shallow(content: Any, levels: int = MAX_DEPTH) -> Any:
    """Return the value, with a text in place of what is nested deeper than so many levels."""
    if type(content) not in (dict, list):
        return content
    if not levels:
        return DEEPER
    if type(content) is dict:
        return {name: shallow(part, levels - 1) for name, part in content.items()}
    return [shallow(part, levels - 1) for part in content]


# The verdict in one line: PASS, PASS so far, FAIL.

_CARDS = "cards"
WAITS = "waits for its placer"
ONE = {
    "shoes": "shoe",
    "beacons": "beacon",
    "rounds": "round",
    "entries": "entry",
    "that were": "that was",
    "their cards": "its cards",
}
"""Words about several things as they are about one."""
_ONE = re.compile("|".join(rf"\b{words}\b" for words in ONE))


def verdict(report: Report) -> str:
    """Return the verdict, and how much it is about; `PASS so far` says what could not be checked yet."""
    if report.failed:
        fails = [group for group in report.groups if group.code.severity == "fail"]
        places = sum(group.count + sum(group.follows.values()) for group in fails)
        kinds = count_text(len(fails), "kind")
        return f"FAIL: {kinds} of finding, at {count_text(places, 'place')} in {_entries(report)}"
    if not report.complete:
        return f"PASS so far: {_not_yet(report.unchecked)}"
    parts = (count_text(report.shoes, "shoe"), count_text(report.rounds, "round"), count_text(report.cards, "card"))
    return ", ".join((f"PASS: {_entries(report)}", *parts))


def describe_player_faults(report: Report) -> list[str]:
    """Return what players did wrong that fails no log: a line for each kind, to stand beside the verdict."""
    groups = [group for group in report.groups if (group.code.severity, group.code.fault) == ("note", "player")]
    return [
        f"Beside the verdict: fault of a player, {count_text(group.count, 'finding')}: {group.code.cause}; first "
        f"{place_text(group.first[0])}"
        for group in groups
    ]


def one_line(report: Report) -> str:
    """Return the verdict, with what stands beside it."""
    return "; ".join([verdict(report), *(line[0].lower() + line[1:] for line in describe_player_faults(report))])


def left(unchecked: UncheckedItem) -> str:
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


def _not_yet(unchecked: list[UncheckedItem]) -> str:
    """Tables that may wait for placers first, then the cards, which matter most; of the rest the checks' names."""
    waits = [each.what for each in unchecked if each.what.endswith(WAITS)]
    unchecked = [each for each in unchecked if each.what not in waits]
    if waits:
        more = [f"and {len(waits) - MAX_NAMES:,} tables more"] if len(waits) > MAX_NAMES else []
        return "; ".join([*waits[:MAX_NAMES], *more, *([_not_yet(unchecked)] if unchecked else [])])
    first = next((each for each in unchecked if each.check == _CARDS), unchecked[0])
    rest = dict.fromkeys(each.check for each in unchecked if each.check != first.check)
    said = f"{left(first)} not checked" if first.count is not None else f"not checked: {left(first)}"
    return f"{said}; nor {', '.join(rest)}" if rest else said
