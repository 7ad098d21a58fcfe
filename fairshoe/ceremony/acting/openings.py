"""The openings of the shoe in play, and who may have which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...engine.hand import UP
from ...engine.round import Round
from ...protocol.openings import Opening
from ...protocol.placed_shoe import PlacedShoe
from ...protocol.shoe import Sealed
from ..book import Shoe
from .placers import round_so_far
from .shoes import current_order, placer_request
from .state import LiveRound, State


def openings(state: State, key: bytes, dealt: LiveRound | None, audience: int) -> list[Opening | None]:
    """Return the openings of the live shoe's cards in dealt order: None for cards that neither the log nor `audience`
    shows, or that nothing binds; nothing without a root."""
    shoe = state.shoe
    if shoe is None or not shoe.root:
        return []
    sealed = current_order(state, shoe, key, placer_request(state, shoe))
    found: list[Opening | None] = [sealed.bound[0].open(place) for place in _logged_places(state, shoe)]
    if state.book.open_round is None:
        return found
    if dealt is not None:
        return found + list(
            _open_round_cards(dealt.round, dealt.cards.shoe, shoe.position, audience, len(dealt.cards.burned))
        )
    return found + list(
        _open_round_cards(round_so_far(state, shoe, sealed), sealed, shoe.position, audience)
    )  # waits for places


def openings_at(state: State, shoe: Shoe, key: bytes, places: Sequence[int]) -> list[Opening]:
    """Return the openings of the shoe in play at these places, which the log shows."""
    bound = current_order(state, shoe, key, placer_request(state, shoe)).bound[0]
    return [bound.open(place) for place in places]


def _logged_places(state: State, shoe: Shoe) -> Sequence[int]:
    """At which places of the order the cards lay that the log shows."""
    if shoe.placer is None:
        return range(shoe.position)
    return [] if state.placer_answers is None else state.placer_answers.places[: shoe.position]


def _open_round_cards(
    round: Round, live: Sealed, start: int, audience: int, burns: int = 0
) -> Iterator[Opening | None]:
    """Yield the same of the open round's cards, which begin at number `start` of the shoe."""
    faces = [zip(hand.offsets, hand.faces, strict=True) for hand in (*round.hands, round.dealer)]
    seen = {offset for each in faces for offset, face in each if face in (UP, audience)}
    if not isinstance(live, PlacedShoe):
        whole = round.reshuffled[0] if round.reshuffled else len(round.cards)
        for offset in range(len(round.cards)):
            yield live.bound[0].open(start + offset) if offset in seen and offset < whole else None
        return
    offset = 0
    for number, bound in enumerate(live.bound):
        burned = 0 < number <= burns
        for i, place in enumerate(bound.given):
            is_burned = burned and not i
            yield None if is_burned or offset not in seen else bound.open(place)
            offset += not is_burned
