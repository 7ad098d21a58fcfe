"""Terminal output: errors on standard error, progress, wanted colour, and no control characters."""

from __future__ import annotations

import itertools
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from ..errors import FairshoeError

READER = "reader"
"""The party at fault for what the auditor's own user passed."""
FIRST_SHOWN = 1.0
"""After so many seconds a bar appears: what takes less needs none."""
SHOWN_EVERY = 0.1
_PLAIN = re.compile(r"[ -~\n]*")
_CURSOR = "\033[?25h"  # which a bar hides: a killed program would leave it hidden
_GONE = "\r\033[K" + _CURSOR


def printable(line: str) -> str:
    """A line without what could steer a terminal or break the report: such characters are escaped."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def json_text(content: Any, indent: int | None = None) -> str:
    """`content` as JSON, in which whatever could steer a terminal stands as an escape: the value is the same."""
    import json

    text = json.dumps(content, indent=indent, ensure_ascii=False)
    if _PLAIN.fullmatch(text):
        return text
    return "".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text)


def steers(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal that understands escape sequences."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def colourful(stream: TextIO | None) -> bool:
    """Whether to write in colour: on such a terminal, unless NO_COLOR is set (no-color.org)."""
    return steers(stream) and not os.environ.get("NO_COLOR")


# Errors.


def explain(error: FairshoeError, program: str = "fairshoe", *, fault: str = "") -> str:
    """A few lines: what, where, expected, what to do, and with `fault` whose fault it is."""
    told = {"where": error.where, "expected": error.expected, "remedy": error.remedy, "fault": fault}
    return lines_of(f"{program}: {error.what}", told)


def lines_of(head: str, told: dict[str, str]) -> str:
    """Return the head and, below it, what is told under each name; nothing of it steers a terminal."""
    lines = [head, *(f"  {name + ':':<9} {text}" for name, text in told.items() if text)]
    return "\n".join(map(printable, lines))


def complain(text: str) -> None:
    """Write to standard error, where there is one that can be written to."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        return


# Progress.


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Yield a function to be told how much is done in all, of `total` if known. After a second a bar appears on
    standard error, if a terminal, with the time left or what is done."""
    if not steers(sys.stderr):
        yield lambda _: None
        return
    import click

    amount: dict[str, Any] = {"length": total} if total else {"iterable": itertools.count(), "show_pos": True}
    bar = click.progressbar(**amount, label=printable(label), file=sys.stderr, width=0)
    shown, due = 0, time.monotonic() + FIRST_SHOWN

    def at(done: int) -> None:
        nonlocal shown, due
        if (now := time.monotonic()) >= due:
            due = now + SHOWN_EVERY
            bar.update(done - shown)
            shown = done
            print(_CURSOR, end="", file=sys.stderr, flush=True)

    try:
        yield at
    finally:
        if shown:
            print(_GONE, end="", file=sys.stderr, flush=True)
