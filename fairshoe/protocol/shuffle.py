"""Forward Fisher–Yates on a word stream: whole, or lazily card by card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from .words import SHUFFLE_SALT, Words

Item = TypeVar("Item")


def shuffle_in_place(key: bytes, digest: bytes, items: list[Item]) -> None:
    """The whole shuffle at once, before the cut."""
    size = len(items)
    words = Words(key, SHUFFLE_SALT, digest, expect=max(size - 1, 1))
    sure = words.sure(size - 1)
    if sure is not None:  # the same steps without the test for rejection
        for i, word in enumerate(sure):
            j = i + word % (size - i)
            items[i], items[j] = items[j], items[i]
        return
    for i in range(size - 1):
        j = i + words.uniform(size - i)
        items[i], items[j] = items[j], items[i]


def dealt(key: bytes, digest: bytes, size: int, cut: int = 0) -> Iterator[int]:
    """Indexes in dealt order, lazily: position i is final after step i.

    With a cut at c the first card costs c + 1 steps, every other one step.
    """
    uniform = Words(key, SHUFFLE_SALT, digest, expect=min(cut + 16, size)).uniform
    order = list(range(size))
    for i in range(size - 1):
        j = i + uniform(size - i)
        order[i], order[j] = order[j], order[i]
        if i >= cut:
            yield order[i]
    yield order[size - 1]
    yield from order[:cut]
