"""How the cards of a deck are counted: apart, by label, by rank, by where they lay before the shuffle."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairshoe.cards import PACK, RANKS, name_of
from fairshoe.errors import InputError
from fairshoe.protocol.deck import Deck

Integers: TypeAlias = NDArray[np.integer[Any]]

MOST_CLASSES = 512
"""A larger deck is counted in so many bands of neighbouring cards, at so many bands of neighbouring positions."""
MOST_KINDS = 16


@dataclass(frozen=True, eq=False)
class Layout:
    """A deck of `size` cards. A *class* is what positions are counted by: the single card where cards with equal
    labels are told `apart` (an order of indexes), else the label; in large decks a band of them.

    `sizes` are the cards of each class; `label` and `kind` say for each class which label it has (None in bands) and
    which of at most 16 kinds: the rank of a French pack, else the label, else a band. `place` is in which of 16 parts
    of the deck it lay. `band` is each position's band.
    """

    deck: Deck
    apart: bool
    name: str
    size: int
    class_of: Integers
    sizes: Integers
    labels: tuple[str, ...]
    label: Integers | None
    kind: Integers
    place: Integers
    band: Integers
    code: dict[str, int] = field(repr=False)

    @cached_property
    def key(self) -> str:
        """What tells layouts apart, for sums and their order."""
        return f"{self.deck.hash} {'cards' if self.apart else 'labels'}"

    @cached_property
    def bands(self) -> Integers:
        """Positions in each band."""
        return np.bincount(self.band)

    @property
    def whole(self) -> bool:
        """Whether each band is one position."""
        return len(self.bands) == self.size

    def kind_name(self, kind: int) -> str:
        """A kind in words: `rank A`, the label where it has one, else the band."""
        if self.label is None:
            return f"cards of part {kind + 1} of the deck"
        numbers: list[int] = self.label[self.kind == kind].tolist()
        labels = [self.labels[i] for i in dict.fromkeys(numbers)]
        if len(labels) == 1:
            return labels[0]
        ranks = {label[0] for label in labels}
        return f"rank {ranks.pop()}" if len(ranks) == 1 else f"cards {labels[0]} to {labels[-1]}"

    def classes(self, order: Sequence[int] | Sequence[str]) -> Integers:
        """The classes of an order, given as the layout wants it. Raises InputError where it is no order of the deck."""
        if len(order) != self.size:
            raise InputError(f"{len(order)} cards", where="order", expected=f"all {self.size} of the deck")
        if self.apart:
            return self.class_of[self._indexes(order)]
        try:
            found = np.fromiter((self.code[str(card)] for card in order), np.uint16, self.size)
        except KeyError as error:
            raise InputError(f"no card {error.args[0]!r}", where="order", expected="labels of the deck") from None
        if not np.array_equal(np.bincount(found, minlength=len(self.sizes)), self.sizes):
            raise InputError("other cards than those of the deck", where="order", expected="each card once")
        return found

    def _indexes(self, order: Sequence[Any]) -> Integers:
        try:
            found = np.frombuffer(array("H", order), np.uint16)
        except (TypeError, OverflowError):
            found = np.zeros(0, np.uint16)
        seen = np.bincount(found, minlength=self.size)
        if len(seen) != self.size or seen.min() != 1:
            raise InputError("not an order of the deck", where="order", expected="each index of the deck once")
        return found


def layout_of(deck: Deck, *, apart: bool = True) -> Layout:
    """How a deck is counted. `apart`: orders are given as indexes of the deck, else as labels."""
    return _layout(deck, apart)


@lru_cache(maxsize=64)
def _layout(deck: Deck, apart: bool) -> Layout:
    size = len(deck)
    labels = tuple(dict.fromkeys(deck))
    number = {label: i for i, label in enumerate(labels)}
    label_of_card = np.array([number[label] for label in deck])
    fine = np.arange(size) if apart else label_of_card
    fine_count = size if apart else len(labels)
    class_of = _banded(fine, fine_count, MOST_CLASSES).astype(np.uint16)
    count = int(class_of.max()) + 1
    single = fine_count <= MOST_CLASSES
    label = (label_of_card if apart else np.arange(count)) if single else None
    return Layout(
        deck=deck,
        apart=apart,
        name=_name(deck),
        size=size,
        class_of=class_of,
        sizes=np.bincount(class_of),
        labels=labels,
        label=label,
        kind=_kinds(labels, label, count).astype(np.uint8),
        place=_banded(np.arange(count), count, MOST_KINDS).astype(np.uint8),
        band=_banded(np.arange(size), size, MOST_CLASSES),
        code={} if apart else {each: int(_banded(i, fine_count, MOST_CLASSES)) for each, i in number.items()},
    )


def _banded(number: Any, count: int, most: int) -> Any:
    """Numbers below `count` as they are, or in `most` bands."""
    return number if count <= most else number * most // count


def _kinds(labels: tuple[str, ...], label: Integers | None, count: int) -> Integers:
    if label is not None and set(labels) <= set(PACK):
        ranks = sorted({RANKS.index(each[0]) for each in labels})
        kind_of_label = np.array([ranks.index(RANKS.index(each[0])) for each in labels])
        return kind_of_label[label]
    if label is not None and len(labels) <= MOST_KINDS:
        return label
    return np.asarray(_banded(np.arange(count), count, MOST_KINDS))


def _name(deck: Deck) -> str:
    return name_of(deck) or f"{len(deck):,} cards {deck.hash[:8]}"
