"""Pictures as SVG: a line in its band, bars, a field of cells.

No library, no script, colours from the page's style, words for who cannot see them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 10, 30
TICKS = 4


class Scale(NamedTuple):
    """From values to places on the picture."""

    low: float
    high: float
    first: float
    last: float

    def at(self, value: float) -> float:
        span = self.high - self.low
        share = 0.5 if span == 0 else (value - self.low) / span
        return self.first + share * (self.last - self.first)


def across(low: float, high: float) -> Scale:
    return Scale(low, high, LEFT, WIDTH - RIGHT)


def upwards(low: float, high: float) -> Scale:
    return Scale(low, high, HEIGHT - BOTTOM, TOP)


def svg(title: str, parts: Iterable[str]) -> str:
    """The whole picture, which says its title to who cannot see it."""
    name = escape(title)
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}"'
    return f"<svg {box}><title>{name}</title>{''.join(parts)}</svg>"


def ticks(low: float, high: float, about: int = TICKS) -> list[float]:
    """Round numbers from low to high, about so many."""
    span = high - low
    if span <= 0:
        return [low]
    step = 10.0 ** math.floor(math.log10(span / about))
    step *= next(times for times in (1, 2, 5, 10) if span / (step * times) <= about)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]


def y_axis(scale: Scale) -> Iterable[str]:
    for value in ticks(scale.low, scale.high):
        y = scale.at(value)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="tick" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{short(value)}</text>'


def x_labels(places: Sequence[tuple[float, str]]) -> Iterable[str]:
    """Labels below the picture, the first and the last turned inwards."""
    for number, (x, text) in enumerate(places):
        anchor = "start" if number == 0 and len(places) > 1 else "end" if number == len(places) - 1 else "middle"
        yield f'<text class="tick" x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}">{escape(text)}</text>'


def short(value: float) -> str:
    """A number as an axis has it: 1,200, 0.05, 3M."""
    for size, name in ((1e9, "G"), (1e6, "M")):
        if abs(value) >= size:
            return f"{value / size:g}{name}"
    return f"{value:,.0f}" if value == int(value) else f"{value:.3g}"


class Point(NamedTuple):
    """A value, and between what it was expected to lie."""

    label: str
    value: float
    low: float
    high: float


def band(title: str, points: Sequence[Point]) -> str:
    """A line, in front of the band in which it was expected."""
    x = across(0, max(1, len(points) - 1))
    y = upwards(min(0.0, *(min(p.value, p.low) for p in points)), max(0.0, *(max(p.value, p.high) for p in points)))
    upper = [(x.at(i), y.at(p.high)) for i, p in enumerate(points)]
    lower = [(x.at(i), y.at(p.low)) for i, p in enumerate(points)]
    line = [(x.at(i), y.at(p.value)) for i, p in enumerate(points)]
    ends = [(x.at(0), points[0].label)]
    if len(points) > 1:
        ends.append((x.at(len(points) - 1), points[-1].label))
    zero = y.at(0)
    return svg(
        title,
        [
            *y_axis(y),
            f'<polygon class="band" points="{_path([*upper, *reversed(lower)])}"/>',
            f'<line class="zero" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{zero:.1f}" y2="{zero:.1f}"/>',
            f'<polyline class="line" points="{_path(line)}"/>',
            *x_labels(ends),
        ],
    )


class Bar(NamedTuple):
    label: str
    value: float


def bars(title: str, values: Sequence[Bar]) -> str:
    """Bars side by side."""
    y = upwards(0, max([1.0, *(bar.value for bar in values)]))
    room = (WIDTH - LEFT - RIGHT) / max(1, len(values))
    parts = [*y_axis(y)]
    for number, each in enumerate(values):
        x, top = LEFT + number * room, y.at(each.value)
        parts.append(
            f'<rect class="bar" x="{x + room * 0.15:.1f}" y="{top:.1f}" width="{room * 0.7:.1f}" '
            f'height="{HEIGHT - BOTTOM - top:.1f}"/>'
        )
    every = max(1, -(-len(values) // 24))
    labels = ((LEFT + (i + 0.5) * room, each.label) for i, each in enumerate(values) if i % every == 0)
    return svg(title, [*parts, *_middle(labels)])


def cells(title: str, rows: Sequence[Sequence[float]], names: Sequence[str], columns: Sequence[str]) -> str:
    """A field of cells, each as strong as a number of standard deviations is far from 0; at 4 it is full."""
    high = HEIGHT - BOTTOM
    room, tall = (WIDTH - LEFT - RIGHT) / max(1, len(columns)), (high - 10) / max(1, len(rows))
    parts = []
    for number, row in enumerate(rows):
        y = 10 + number * tall
        middle, name = y + tall / 2 + 4, escape(names[number])
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{middle:.1f}" text-anchor="end">{name}</text>')
        for place, value in enumerate(row):
            side = "over" if value > 0 else "under"
            strength = min(1.0, abs(value) / 4)
            parts.append(
                f'<rect class="{side}" x="{LEFT + place * room:.2f}" y="{y:.1f}" width="{room:.2f}" '
                f'height="{tall:.1f}" fill-opacity="{strength:.2f}"/>'
            )
    every = max(1, -(-len(columns) // 12))
    labels = ((LEFT + (i + 0.5) * room, name) for i, name in enumerate(columns) if i % every == 0)
    return svg(title, [*parts, *_middle(labels)])


def _middle(labels: Iterable[tuple[float, str]]) -> Iterable[str]:
    for x, text in labels:
        yield f'<text class="tick" x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(text)}</text>'


def _path(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
