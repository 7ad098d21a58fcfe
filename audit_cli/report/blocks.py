"""What a section is made of, data first, so that the page and the JSON say the same; and the page: no script, no
request, the same bytes from the same log and command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from fairshoe.errors import missing
from fairshoe.terminal.screen import printable

LEVEL = 0.01
"""The chance that an honest log gives a report any reason to say that chance does not explain something."""
SHARE = LEVEL / 5
"""The level of one section, for all its tests together: outcomes, shuffles, luck, busts and behaviour ask."""

Status = Literal["good", "bad", "question", "unknown", "plain"]
"""`good`: checked and held. `bad`: failed. `question`: somebody should look. `unknown`: not checked, or not enough to
say. `plain`: nothing to judge."""
Cell = str | int | float | bool | None
Form = Literal["text", "count", "money", "percent", "number", "p", "time", "code", "status"]


class Text(NamedTuple):
    """A paragraph."""

    text: str


class Items(NamedTuple):
    """Short sentences, one below the other."""

    items: Sequence[str]


class Column(NamedTuple):
    title: str
    form: Form = "text"


def columns(*titles: str) -> tuple[Column, ...]:
    """Columns by their titles; what is no text has its form behind a colon, as in `rounds:count`."""
    pairs = (title.partition(":") for title in titles)
    return tuple(Column(title, cast(Form, form or "text")) for title, _, form in pairs)


class Table(NamedTuple):
    """`caption` says what the rows are. `anchors`: the name of each row that something else points to, or none."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    anchors: Sequence[str] = ()


Block = Text | Items | Table


class Section(NamedTuple):
    """`name` is its anchor and its key in the JSON; `says`: its answer in a sentence; `data` is for programs."""

    name: str
    title: str
    status: Status
    says: str
    blocks: Sequence[Block] = ()
    data: Any = None

    def as_json(self) -> dict[str, Any]:
        tables = [
            {
                "caption": each.caption,
                "columns": [column.title for column in each.columns],
                "rows": [*map(list, each.rows)],
            }
            for each in self.blocks
            if isinstance(each, Table)
        ]
        return {"title": self.title, "status": self.status, "says": self.says, "tables": tables, "data": self.data}


# The page.

HERE = Path(__file__).parent
WORDS = {"good": "held", "bad": "failed", "question": "look at this", "unknown": "not known", "plain": ""}
MARKS = {"good": "✓", "bad": "✗", "question": "?", "unknown": "–", "plain": ""}


def page(title: str, sections: Sequence[Section]) -> str:
    """The whole page; the first section is its head. Raises InputError where Jinja2 is not installed."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise missing("stats", "an HTML page", "Jinja2") from None
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters.update(FILTERS)
    style = (HERE / "page.css").read_text(encoding="utf-8")
    return environment.get_template("page.html").render(title=title, first=sections[0], rest=sections[1:], style=style)


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
    "kind": lambda block: type(block).__name__,
    "word": WORDS.__getitem__,
    "mark": MARKS.__getitem__,
}
