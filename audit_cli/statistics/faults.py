"""Tests for known faults: each looks only where its fault shows, and finds it in far fewer shoes than a general one.

The chance of each card at each position is computed exactly, step by step through the faulty shuffle. With a fault in a
share ε of the shoes, cell (i, c) has the chance (1 + ε·a)/n, a from `excess`. The score Σ a·count has the mean ε·S·I
over S shoes, with I = Σ a²/n, and in honest ones the variance S·I·n/(n − 1), exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil, floor, log10, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..chance import above
from .layout import Layout
from .measured import ONE_SIDED, Measured, one_in
from .positions import FEWEST, Positions

Chances: TypeAlias = NDArray[np.float64]
Step: TypeAlias = Callable[[int, int], Chances]
"""For step k of n cards: the chance of each position to be swapped with position k."""
LEAST = 1e-30
"""Information below which a fault changes nothing in such a deck."""


class Fault(NamedTuple):
    """A fault that implementations are known to have, in words, and as what each step does."""

    name: str
    words: str
    step: Step


def _fisher_yates(k: int, n: int) -> Chances:
    return np.concatenate((np.zeros(k), np.full(n - k, 1 / (n - k))))


def _sattolo(k: int, n: int) -> Chances:
    if k == n - 1:
        return _fisher_yates(k, n)
    return np.concatenate((np.zeros(k + 1), np.full(n - k - 1, 1 / (n - k - 1))))


def _any(k: int, n: int) -> Chances:
    return np.full(n, 1 / n)


def _modulo(bits: int) -> Step:
    """A word of so many bits modulo n − k, none discarded: the first 2^bits mod (n − k) indexes come once more."""

    def step(k: int, n: int) -> Chances:
        often, more = divmod(1 << bits, n - k)
        return np.concatenate((np.zeros(k), (often + (np.arange(n - k) < more)) / (1 << bits)))

    return step


FAULTS = (
    Fault("Sattolo", "Sattolo's algorithm in place of Fisher–Yates: no card stays where it was", _sattolo),
    Fault("swap with any", "each card swapped with any card instead of one of those not placed yet", _any),
    Fault("modulo of 8 bits", "an 8-bit word modulo the cards left, none discarded", _modulo(8)),
    Fault("modulo of 16 bits", "a 16-bit word modulo the cards left, none discarded", _modulo(16)),
)
STEPS = {fault.name: fault.step for fault in FAULTS}


@lru_cache(maxsize=32)
def excess(name: str, size: int) -> Chances:
    """By position and card of the deck: n times the chance under a fault, less 1. Rows and columns sum to 0.

    The chances of Fisher–Yates are 1/n but for rounding, which is the same in both: so it takes itself away.
    """
    return size * (chances(STEPS[name], size) - _uniform(size))


@lru_cache(maxsize=4)
def _uniform(size: int) -> Chances:
    return chances(_fisher_yates, size)


def chances(step: Step, size: int) -> Chances:
    """By position and card of the deck: the chance that the card ends up there."""
    table, change = np.eye(size), np.empty((size, size))
    for k in range(size):
        chance = step(k, size)
        first = int(chance.nonzero()[0][0])  # positions before it keep their cards
        chance, part, moved = chance[first:], change[first:], table[k].copy()
        placed = chance @ table[first:]
        np.subtract(moved, table[first:], out=part)
        part *= chance[:, None]
        table[first:] += part
        table[k] = placed
    return table


def directed_tests(positions: Positions) -> list[Measured]:
    """One test for each fault that the layout can show."""
    layout = positions.layout
    if layout.size < 3:
        return []
    found = (_test(fault, positions, layout) for fault in FAULTS)
    return [test for test in found if test is not None]


def _test(fault: Fault, positions: Positions, layout: Layout) -> Measured | None:
    size, shoes = layout.size, positions.shoes
    weights = excess(fault.name, size)
    information = float((weights**2).sum()) / size
    if information < LEAST:
        return None
    each = information * (size - 1) / size
    needs = max(FEWEST, _rounded_up(ONE_SIDED**2 / each))
    test = Measured(fault.name, layout.name, f"whether shoes are shuffled by {fault.words}", shoes, needs)
    if shoes < needs:
        return test
    share = float((weights * positions.counts).sum()) / (shoes * information)
    error = 1 / sqrt(shoes * each)
    return test.found(
        share / error,
        above(share / error),
        (share, f"like {fault.words}, in {share:.0%} of the shoes, give or take {error:.0%}"),
        (ONE_SIDED * error, f"{fault.words}, in {one_in(ONE_SIDED * error)}"),
    )


def _rounded_up(shoes: float) -> int:
    """To three digits: no more of them are worth telling."""
    unit: int = 10 ** max(0, floor(log10(shoes)) - 2)
    return ceil(shoes / unit) * unit
