"""The placer of a world's tables, in memory: honest, or as a house that does not know it guesses it."""

from __future__ import annotations

import hashlib
import random
from typing import Self

from fairshoe.ceremony.placer_steps import PlacerQuestion
from fairshoe.log.note import Signer
from fairshoe.protocol.commitment import commitment_of
from fairshoe.protocol.word_stream import places

SIGNER = Signer("placer.test", b"p" * 32)


class Placer:
    """`taken` are the places that were given of the present deck; `guessing`: what was not given comes by chance."""

    def __init__(self) -> None:
        self.keys: dict[str, bytes] = {}
        self.taken: dict[int, int] = {}
        self.order: list[int] = []
        self.guessing = False

    def guessed(self) -> Self:
        """What a house knows of it: the places that were given."""
        other = type(self)()
        other.keys, other.taken, other.guessing = dict(self.keys), dict(self.taken), True
        other.order = self.rest(len(self.order))
        return other

    def rest(self, size: int) -> list[int]:
        """An order of so many cards that fits what was given, drawn by chance."""
        left = sorted({*range(size)} - {*self.taken.values()})
        random.Random(f"{sorted(self.taken.items())}").shuffle(left)
        following = iter(left)
        return [self.taken[place] if place in self.taken else next(following) for place in range(size)]

    def known(self, commitment: str, digest: bytes, size: int) -> list[int]:
        """What it gives and will give of a deck, to whoever has its key."""
        return places(self.keys[commitment], digest, size)

    def commit(self, shoe: str) -> str:
        key = hashlib.sha256(f"placer {shoe}".encode()).digest()
        self.keys[commitment_of(key)] = key
        return commitment_of(key)

    def place(self, card: int) -> int:
        """The place that it gives for a card."""
        return self.order[card]

    def answer(self, question: PlacerQuestion) -> tuple[tuple[int, ...], str, str]:
        """The places that it gives, its note, its key in hex."""
        key, given = self.keys[question.chain.placer], []
        for line in question.lines:
            word, *rest = line.split()
            if word == "shuffle":
                self.taken, size = {}, int(rest[0])
                self.order = self.rest(size) if self.guessing else places(key, bytes.fromhex(rest[1]), size)
            elif word == "card":
                given.append(self.place(int(rest[0])))
                self.taken[int(rest[0])] = given[-1]
        chain = question.answered(given)
        note = chain.note(key if question.lines[-1] == "end" else b"")
        return tuple(given), SIGNER.sign(note), key.hex()


class Repeating(Placer):
    """It sits at the table, and where it can gives its hand an ace and a ten that it has seen. `seen`: what lies at the
    places of the present deck."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[int, str] = {}
        self._chosen: dict[int, int] = {}

    def answer(self, question: PlacerQuestion) -> tuple[tuple[int, ...], str, str]:
        first, *more = [int(line.split()[1]) for line in question.lines if line.startswith("card")] or [0]
        if question.lines[0].startswith("shuffle"):
            self.seen = {}
        aces, tens = ([place for place, label in self.seen.items() if label[0] in of] for of in ("A", "TJQK"))
        deals = len(more) == 3 and aces and tens
        self._chosen = {first: aces[0], first + 2: tens[0]} if deals else {}
        return super().answer(question)

    def place(self, card: int) -> int:
        return self._chosen.get(card, super().place(card))
