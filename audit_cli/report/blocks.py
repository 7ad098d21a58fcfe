"""The blocks of a section, data first, so that the page and the JSON say the same; and the page: no script, no
request, the same bytes from the same log and command."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

from fairshoe.errors import missing
from fairshoe.terminal.screen import printable

LEVEL = 0.01
"""The chance that an honest log gives a report any reason to say that chance does not explain something."""
SHARE = LEVEL / 6
"""The level of one section, for all its tests together: games, outcomes, shuffles, luck, busts and behaviour ask."""

ATTENTION_LEVEL = 0.001
"""Chance of a section's tests together below which a reader who looks once should look closer, though one who looks
again and again cannot ask yet."""

Status = Literal["bad", "question", "look", "unknown", "good", "plain"]
"""`bad`: failed. `question`: somebody should be asked. `look`: seldom by chance, and more play decides. `unknown`: not
checked, or not enough to say. `good`: checked and held. `plain`: nothing to judge."""
WORST: tuple[Status, ...] = get_args(Status)
"""The statuses, the gravest first."""
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


class ReportTable(NamedTuple):
    """`caption` says what the rows are. `anchors`: the name of each row that something else points to, or none. `shown`
    rows at most are on the page; JSON and CSV have all."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    anchors: Sequence[str] = ()
    shown: int = sys.maxsize


class BandPoint(NamedTuple):
    """A value, and between what it was expected to lie."""

    label: str
    value: float
    low: float
    high: float


class Chart(NamedTuple):
    """A line of points in front of the band in which it was expected; `line` and `band` say what each is, `says` what
    there is to see in it; `zero`: whether 0 is in sight."""

    title: str
    points: Sequence[BandPoint]
    line: str
    band: str
    says: str
    zero: bool = True

    def table(self) -> ReportTable:
        """Return the points as a table."""
        titles = columns("at", f"{self.line}:number", "from:number", "to:number")
        return ReportTable(self.title, titles, self.points)


Block = Text | Items | ReportTable | Chart


class Question(NamedTuple):
    """A question to the house. `key` is the same in the next report, whatever the numbers are then."""

    key: str
    text: str


class Section(NamedTuple):
    """`name` is its anchor and its key in the JSON; `says`: its answer in a sentence; `data` is for programs; `asks`:
    what it asks of the house."""

    name: str
    title: str
    status: Status
    says: str
    blocks: Sequence[Block] = ()
    data: Any = None
    asks: Sequence[Question] = ()

    def tables(self) -> list[ReportTable]:
        """Return the tables, and the charts as tables."""
        made = [each.table() if isinstance(each, Chart) else each for each in self.blocks]
        return [each for each in made if isinstance(each, ReportTable)]

    def as_json(self) -> dict[str, Any]:
        tables = [
            {
                "caption": each.caption,
                "columns": [column.title for column in each.columns],
                "rows": [*map(list, each.rows)],
            }
            for each in self.tables()
        ]
        return {"title": self.title, "status": self.status, "says": self.says, "tables": tables, "data": self.data}


# The page.

REPORT_FOLDER = Path(__file__).parent
WORDS = {
    "good": "held",
    "bad": "failed",
    "question": "asked",
    "look": "look at this",
    "unknown": "not known",
    "plain": "",
}
MARKS = {"good": "✓", "bad": "✗", "question": "?", "look": "!", "unknown": "–", "plain": ""}


def page(title: str, sections: Sequence[Section], links: Sequence[Section], unprinted: Collection[str] = ()) -> str:
    """Return the whole page: the first section is its head, beneath it stand links to `links`; sections whose names are
    `unprinted` are on the screen alone. Raises InputError where Jinja2 is not installed."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise missing("stats", "an HTML page", "Jinja2") from None
    environment = Environment(
        loader=FileSystemLoader(REPORT_FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters.update(FILTERS)
    style = (REPORT_FOLDER / "page.css").read_text(encoding="utf-8")
    return environment.get_template("page.html").render(
        title=title, first=sections[0], rest=sections[1:], links=links, style=style, unprinted=unprinted
    )


def format_value(cell: Cell, form: Form) -> str:
    """A value of a table as people read it."""
    if cell is None:
        return "–"
    if form == "percent" and isinstance(cell, int | float):
        return f"{100 * cell:,.2f} %"
    if form == "p" and isinstance(cell, int | float):
        return "< 0.0001" if cell < 0.0001 else f"{cell:.4f}"
    if form == "number" and isinstance(cell, int | float):
        return f"{cell:z,.2f}"
    if form == "status":
        return f"{MARKS[str(cell)]} {WORDS[str(cell)]}"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:,}" if isinstance(cell, int) else printable(str(cell))


# A chart as SVG: colours from the page's style, its title for who cannot see it.

WIDTH, HEIGHT = 480, 270
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 52, 30
TICKS = 4
MAX_LABELS = 36
"""Characters of all labels beneath a chart that stand side by side."""


def picture(chart: Chart) -> str:
    """Return the line in its band, level if it has one point; above it what they are, beneath it the first and the last
    label, all if they have room."""
    points, zero = [*chart.points] * (1 if len(chart.points) > 1 else 2), [0.0] * chart.zero
    low = min(*zero, *(min(point.value, point.low) for point in points))
    high = max(*zero, *(max(point.value, point.high) for point in points))
    span, room = high - low or 1.0, (WIDTH - LEFT - RIGHT) / max(1, len(points) - 1)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / span * (HEIGHT - BOTTOM - TOP)

    def path(values: Iterable[float]) -> list[str]:
        return [f"{LEFT + number * room:.1f},{y(value):.1f}" for number, value in enumerate(values)]

    edge = [*path(point.high for point in points), *reversed(path(point.low for point in points))]
    parts = [f"<title>{escape(chart.title)}</title>"]
    for value in ticks(low, high):
        parts.append(_across("grid", y(value)))
        parts.append(_label(LEFT - 6, y(value) + 4, "end", format_tick(value)))
    parts.append(f'<polygon class="band" points="{" ".join(edge)}"/>')
    parts += [_across("zero", y(value)) for value in zero]
    parts.append(f'<polyline class="line" points="{" ".join(path(point.value for point in points))}"/>')
    for name, top, text in (("line", 14, chart.line), ("band", 34, chart.band))[: 1 + bool(chart.band)]:
        parts.append(
            f'<rect class="{name} key" x="{LEFT}" y="{top - 5}" width="22" height="{3 if name == "line" else 10}"/>'
        )
        parts.append(_label(LEFT + 28, top + 4, "start", text))
    if sum(len(point.label) + 1 for point in points) <= MAX_LABELS:
        places = [LEFT + number * room for number in range(len(points))]
        parts += [_label(x, HEIGHT - 8, "middle", point.label) for x, point in zip(places, points, strict=True)]
    else:
        parts.append(_label(LEFT, HEIGHT - 8, "start", points[0].label))
        parts.append(_label(WIDTH - RIGHT, HEIGHT - 8, "end", points[-1].label))
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(chart.title)}"'
    return f"<svg {box}>{''.join(parts)}</svg>"


def _across(name: str, y: float) -> str:
    return f'<line class="{name}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'


def _label(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text class="tick" x="{x:g}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def ticks(low: float, high: float) -> Iterator[float]:
    """A few round numbers from low to high."""
    span = high - low
    if span <= 0:
        yield low
        return
    step = 10.0 ** math.floor(math.log10(span / TICKS))
    step *= next(times for times in (1, 2, 5, 10) if span / (step * times) <= TICKS)
    for number in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield number * step


def format_tick(value: float) -> str:
    """A number as an axis has it: 1,200, 0.05, 3M."""
    for size, name in ((1e9, "G"), (1e6, "M")):
        if abs(value) >= size:
            return f"{value / size:g}{name}"
    return f"{value:,.0f}" if value == int(value) else f"{value:.3g}"


FILTERS: dict[str, Callable[..., Any]] = {
    "printable": printable,
    "shown": format_value,
    "picture": picture,
    "kind": lambda block: type(block).__name__,
    "word": WORDS.__getitem__,
    "mark": MARKS.__getitem__,
}
