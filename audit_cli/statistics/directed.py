"""Tests for known faults: each looks only where its fault shows, and finds it in far fewer shoes than a general one.

With a fault in a share ε of the shoes, cell (i, c) has the chance (1 + ε·a)/n, a from `faulty.excess`. The score
Σ a·count has the mean ε·S·I over S shoes, with I = Σ a²/n, and in honest ones the variance S·I·n/(n − 1), exactly.
"""

from __future__ import annotations

from math import ceil, floor, log10, sqrt

import numpy as np

from .faulty import FAULTS, Chances, Fault, excess
from .layout import Layout
from .measured import Measured
from .positions import FEWEST, Positions
from .power import ONE_SIDED, one_in, one_sided

LEAST = 1e-30
"""Information below which a fault changes nothing in such a deck."""


def directed_tests(positions: Positions) -> list[Measured]:
    """One test for each fault that the layout can show."""
    layout = positions.layout
    if not layout.whole or layout.label is None or layout.size < 3:
        return []
    found = (_test(fault, positions, layout) for fault in FAULTS)
    return [test for test in found if test is not None]


def _test(fault: Fault, positions: Positions, layout: Layout) -> Measured | None:
    size, shoes = layout.size, positions.shoes
    weights = excess(fault.name, size)
    if not layout.apart:
        weights = _by_class(weights, layout)
    information = float((weights**2 @ layout.sizes).sum()) / size
    if information < LEAST:
        return None
    each = information * (size - 1) / size
    needs = max(FEWEST, _rounded_up(ONE_SIDED**2 / each))
    if shoes < needs:
        return Measured(fault.name, layout.name, f"whether shoes are shuffled by {fault.words}", shoes, needs)
    share = float((weights * positions.counts).sum()) / (shoes * information)
    error = 1 / sqrt(shoes * each)
    return Measured(
        fault.name,
        layout.name,
        f"whether shoes are shuffled by {fault.words}",
        shoes,
        needs,
        statistic=share / error,
        p=one_sided(share / error),
        effect=share,
        effect_words=f"like {fault.words}, in {share:.0%} of the shoes, give or take {error:.0%}",
        smallest=ONE_SIDED * error,
        smallest_words=f"{fault.words}, in {one_in(ONE_SIDED * error)}",
    )


def _by_class(weights: Chances, layout: Layout) -> Chances:
    """The mean over the cards of each class: all that labels can show."""
    belongs = np.zeros((layout.size, len(layout.sizes)))
    belongs[np.arange(layout.size), layout.class_of] = 1
    mean: Chances = (weights @ belongs) / layout.sizes
    return mean


def _rounded_up(shoes: float) -> int:
    """To three digits: no more of them are worth telling."""
    unit: int = 10 ** max(0, floor(log10(shoes)) - 2)
    return ceil(shoes / unit) * unit
