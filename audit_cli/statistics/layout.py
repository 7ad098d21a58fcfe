"""How the cards of a deck are counted: one by one, by label, by rank."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairshoe.cards import PACK, RANKS, name_of
from fairshoe.errors import InputError
from fairshoe.protocol.deck import Deck

Integers: TypeAlias = NDArray[np.integer[Any]]

MOST_CARDS = 512
"""Larger decks are not counted."""
MOST_KINDS = 16


@dataclass(frozen=True, eq=False)
class Layout:
    """A deck of `size` cards, which are numbered as they lay before the shuffle. For each card: `label`, the number of
    its label among `labels`; `kind`, which of at most 16 kinds it is of, the rank of a French pack, else the label,
    else a part of the labels. `kind_of`: of each label."""

    deck: Deck
    name: str
    size: int
    labels: tuple[str, ...]
    label: Integers
    kind: Integers
    kind_of: dict[str, int] = field(repr=False)

    @property
    def kinds(self) -> Integers:
        """How many cards there are of each kind."""
        return np.bincount(self.kind)

    def kind_name(self, kind: int) -> str:
        """A kind in words: `rank A`, the label where it has one, else the first and the last."""
        labels = [label for label in self.labels if self.kind_of[label] == kind]
        if len(labels) == 1:
            return labels[0]
        ranks = {label[0] for label in labels}
        return f"rank {ranks.pop()}" if len(ranks) == 1 else f"cards {labels[0]} to {labels[-1]}"

    def checked(self, order: Sequence[int]) -> Integers:
        """An order of the deck's indexes. Raises InputError where it is none."""
        if len(order) != self.size:
            raise InputError(f"{len(order)} cards", where="order", expected=f"all {self.size} of the deck")
        try:
            found = np.frombuffer(array("H", order), np.uint16)
        except (TypeError, OverflowError):
            found = np.zeros(0, np.uint16)
        seen = np.bincount(found, minlength=self.size)
        if len(seen) != self.size or seen.min() != 1:
            raise InputError("not an order of the deck", where="order", expected="each index of the deck once")
        return found


@lru_cache(maxsize=64)
def layout_of(deck: Deck) -> Layout:
    """How a deck is counted."""
    size, labels = len(deck), tuple(dict.fromkeys(deck))
    number = {label: i for i, label in enumerate(labels)}
    kinds = _kinds(labels)
    label = np.array([number[each] for each in deck])
    return Layout(
        deck=deck,
        name=name_of(deck) or f"{size:,} cards {deck.hash[:8]}",
        size=size,
        labels=labels,
        label=label,
        kind=kinds[label].astype(np.uint8),
        kind_of=dict(zip(labels, kinds.tolist(), strict=True)),
    )


def _kinds(labels: tuple[str, ...]) -> Integers:
    if not set(labels) <= set(PACK):
        return _parts(len(labels))
    ranks = sorted({RANKS.index(each[0]) for each in labels})
    return np.array([ranks.index(RANKS.index(each[0])) for each in labels])


def _parts(count: int) -> Integers:
    """So many things in a row, each with its own number, or that of its part where they are more than 16."""
    numbers = np.arange(count)
    return numbers if count <= MOST_KINDS else numbers * MOST_KINDS // count
