"""The forms of an audit's report: text for people, JSON and lines of JSON for programs.

The text ends with what fits on a screen of 22 lines by 80 columns, however long the report is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from fairshoe.engine.rules import rules_of
from fairshoe.errors import FairshoeError
from fairshoe.terminal.screen import json_text, printable

from .report import TOOL, Group, Report
from .wording import count_text, describe_player_faults, left, place_text, sentence, shallow, value, verdict

WIDTH = 80
GOOD, BAD, NOTE = "✓", "✗", "·"
_COLOURS = {"PASS:": 32, "PASS so far:": 33, "FAIL:": 31, GOOD: 32, BAD: 31, NOTE: 33}
_MARKED = re.compile(rf"\A( *)(PASS(?: so far)?:|FAIL:|[{GOOD}{BAD}{NOTE}])(?= )")
_COMMAND = re.compile(r"fairshoe-audit [a-z]+ LOG(?: --[a-z]+(?: '[^']{1,80}'| [A-Z]+)?)+")
_KEPT = "\0"
MAX_TABLES = 20
MAX_COLUMNS = 100
"""Columns of the lines with keys and hashes, which stay in one piece."""
MAX_ROWS = 10
MAX_FOLLOWING = 2
CODE, COUNT, PLACE = 27, 9, 29
"""Columns of the summary."""
MARKS = {"pass": GOOD, "fail": BAD, "not-checked": NOTE}
FAULT_NAMES = {"placer": "placer, whom the house chose"}
STATES = {"pass": "pass", "fail": "FAIL", "not-checked": "not checked"}


def render_text(report: Report, *, colour: bool = False) -> str:
    lines = _lines(report)
    return "\n".join(colour_text(lines) if colour else lines) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from wrap_text(verdict(report), then="  ")
    yield ""
    yield from _audited(report)
    yield from _tables(report.tables[:MAX_TABLES])
    if len(report.tables) > MAX_TABLES:
        yield f"  and {count_text(len(report.tables) - MAX_TABLES, 'table')} more"
    yield ""
    yield from _checks(report)
    yield ""
    counts = ", ".join(f"{name} {count:,}" for name, count in report.choices.as_json()["log"].items())
    yield from wrap_text(f"Choices that remained, counted and not judged: {counts or 'none'}.")
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
    amounts = (count_text(report.shoes, "shoe"), f"{report.open:,} in play", count_text(report.rounds, "round"))
    about = {
        "origin": log.origin or "unknown, for want of a checkpoint",
        "entries": f"{log.size:,}: {', '.join(amounts)}, {count_text(report.cards, 'card')}",
        "times": f"{log.first} to {log.last}" if log.first else "none",
        "root": log.root,
        "key": given.get("key") or "none given",
        "witnesses": _witnesses(given),
        "remembered": "; ".join(map(_remembered, remembered)) or "nothing given",
        "openings": given.get("openings"),
        "audited by": TOOL,
    }
    for name, text in about.items():
        if text:
            yield from wrap_text(str(text), width=MAX_COLUMNS, first=f"  {name:12} ", then=" " * 15)


def _witnesses(given: dict[str, Any]) -> str:
    """Describe the wanted cosignatures; "" if there are none."""
    keys = given.get("witnesses")
    return f"{given['quorum']} of {len(keys)} wanted: {', '.join(keys)}" if keys else ""


def _remembered(given: Any) -> str:
    if type(given) is not dict:
        return value(given)
    return f"a checkpoint at {value(given.get('size'))} entries, {value(given.get('root'))}"


def _tables(tables: list[dict[str, Any]]) -> Iterator[str]:
    for table in tables:
        options = _unusual(table["rules"], table["options"])
        named = ", ".join(f"{name} {value(option)}" for name, option in options.items())
        dealt = f"{count_text(table['shoes'], 'shoe')}, {count_text(table['rounds'], 'round')}"
        rules = f"rules {table['rules']}" + (f" with {named}" if named else "")
        yield from wrap_text(f"{table['table']}: {rules}; {dealt}", first=f"  {'table':12} ", then=" " * 15)


def _unusual(rules: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that differ from what the rules have where nobody says otherwise."""
    try:
        usual = rules_of(rules, {}).options
    except FairshoeError:
        return options
    return {name: option for name, option in options.items() if option != usual.get(name)}


def _checks(report: Report) -> Iterator[str]:
    for name, state in report.checks.items():
        missing = "; ".join(map(left, report.unchecked_of(name)))
        said = STATES[state] + (f"{': ' if state == 'not-checked' else '; not checked: '}{missing}" if missing else "")
        yield from wrap_text(said, first=f"  {MARKS[state]} {name:14} ", then=" " * 19)


def _group(group: Group) -> Iterator[str]:
    """One cause: how often, whose fault, the first places, what follows, what to do."""
    code = group.code
    mark = BAD if code.severity == "fail" else NOTE
    fault = f"fault: {FAULT_NAMES.get(code.fault, code.fault)}"
    decides = fault if code.severity == "fail" else "a note, which does not decide the verdict"
    decides += f"; {fault}" if (code.severity, code.fault) == ("note", "player") else ""
    yield from wrap_text(f"{code.code}: {group.cause}", first=f"{mark} ", then="  ")
    yield from wrap_text(f"{count_text(group.count, 'finding')}; {decides}", first="  ")
    for finding in group.first:
        yield from wrap_text(sentence(finding), first="    ", then="      ")
    if group.count > len(group.first):
        yield f"    and {group.count - len(group.first):,} more; --format jsonl lists each"
    for follower, count in group.follows.items():
        yield f"  Beneath it: {follower}, {count_text(count, 'finding')}"
    yield from wrap_text(f"What to do: {group.first[0].next}", first="  ", then="    ")


# The summary.


def _summary(report: Report) -> Iterator[str]:
    """Groups and counts, what was not checked, where to look first, the verdict."""
    yield "─" * WIDTH
    if report.groups:
        yield pad_text(" " * 2 + "found", CODE + 2) + "count".rjust(COUNT) + "  " + pad_text("first", PLACE) + "  fault"
        yield from _rows(report.groups)
    if report.unchecked:
        told = "; ".join(map(left, report.unchecked))
        yield from _few(f"not checked: {told}", 2)
    if report.failed:
        first = report.groups[0].first[0]
        yield from _few(f"Look first at: {sentence(first)}", 2)
        yield from _few(first.next, 3, "  ")
    for line in describe_player_faults(report):
        yield from _few(line, 1)
    yield from wrap_text(verdict(report), then="  ")


def _rows(groups: list[Group]) -> Iterator[str]:
    """A row for each group and for what follows from it, as many as there is room for."""
    room = MAX_ROWS
    for shown, group in enumerate(groups):
        following = sorted(group.follows.items(), key=lambda item: (-item[1], item[0]))
        some = following[:MAX_FOLLOWING] if len(following) <= MAX_FOLLOWING else following[: MAX_FOLLOWING - 1]
        rest = following[len(some) :]
        rows = [_row(group), *(_following(code, count, "beneath it") for code, count in some)]
        if rest:
            rows.append(_following(f"{len(rest)} kinds more", sum(count for _, count in rest), "beneath it"))
        if shown and len(rows) > room:
            more = groups[shown:]
            total = count_text(sum(group.count for group in more), "finding")
            yield f"  and {count_text(len(more), 'kind')} more, with {total}"
            return
        room -= len(rows)
        yield from rows


def _row(group: Group) -> str:
    code = group.code
    mark = BAD if code.severity == "fail" else NOTE
    head = f"{mark} {pad_text(code.code, CODE)}{group.count:>{COUNT},}"
    return f"{head}  {pad_text(place_text(group.first[0]), PLACE)}  {code.fault}"


def _following(code: str, count: int, why: str) -> str:
    return f"{pad_text(' ' * 4 + code, CODE + 2)}{count:>{COUNT},}  {why}"


def _few(text: str, most: int, indent: str = "") -> Iterator[str]:
    """Yield the text in at most so many lines."""
    lines = list(wrap_text(text, first=indent, then="  "))
    if len(lines) > most:
        lines[most - 1 :] = [cut(" ".join([lines[most - 1], *lines[most:]]), WIDTH)]
    yield from lines


# Lines for a terminal: wrapped by the columns that they take there, marked, coloured.


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def wrap_text(text: str, *, width: int = WIDTH, first: str = "", then: str | None = None) -> Iterator[str]:
    """A text in lines; `first` stands before the first line, `then` before the others. Commands stay whole."""
    line, indent = first, first if then is None else then
    empty = True
    for word in _COMMAND.sub(lambda found: found[0].replace(" ", _KEPT), printable(text)).split(" "):
        word = word.replace(_KEPT, " ")
        if not empty and columns(line) + 1 + columns(word) > width:
            yield line
            line, empty = indent, True
        while columns(line) + (not empty) + columns(word) > width and columns(word) > width // 2:
            room = _fitting(word, width - columns(line) - (not empty))
            yield line + " " * (not empty) + word[:room]
            word, line, empty = word[room:], indent, True
        line += ("" if empty else " ") + word
        empty = False
    yield line


def _fitting(word: str, room: int) -> int:
    """How many characters of a word fit: at least one."""
    count, taken = 0, 0
    while count < len(word) and taken + columns(word[count]) <= room:
        taken += columns(word[count])
        count += 1
    return max(1, count)


def cut(text: str, width: int) -> str:
    """Return the text, or its beginning with `…`, in so many columns."""
    text = printable(text)
    return text if columns(text) <= width else text[: _fitting(text, width - 1)] + "…"


def pad_text(text: str, width: int) -> str:
    """Return the text in exactly so many columns."""
    text = cut(text, width)
    return text + " " * (width - columns(text))


def colour_text(lines: Iterable[str]) -> Iterator[str]:
    """Verdicts and marks in colour."""
    for line in lines:
        yield _MARKED.sub(lambda found: f"{found[1]}\x1b[{_COLOURS[found[2]]}m{found[2]}\x1b[0m", line)


# For programs.


def escaped_json(content: Any, indent: int | None = None) -> str:
    """The JSON text of `content`, in which what steers a terminal, or what no UTF-8 can hold, stands as an escape."""
    return json_text(shallow(content), indent)


def render_json(report: Report, *, colour: bool = False) -> str:
    """One object."""
    return escaped_json(report.as_json(), indent=1) + "\n"


def render_lines(report: Report, *, colour: bool = False) -> str:
    """Lines of JSON: the report without its findings, then its groups, then its findings."""
    return "".join(escaped_json(line) + "\n" for line in _json_lines(shallow(report.as_json())))


def _json_lines(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each line's `type` says what it is; its other fields are those of the JSON report."""
    groups, findings = whole.pop("groups"), whole.pop("findings")
    yield {"type": "report", **whole}
    for group in groups:
        yield {"type": "group", **group}
    for finding in findings:
        yield {"type": "finding", **finding}


class Format(Protocol):
    """Makes a report's text, which ends with a LF. `colour`: for a terminal that shows it."""

    def __call__(self, report: Report, *, colour: bool = False) -> str: ...


FORMATS: dict[str, Format] = {"text": render_text, "json": render_json, "jsonl": render_lines}
