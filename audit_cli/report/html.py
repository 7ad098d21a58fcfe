"""A report as one page: no script, no request, the same bytes from the same log and command. Needs Jinja2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairshoe.terminal.style import printable

from ..pages import rendered
from .blocks import Cell, Chart, Form, Items, Section, Table, Text

WORDS = {"good": "held", "bad": "failed", "question": "look at this", "unknown": "not known", "plain": ""}
MARKS = {"good": "✓", "bad": "✗", "question": "?", "unknown": "–", "plain": ""}


def page(title: str, sections: Sequence[Section]) -> str:
    """The whole page; the first section is its head. Raises InputError."""
    return rendered("report.html", FILTERS, title=title, first=sections[0], rest=sections[1:])


def _kind(block: Text | Items | Table | Chart) -> str:
    return type(block).__name__


def shown(cell: Cell, form: Form) -> str:
    """A value of a table as people read it."""
    if cell is None:
        return "–"
    if form == "percent" and isinstance(cell, int | float):
        return f"{100 * cell:,.2f} %"
    if form == "p" and isinstance(cell, int | float):
        return "< 0.0001" if cell < 0.0001 else f"{cell:.4f}"
    if form == "number" and isinstance(cell, int | float):
        return f"{cell:,.2f}"
    if form == "status":
        return f"{MARKS[str(cell)]} {WORDS[str(cell)]}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:,}" if isinstance(cell, int) else printable(str(cell))


FILTERS: dict[str, Callable[..., Any]] = {
    "printable": printable,
    "shown": shown,
    "kind": _kind,
    "word": WORDS.__getitem__,
    "mark": MARKS.__getitem__,
}
