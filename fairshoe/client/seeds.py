"""The seeds of a seat: a fresh one for every commitment, none used for a second."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

from .book import Book
from .client import Form
from .errors import Problem
from .may_open import UNKNOWN, Pledge

SEED_BYTES = 32
MOST = 16
"""Seeds that are remembered without a book; one may be owed."""


class Seeds:
    """By shoe and commitment: none is forgotten for another one that the house shows meanwhile. In a book each is on
    the disk before anybody hears of it."""

    def __init__(self, fresh: Callable[[int], bytes], book: Book | None) -> None:
        self._fresh = fresh
        self._book = book
        self._promised: set[str] = set() if book is None else book.hashed
        self._kept: dict[tuple[str, str], bytes] = {} if book is None else dict(book.seeds)

    def values(self) -> Iterable[bytes]:
        return list(self._kept.values())

    def known(self, shoe: str, commitment: str | None = None) -> bytes | None:
        """The seed that was made for a shoe, if there is one; for this commitment, if one is given."""
        made = self._made_for(shoe)
        if commitment not in (None, UNKNOWN):
            return made.get(str(commitment), made.get(UNKNOWN))
        return next(reversed(made.values()), None)

    def _made_for(self, shoe: str) -> dict[str, bytes]:
        """The seeds of a shoe by commitment, the newest last."""
        return {commitment: seed for (name, commitment), seed in self._kept.items() if name == shoe}

    def of(self, shoe: str, commitment: str) -> bytes:
        """The seed for a shoe under this commitment: a shoe that is committed to once more has another one."""
        seed = self.known(shoe, commitment)
        if seed is None:
            seed = self._fresh(SEED_BYTES)
            if self._book is not None:
                self._book.keep_seed(shoe, commitment, seed)
            else:
                self._kept = dict(list(self._kept.items())[-MOST:])
            self._kept[shoe, commitment] = seed
        return seed

    def promise(self, hash: str) -> None:
        """This hash goes out now."""
        self._promised.add(hash)

    def to_open(self, wanted: Form, state: Form, player: str) -> list[tuple[bytes, Pledge]]:
        """The seed that the player is to open, or hand in where it is owed, and what is to be looked for before it is
        sent; several where only the log tells which of them was promised. Raises Problem where none is known here."""
        name = wanted["shoe"]
        live = {} if wanted.get("owed") else state["shoe"] or {}
        commitment = live["commitment"] if live.get("shoe") == name else None
        pledges = self._pledges(name, player)
        promised = [each for each in pledges if each[1].promised]
        hash = (live.get("hashes") or {}).get(player)
        if commitment is None:
            found = promised or pledges
        elif hash is not None:
            found = [each for each in pledges if each[1].hash == hash] or promised
        else:
            seed = self.known(name, commitment)
            found = [each for each in pledges if each[0] == seed]
        if not found:
            if commitment is None or player in (*live["hashed"], *(live["hashes"] or ())):
                what = f"the seed of shoe {name} is not known here: play from the book that has it"
                raise Problem(0, {"detail": what})
            self.of(name, commitment)
            found = self._pledges(name, player)[-1:]
        return found

    def _pledges(self, shoe: str, player: str) -> list[tuple[bytes, Pledge]]:
        pledges = []
        for commitment, seed in self._made_for(shoe).items():
            digest = sha256(seed).hexdigest()
            pledges.append((seed, Pledge(player, shoe, commitment, digest, digest in self._promised)))
        return pledges
