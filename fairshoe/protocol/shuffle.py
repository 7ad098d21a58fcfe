"""The shuffle of a deck under a key and a transcript: the first cards of the dealt order, or all, or one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from . import kernel
from .words import SHUFFLE_SALT, stream

Item = TypeVar("Item")


def dealt(key: bytes, digest: bytes, items: Sequence[Item], cut: int, count: int) -> list[Item]:
    """The first `count` of the dealt order, at most all: it begins at position `cut` of the shuffled items.

    It costs `cut + count` steps, or the whole shuffle where the cut's other side is reached.
    """
    if cut + count <= len(items):
        return _shuffled(key, digest, items, cut, count)
    whole = _shuffled(key, digest, items, 0, len(items))
    return (whole[cut:] + whole[:cut])[:count]


def _shuffled(key: bytes, digest: bytes, items: Sequence[Item], start: int, count: int) -> list[Item]:
    """The items at positions `start` … `start + count − 1` before the cut."""
    size = len(items)
    expect = min(start + count, size - 1) + size // 1024  # so many are discarded only in the largest decks
    while (found := kernel.order(items, stream(key, SHUFFLE_SALT, digest, expect), start, count)) is None:
        expect += expect
    return found


def dealing(key: bytes, digest: bytes, size: int, cut: int) -> Iterator[int]:
    """The dealt order as indexes, lazily: 16 at first, then four times as many whenever they are used up."""
    done, ready = 0, 16
    while done < size:
        yield from dealt(key, digest, range(size), cut, ready)[done:]
        done, ready = ready, 4 * ready
