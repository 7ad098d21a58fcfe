"""A deck: an ordered list of labels, and its hash."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from ..errors import InputError
from .text import BYTES_LIKE, as_list, is_list, type_name

MAX_CARDS = 65_536
MAX_LABEL = 64


class Deck(tuple[str, ...]):
    """Labels in their order before the shuffle: 1 to 65,536, each 1 to 64 bytes of UTF-8, as given.

    Made by `deck_of`, which checks the labels.
    """

    @cached_property
    def hash(self) -> str:
        """SHA-256 of every label followed by LF, in hex."""
        return hashlib.sha256("".join(f"{label}\n" for label in self).encode()).hexdigest()

    @cached_property
    def labels(self) -> frozenset[str]:
        """Return the labels that some card has."""
        return frozenset(self)

    def pick(self, indexes: Sequence[int]) -> Deck:
        """Return the deck of some of these cards, in the order of `indexes`."""
        return Deck(self[i] for i in indexes)


def deck_of(labels: Sequence[str]) -> Deck:
    """Check `labels` and return them as a Deck; InputError names the first bad one."""
    if isinstance(labels, Deck):
        return labels
    if not is_list(labels):
        raise InputError(
            f"{type_name(labels)} is not a deck", where="deck", expected="a list of labels", remedy=_as_deck(labels)
        )
    found = tuple(labels)
    try:
        return _checked(found)
    except TypeError:  # a label that cannot be hashed
        return _checked.__wrapped__(found)


@lru_cache(maxsize=8)
def _checked(labels: tuple[str, ...]) -> Deck:
    if not 1 <= len(labels) <= MAX_CARDS:
        raise InputError(f"{len(labels)} cards", where="deck", expected=f"1 to {MAX_CARDS} labels")
    for index, label in enumerate(labels):
        check_label(label, f"deck[{index}]")
    return Deck(map(str.__str__, labels))


def _as_deck(value: object) -> str:
    if isinstance(value, str):
        return 'pass a list, such as ["red", "green"] or text.split()'
    if isinstance(value, Mapping):
        return "pass list(deck)"
    return as_list(value, "deck", "a list of labels, such as fairshoe.french(6)")


def check_label(label: str, where: str) -> None:
    if not isinstance(label, str):
        remedy = f"pass {where}.decode()" if isinstance(label, BYTES_LIKE) else 'pass text, such as "7" for 7'
        raise InputError(f"{type_name(label)} is not a label", where=where, expected="text", remedy=remedy)
    try:
        size = len(label.encode())
    except UnicodeEncodeError:
        raise InputError("unpaired surrogate", where=where, expected="valid UTF-8") from None
    if not 1 <= size <= MAX_LABEL:
        raise InputError(f"a label of {size} bytes", where=where, expected=f"1 to {MAX_LABEL} bytes of UTF-8")
    if any(unicodedata.category(c) == "Cc" for c in label):
        raise InputError(f"control character in {label!r}", where=where, expected="no control characters")
