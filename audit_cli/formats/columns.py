"""Lines for a terminal: wrapped by the columns that they take there, marked, coloured."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from fairshoe.terminal.screen import printable

WIDTH = 80
GOOD, BAD, NOTE = "✓", "✗", "·"
_COLOURS = {"PASS:": 32, "PASS so far:": 33, "FAIL:": 31, GOOD: 32, BAD: 31, NOTE: 33}
_MARKED = re.compile(rf"\A( *)(PASS(?: so far)?:|FAIL:|[{GOOD}{BAD}{NOTE}])(?= )")
_COMMAND = re.compile(r"fairshoe-audit [a-z]+ LOG(?: --[a-z]+(?: '[^']{1,80}'| [A-Z]+)?)+")
_KEPT = "\0"


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def wrapped(text: str, *, width: int = WIDTH, first: str = "", then: str | None = None) -> Iterator[str]:
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
    """The text, or its beginning with `…`, in so many columns."""
    text = printable(text)
    return text if columns(text) <= width else text[: _fitting(text, width - 1)] + "…"


def padded(text: str, width: int) -> str:
    """The text in exactly so many columns."""
    text = cut(text, width)
    return text + " " * (width - columns(text))


def coloured(lines: Iterable[str]) -> Iterator[str]:
    """Verdicts and marks in colour."""
    for line in lines:
        yield _MARKED.sub(lambda found: f"{found[1]}\x1b[{_COLOURS[found[2]]}m{found[2]}\x1b[0m", line)
