"""The seeds of a seat: a fresh one for every commitment, none used for a second."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

from .book import Book

SEED_BYTES = 32


class Pledge(NamedTuple):
    """A player's own seed: for which shoe, under which commitment, its SHA-256, whether that was sent as a hash."""

    seed: bytes
    shoe: str
    commitment: str
    hash: str
    promised: bool


class Seeds:
    """By shoe and commitment: none is forgotten for another one that the house shows meanwhile. Each is in the book
    before anybody hears of it."""

    def __init__(self, book: Book, fresh: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._book = book
        self._fresh = fresh

    def values(self) -> Iterable[bytes]:
        return list(self._book.seeds.values())

    def known(self, shoe: str) -> list[Pledge]:
        """What was made for a shoe; several where the house has shown several commitments."""
        return [self._pledge(*made) for made in self._book.seeds if made[0] == shoe]

    def of(self, shoe: str, commitment: str) -> Pledge:
        """The seed for a shoe under this commitment: a shoe that is committed to once more has another one."""
        if (shoe, commitment) not in self._book.seeds:
            self._book.keep_seed(shoe, commitment, self._fresh(SEED_BYTES))
        return self._pledge(shoe, commitment)

    def _pledge(self, shoe: str, commitment: str) -> Pledge:
        seed = self._book.seeds[shoe, commitment]
        digest = sha256(seed).hexdigest()
        return Pledge(seed, shoe, commitment, digest, digest in self._book.hashed)
