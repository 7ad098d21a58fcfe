"""Many shoes at once, honest and faulty, by numpy's generator: rows of indexes of the deck."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from audit_cli.report.statistics.positions import Integers

Draw = Callable[[np.random.Generator, int, int, int], Integers]
"""The generator, shoes, step k, cards n: which position is swapped with position k."""


def _fisher_yates(random: np.random.Generator, shoes: int, k: int, n: int) -> Integers:
    return random.integers(k, n, shoes)


def _sattolo(random: np.random.Generator, shoes: int, k: int, n: int) -> Integers:
    return random.integers(min(k + 1, n - 1), n, shoes)


def _any(random: np.random.Generator, shoes: int, k: int, n: int) -> Integers:
    return random.integers(0, n, shoes)


def _modulo8(random: np.random.Generator, shoes: int, k: int, n: int) -> Integers:
    return k + random.integers(0, 1 << 8, shoes) % (n - k)


HONEST: Draw = _fisher_yates
FAULTY: dict[str, Draw] = {"Sattolo": _sattolo, "swap with any": _any, "modulo of 8 bits": _modulo8}


def shuffled(seed: int, shoes: int, size: int, draw: Draw = HONEST) -> Integers:
    """So many shoes of `size` cards."""
    random = np.random.default_rng(seed)
    columns = np.repeat(np.arange(size, dtype=np.uint16)[:, None], shoes, axis=1)
    shoe = np.arange(shoes)
    for k in range(size):
        other = draw(random, shoes, k, size)
        columns[k], columns[other, shoe] = columns[other, shoe], columns[k].copy()
    return np.ascontiguousarray(columns.T)


def stuck(rows: Integers, share: float, card: int, place: int) -> Integers:
    """In the first share of the shoes one card is put in one place, in exchange for the card there."""
    rows = rows.copy()
    for row in rows[: round(share * len(rows))]:
        at = int(np.flatnonzero(row == card)[0])
        row[at], row[place] = row[place], row[at]
    return rows
