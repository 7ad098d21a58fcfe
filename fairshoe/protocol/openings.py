"""The tree that binds each card of a dealt order, so that one can be shown without the rest: salted leaves under an RFC
6962 head (docs/protocol.md section 9; with the cards' numbers: docs/placer-protocol.md). An opening shows one card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from itertools import count, islice
from typing import Any, NamedTuple

from ..errors import InputError, VerificationError
from .deck import MAX_CARDS, Deck
from .merkle import check_inclusion, leaf_hash, levels_of, path_in
from .text import bytes_of_hex
from .word_stream import CHUNK_BYTES, chunk, dealt

SALT, NUMBERED_SALT = b"fairshoe/1 opening", b"fairshoe/2 opening"
SALT_BYTES = 16
MAX_PATH = 16
"""Hashes of a path: a deck has 65,536 cards at most."""


def salts(key: bytes, digest: bytes, salt: bytes = SALT) -> Iterator[bytes]:
    """Yield the salt of position 0, 1, … under a key and a transcript's digest."""
    for number in count():
        stream = chunk(key, salt, digest, number, CHUNK_BYTES)
        for start in range(0, CHUNK_BYTES, SALT_BYTES):
            yield stream[start : start + SALT_BYTES]


def leaf(salt: bytes, label: str, number: int | None = None) -> bytes:
    """Return the leaf of a card; `number` is its index in the list of the deck that is present, in `fairshoe/2`."""
    return salt + (b"" if number is None else number.to_bytes(2, "big")) + label.encode()


class Opening(NamedTuple):
    """The card at place `pos` of an order of `n` cards: its label, the salt and the inclusion path of its leaf; in a
    shoe with a placer also its `number` in the deck that is present."""

    pos: int
    n: int
    label: str
    salt: bytes
    path: tuple[bytes, ...]
    number: int | None = None

    @property
    def form(self) -> dict[str, Any]:
        """The opening as JSON values."""
        form = {**self._asdict(), "salt": self.salt.hex(), "path": [each.hex() for each in self.path]}
        return form if self.number is not None else {name: form[name] for name in REQUIRED}

    def to_json(self) -> str:
        """Return the opening as one JSON object."""
        return json.dumps(self.form, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Opening:
        """Read an opening back. Raises VerificationError."""
        try:
            form = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            form = None
        return opening_of(form)

    def verify(self, root: str) -> None:
        """Raise VerificationError unless `root` binds this card here, InputError if it is not 64 hex digits."""
        head = bytes_of_hex(root, "root", low=32, high=32)
        if self.number is not None and self.number >= MAX_CARDS:
            raise VerificationError("no card's number", where="opening", expected=f"0 to {MAX_CARDS - 1}")
        card = leaf_hash(leaf(self.salt, self.label, self.number))
        check_inclusion(card, self.pos, self.n, self.path, head)


REQUIRED = [name for name in Opening._fields if name != "number"]


def opening_of(form: Any) -> Opening:
    """Read an opening. Raises VerificationError."""
    try:
        pos, n, label, salt, path = (form[name] for name in REQUIRED)
        number = form.get("number")
        if len(form) != len(REQUIRED) + (number is not None):
            raise TypeError
        if not all(type(each) is int and 0 <= each <= MAX_CARDS for each in (pos, n, form.get("number", 0))):
            raise TypeError
        if type(label) is not str or type(path) is not list or len(path) > MAX_PATH:
            raise TypeError
        label.encode()  # a lone surrogate has no bytes
        hashes = tuple(bytes_of_hex(each, "path", low=32, high=32) for each in path)
        return Opening(pos, n, label, bytes_of_hex(salt, "salt", low=SALT_BYTES, high=SALT_BYTES), hashes, number)
    except (KeyError, TypeError, ValueError, AttributeError, InputError):
        expected = "an opening: docs/protocol.md, openings"
        raise VerificationError("no opening of a card", where="openings", expected=expected) from None


class BoundOrder:
    """A deck in one order, and the tree that binds each card of it. In a shoe with a placer the order is the house's
    own, leaves have `numbered` cards, and `given` are the places that the placer gave."""

    def __init__(self, key: bytes, digest: bytes, deck: Deck, cut: int, *, numbered: bool) -> None:
        self._key, self._digest, self.deck, self._cut, self._numbered = key, digest, deck, cut, numbered
        self.given: list[int] = []

    @cached_property
    def numbers(self) -> list[int]:
        """At each place the card, by its index in the deck."""
        return dealt(self._key, self._digest, range(len(self.deck)), self._cut, len(self.deck))

    @cached_property
    def leaves(self) -> list[tuple[bytes, str, int | None]]:
        """Each place's salt, label and number."""
        salt = NUMBERED_SALT if self._numbered else SALT
        each = zip(islice(salts(self._key, self._digest, salt), len(self.deck)), self.numbers, strict=True)
        return [(salt, self.deck[number], number if self._numbered else None) for salt, number in each]

    @cached_property
    def levels(self) -> list[list[bytes]]:
        """Return the levels of the tree."""
        return levels_of(leaf(*each) for each in self.leaves)

    def root(self) -> bytes:
        """Return the root that binds the cards."""
        return self.levels[-1][0]

    def open(self, place: int) -> Opening:
        """Return the opening of the card at a place."""
        salt, label, number = self.leaves[place]
        return Opening(place, len(self.deck), label, salt, tuple(path_in(self.levels, place)), number)
