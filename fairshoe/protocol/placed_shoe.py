"""A sealed shoe with a placer: the card dealt at place i is H[P[i]] (docs/placer-protocol.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Protocol, runtime_checkable

from ..errors import InputError, RuleError
from .commitment import commitment_of_hex
from .deck import Deck, deck_of
from .proof import PlacerKey, Proof
from .shoe import Sealed, transcript_for
from .text import check_id, type_name
from .transcript import PlacerCommitment, Transcript
from .word_stream import places


class PlaceSource(Protocol):
    """A source of the places that a placer gives."""

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        """Begin a deck of so many cards, under this digest of the transcript; `root` returns the root that binds
        them."""

    def card(self, place: int) -> int:
        """Return where in the house's order the card at a place lies. Raises LookupError if nobody knows."""


@runtime_checkable
class SecondDealer(PlaceSource, Protocol):
    """A second dealer, as whoever deals from a shoe asks it: `fairshoe.client.Dealer` over HTTP. What it was asked
    before it answers again in the same way; where it cannot be asked it raises, and is asked again later."""

    @property
    def name(self) -> str:
        """Its name in the transcript, an id."""

    def commit(self, shoe: str, commitment: str) -> str:
        """Its commitment to a key for this shoe, of which `commitment` is the house's."""

    def ask_ahead(self, place: int, count: int) -> None:
        """Have the places of `count` cards from `place` on given at once: `card` says each of them afterwards."""

    def end(self) -> bytes:
        """Its key: the shoe is over."""


def commit_placer(dealer: SecondDealer | None, shoe: str, commitment: str) -> PlacerCommitment | None:
    """Have a second dealer commit to a key. Raises InputError for the house's own commitment."""
    if dealer is None:
        return None
    if not callable(getattr(dealer, "commit", None)):
        remedy = "pass a fairshoe.client.Dealer, or what has its methods"
        raise InputError(f"{type_name(dealer)} is no second dealer", where="placer", remedy=remedy)
    name = check_id(dealer.name, "placer")
    placer = PlacerCommitment(name, commitment_of_hex(dealer.commit(shoe, commitment)))
    if placer.commitment == commitment:
        raise InputError("the placer gives the house's commitment", where="placer", expected="one of its own")
    return placer


class KeyPlaces:
    """The places that follow from a placer's key, which is known once the shoe is over."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        self._order = places(self._key, digest, size)

    def card(self, place: int) -> int:
        return self._order[place]


def seal_placed(
    *,
    key: bytes,
    shoe: str,
    deck: Sequence[str],
    placer: PlacerCommitment,
    placing: PlaceSource,
    seeds: Sequence[tuple[str, bytes]] = (),
    beacon: tuple[str, int, str] | None = None,
    cut: int = 0,
    draws: Mapping[str, int] | None = None,
) -> PlacedShoe:
    """Fix the order of a shoe with a placer; all arguments are checked."""
    checked = deck_of(deck)
    return PlacedShoe(
        key, transcript_for(key, shoe, checked, seeds, beacon, placer), checked, placing, cut=cut, draws=draws
    )


class PlacedShoe(Sealed):
    """A sealed shoe with a placer; `order` goes as far as places are known."""

    has_placer = True

    def __init__(
        self,
        key: bytes,
        transcript: Transcript,
        deck: Deck,
        placing: PlaceSource,
        *,
        cut: int = 0,
        draws: Mapping[str, int] | None = None,
    ) -> None:
        self._placing = placing
        super().__init__(key, transcript, deck, cut=cut, draws=draws)

    def _begin(self, present: Deck, gathered: Sequence[int], cut: int) -> None:
        super()._begin(present, gathered, cut)
        self._placing.shuffle(len(gathered), self._digest, self.bound[-1].root)
        self._indexes = iter(self._next_index, -1)

    def _ask_ahead(self, count: int) -> None:
        if isinstance(self._placing, SecondDealer):
            self._placing.ask_ahead(self.position, count)

    def _next_index(self) -> int:
        """Return the next card's index in the present deck, -1 if none is left."""
        own = self.bound[-1]
        if self.position == len(self):
            return -1
        own.given.append(self._placing.card(self.position))
        return own.numbers[own.given[-1]]

    def _place_of(self, position: int) -> int:
        given = self.bound[-1].given
        if position >= len(given):
            raise RuleError("the placer has not given this card", where="open", remedy="draw it first")
        return given[position]

    def go_to(self, position: int) -> None:
        """Move the pointer to a position; the places of the cards before it are known."""
        self.position = position

    def reveal(self) -> Proof:
        """Reveal the shoe, with the key of the placer that dealt it, which is told that it is over."""
        if self._proof is None and isinstance(self._placing, SecondDealer):
            key = self._placing.end()
            self._proof = replace(self._record(), placer=self._placer_key(key))
            self._indexes = iter(())
        return super().reveal()

    def order_indexes(self) -> list[int]:
        if isinstance(self._placing, SecondDealer):
            raise RuleError("nobody knows the order of a shoe with a placer", where="order", remedy="draw card by card")
        order, found = self.bound[-1].numbers, list[int]()
        with suppress(LookupError):
            for place in range(len(order)):
                found.append(self.gathered[order[self._placing.card(place)]])
        return found

    def labels_at(self) -> dict[int, str]:
        order, found = self.bound[-1].numbers, dict[int, str]()
        for position in range(len(order)):
            with suppress(LookupError):
                found[position] = self.deck[self.gathered[order[self._placing.card(position)]]]
        return found

    def _record(self) -> Proof:
        return replace(super()._record(), placer=self._placer_key())

    def _placer_key(self, key: bytes = b"") -> PlacerKey | None:
        placer = self.first_transcript.placer
        return None if placer is None else PlacerKey(*placer, key)

    def order(self) -> list[str]:
        return [self.deck[index] for index in self.order_indexes()]

    def first(self, count: int) -> list[str]:
        return self.order()[:count]
