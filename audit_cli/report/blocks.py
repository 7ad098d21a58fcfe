"""What a section is made of: data first, so that the page and the JSON say the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast

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


class Chart(NamedTuple):
    """A picture as SVG; `says` what there is to see in it."""

    title: str
    svg: str
    says: str


Block = Text | Items | Table | Chart


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
