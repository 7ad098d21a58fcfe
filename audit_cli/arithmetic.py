"""How the key gives each card: the words of the stream and the swaps, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairshoe.protocol.shoe import Sealed
from fairshoe.protocol.words import SHUFFLE_SALT, SPAN, Words


class Step(NamedTuple):
    """Step `at` of the shuffle: words that were discarded, the word used, the place swapped in, its card."""

    at: int
    rejected: tuple[int, ...]
    word: int
    swapped: int
    card: str


def steps(key: bytes, sealed: Sealed) -> Iterator[Step]:
    """Every step of the forward Fisher–Yates of a shoe's first order, before the cut."""
    deck = list(sealed.deck)
    size = len(deck)
    words = Words(key, SHUFFLE_SALT, sealed.first_transcript.digest, expect=size)
    for index in range(size - 1):
        m = size - index
        rejected: tuple[int, ...] = ()
        while (word := words.next()) >= SPAN - SPAN % m:
            rejected += (word,)
        swapped = index + word % m
        deck[index], deck[swapped] = deck[swapped], deck[index]
        yield Step(index, rejected, word, swapped, deck[index])
    yield Step(size - 1, (), 0, size - 1, deck[size - 1])
