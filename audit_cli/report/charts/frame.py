"""What every picture has: a size, a title that is read aloud, axes with round numbers."""

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
