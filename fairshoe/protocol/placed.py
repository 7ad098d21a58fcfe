"""A sealed shoe whose cards lie where its placers say: the card dealt at place i is H[P[i]] (docs/placers.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from .deck import Deck
from .shoe import Sealed
from .transcript import Transcript
from .words import dealt


class Placing(Protocol):
    """Whoever knows the places that placers give."""

    def shuffle(self, size: int, digest: bytes) -> None:
        """From here on places are those of a deck of so many cards, under this digest of the transcript."""

    def card(self, place: int) -> int:
        """Where in the house's own order the card at this place of the deal lies. LookupError where it is not known."""


class PlacedShoe(Sealed):
    """`position` may be set, to go on behind cards that were dealt before. `order` goes as far as places are known."""

    def __init__(
        self,
        key: bytes,
        transcript: Transcript,
        deck: Deck,
        placing: Placing,
        *,
        cut: int = 0,
        draws: Mapping[str, int] | None = None,
    ) -> None:
        self._placing = placing
        super().__init__(key, transcript, deck, cut=cut, draws=draws)

    def _begin(self, present: Deck, gathered: Sequence[int], cut: int) -> None:
        super()._begin(present, gathered, cut)
        self._placing.shuffle(len(gathered), self._digest)
        self._indexes = self._by_places()

    def _house(self) -> list[int]:
        return dealt(self._key, self._digest, range(len(self)), self.cut, len(self))

    def _by_places(self) -> Iterator[int]:
        order = self._house()
        while self.position < len(order):
            yield order[self._placing.card(self.position)]

    def order(self) -> list[str]:
        return [self.deck[index] for index in self.order_indexes()]

    def first(self, count: int) -> list[str]:
        return self.order()[:count]

    def order_indexes(self) -> list[int]:
        order, found = self._house(), list[int]()
        with suppress(LookupError):
            for place in range(len(order)):
                found.append(self.gathered[order[self._placing.card(place)]])
        return found
