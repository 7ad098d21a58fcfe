"""Whether the p-values of many honest results are uniform, and a picture of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from audit_cli.statistics.collected import Result
from audit_cli.statistics.measured import distributions

SURE = 1.63
"""The Kolmogorov–Smirnov distance times √N that 1 of 100 uniform samples exceeds."""
SIDE, MARGIN = 360, 40
FONT = 'font-family="sans-serif" font-size="11"'
LEGEND = "blue: on the diagonal but for chance (99 %); orange: counts, never above it"


class Row(NamedTuple):
    """The p-values of one test of one deck; `exact` ones may only be larger than uniform."""

    name: str
    exact: bool
    values: list[float]

    @property
    def uniformity(self) -> float:
        """The p-value of the Kolmogorov–Smirnov test: of too many small values only, where the test is `exact`."""
        side = "greater" if self.exact else "two-sided"
        return float(distributions.kstest(self.values, "uniform", alternative=side).pvalue)

    def below(self, level: float) -> float:
        """The share of values up to a level."""
        return sum(value <= level for value in self.values) / len(self.values)

    def __str__(self) -> str:
        values = len(self.values)
        return (
            f"{self.name:<42} {values:>5}  {self.below(0.01):6.3f}  {self.below(0.05):6.3f}  "
            f"{self.below(0.5):6.3f}  {self.uniformity:8.4f}{'  one-sided' if self.exact else ''}"
        )


HEAD = f"{'test':<42} {'p':>5}  {'<=0.01':>6}  {'<=0.05':>6}  {'<=0.5':>6}  {'KS':>8}"


def rows_of(results: Iterable[Result]) -> tuple[list[Row], int, int]:
    """A row a test; then how many results there were, and how many found anything."""
    values: dict[tuple[str, bool], list[float]] = defaultdict(list)
    count = alarms = 0
    for result in results:
        count += 1
        alarms += bool(result.found)
        for judged in result.tests:
            test = judged.test
            if test.p is not None:
                values[f"{test.deck} {test.name}".strip(), test.exact].append(test.p)
    rows = [Row(name, exact, found) for (name, exact), found in values.items() if len(found) * 2 >= count]
    return rows, count, alarms


def picture(rows: list[Row], path: Path) -> None:
    """An SVG: the share of p-values up to p, a line a test; all should follow the diagonal, within the band."""
    count = max(len(row.values) for row in rows)
    band = SURE / sqrt(count)
    low, high = ((0.0, -band), (1.0, 1 - band)), ((1.0, 1 + band), (0.0, band))
    lines = [_line(row) for row in rows]
    size = SIDE + 2 * MARGIN
    box = f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIDE}" height="{SIDE}"'
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" {FONT}>\n'
        f'<clipPath id="inside">{box}/></clipPath>\n'
        f'<g clip-path="url(#inside)" fill="none">\n'
        f'<polygon points="{_points((*low, *high))}" fill="#dbe9f6"/>\n'
        f'<polyline points="{_points(((0, 0), (1, 1)))}" stroke="#777" stroke-dasharray="4 3"/>\n'
        + "\n".join(lines)
        + f'\n</g>\n{box} fill="none" stroke="#333"/>\n'
        f'<text x="{MARGIN}" y="16">Share of p-values up to p, {len(rows)} tests, {count:,} honest results</text>\n'
        f'<text x="{MARGIN}" y="30" fill="#555">{LEGEND}</text>\n'
        f'<text x="{MARGIN}" y="{size - 22}">0</text><text x="{size - MARGIN - 6}" y="{size - 22}">1</text>\n'
        f'<text x="{size / 2}" y="{size - 8}">p</text>\n</svg>\n',
        encoding="utf-8",
    )


def _line(row: Row) -> str:
    grid = np.linspace(0, 1, 101)
    shares = np.searchsorted(np.sort(row.values), grid, side="right") / len(row.values)
    color = "#d97706" if row.exact else "#1d4ed8"
    points = _points(zip(grid.tolist(), shares.tolist(), strict=True))
    return f'<polyline points="{points}" stroke="{color}" stroke-width="1"><title>{row.name}</title></polyline>'


def _points(pairs: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{MARGIN + SIDE * x:.1f},{MARGIN + SIDE * (1 - y):.1f}" for x, y in pairs)
