"""A sealed shoe whose cards lie where its placers say: the card dealt at place i is H[P[i]] (docs/placers.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from ..errors import InputError, RuleError
from .commitment import commitment_of_hex
from .deck import Deck, deck_of
from .proof import PlacerKey, Proof
from .shoe import Sealed, transcript_for
from .text import check_id, given, is_list
from .transcript import Placer, Transcript
from .words import dealt, places


class Placing(Protocol):
    """Whoever knows the places that placers give."""

    def shuffle(self, size: int, digest: bytes) -> None:
        """From here on places are those of a deck of so many cards, under this digest of the transcript."""

    def card(self, place: int) -> int:
        """Where in the house's own order the card at this place of the deal lies. LookupError where it is not known."""


class Dealer(Placing, Protocol):
    """A second dealer, as whoever deals from a shoe asks it: `fairshoe.client.Dealer` over HTTP. What it was asked
    before it answers again in the same way; where it cannot be asked it raises, and is asked again later."""

    @property
    def name(self) -> str:
        """Its name in the transcript, an id."""

    def commit(self, shoe: str, commitment: str) -> str:
        """Its commitment to a key for this shoe, of which `commitment` is the house's."""

    def end(self) -> bytes:
        """Its key: the shoe is over."""


class Dealers:
    """Several, each asked for the place that the one before gave."""

    def __init__(self, dealers: Sequence[Dealer]) -> None:
        self.dealers = tuple(dealers)

    def shuffle(self, size: int, digest: bytes) -> None:
        for dealer in self.dealers:
            dealer.shuffle(size, digest)

    def card(self, place: int) -> int:
        for dealer in self.dealers:
            place = dealer.card(place)
        return place


def committed_placers(dealers: Sequence[Dealer], shoe: str, commitment: str) -> tuple[Placer, ...]:
    """Have each commit to a key. Raises InputError where two have one name or one commitment, and what they raise."""
    if not is_list(dealers) or not all(callable(getattr(each, "commit", None)) for each in dealers):
        remedy = "pass a list of fairshoe.client.Dealer, or of what has its methods"
        raise InputError(f"{given(dealers)} is no list of second dealers", where="placers", remedy=remedy)
    named = [(check_id(each.name, "placer"), each.commit(shoe, commitment)) for each in dealers]
    found = [Placer(name, commitment_of_hex(told)) for name, told in named]
    names, commitments = zip(*found, strict=True) if found else ((), ())
    if len({*names}) < len(found) or len({commitment, *commitments}) <= len(found):
        raise InputError("a placer stands twice", where="placers", expected="different names and commitments")
    return tuple(found)


class Keys:
    """The places that follow from the keys of all placers, which are known once the shoe is over."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = keys

    def shuffle(self, size: int, digest: bytes) -> None:
        self._orders = [places(key, digest, size) for key in self._keys]

    def card(self, place: int) -> int:
        for order in self._orders:
            place = order[place]
        return place


def seal_placed(
    *,
    key: bytes,
    shoe: str,
    deck: Sequence[str],
    placers: Sequence[Placer],
    placing: Placing,
    seeds: Sequence[tuple[str, bytes]] = (),
    beacon: tuple[str, int, str] | None = None,
    cut: int = 0,
    draws: Mapping[str, int] | None = None,
) -> PlacedShoe:
    """Fix the order of a shoe with placers; all arguments are checked."""
    checked = deck_of(deck)
    return PlacedShoe(
        key, transcript_for(key, shoe, checked, seeds, beacon, placers), checked, placing, cut=cut, draws=draws
    )


class PlacedShoe(Sealed):
    """`order` goes as far as places are known."""

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
        return iter(lambda: order[self._placing.card(self.position)] if self.position < len(order) else -1, -1)

    def go_to(self, position: int) -> None:
        """The same: the places of those cards are known."""
        self.position = position

    def reveal(self) -> Proof:
        """The same, with the keys of the placers that were asked while it was dealt, who are told that it is over."""
        if self._proof is None and isinstance(self._placing, Dealers):
            keys = [dealer.end() for dealer in self._placing.dealers]
            pairs = zip(self.first_transcript.placers, keys, strict=True)
            told = tuple(PlacerKey(*placer, key.hex()) for placer, key in pairs)
            self._proof = replace(self._record(), placers=told)
            self._indexes = iter(())
        return super().reveal()

    def order_indexes(self) -> list[int]:
        if isinstance(self._placing, Dealers):
            raise RuleError("nobody knows the order of a shoe with placers", where="order", remedy="draw card by card")
        order, found = self._house(), list[int]()
        with suppress(LookupError):
            for place in range(len(order)):
                found.append(self.gathered[order[self._placing.card(place)]])
        return found

    def _record(self) -> Proof:
        told = tuple(PlacerKey(*placer) for placer in self.first_transcript.placers)
        return replace(super()._record(), placers=told)

    def order(self) -> list[str]:
        return [self.deck[index] for index in self.order_indexes()]

    def first(self, count: int) -> list[str]:
        return self.order()[:count]
