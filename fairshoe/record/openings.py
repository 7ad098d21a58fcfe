"""Hold cards that a log or a house shows against what the house bound: docs/protocol.md, docs/placer-protocol.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import VerificationError
from ..log.canonical import Entry
from ..protocol.openings import Opening
from .forms import placement_of
from .hand_entries import ENDS


class Binding:
    """The cards of one order, as their openings come: `root` is what the house signed, `deck` the labels of the deck
    that is present. In a shoe with a placer cards are `numbered`, and each number comes once."""

    def __init__(self, root: str, deck: Sequence[str], *, numbered: bool = True) -> None:
        self.root, self.deck, self.numbered = root, deck, numbered
        self.openings: dict[int, Opening] = {}
        self._places: dict[int, int] = {}

    def is_bound(self, opening: Opening) -> bool:
        """Whether the house signed this card at this place: its path leads to the root."""
        if opening.n != len(self.deck) or (opening.number is not None) != self.numbered:
            return False
        try:
            opening.verify(self.root)
        except VerificationError:
            return False
        return True

    def take(self, opening: Opening, place: int, label: str | None = None) -> None:
        """Check the opening of the card at a place, which was shown as `label`. Raises VerificationError."""
        if opening.pos != place or not self.is_bound(opening):
            what = f"the opening of place {opening.pos} does not lead to what the house signed"
            raise VerificationError(what, where="openings", expected=f"the card at place {place}")
        self.hold(opening, label)

    def hold(self, opening: Opening, label: str | None = None) -> None:
        """Hold a bound card against the deck, and what was shown. Raises VerificationError: the house is at fault."""
        number, wrong = opening.number, ""
        known = opening.pos if number is None else self._places.setdefault(number, opening.pos)
        if number is not None and (number >= len(self.deck) or self.deck[number] != opening.label):
            wrong = f"the house bound {opening.label} as card {number} of the deck, which is another one"
        elif known != opening.pos:
            wrong = f"the house bound card {number} of the deck at places {known} and {opening.pos}"
        elif label not in (None, opening.label):
            wrong = f"the card at place {opening.pos} is {opening.label}, and {label} was shown"
        if wrong:
            raise VerificationError(wrong, where="openings")
        self.openings[opening.pos] = opening


def places_of_hand(entries: Sequence[Entry], number: int) -> Sequence[int]:
    """Return the places of hand `number`'s cards in the bound order; none if it is not over, not bound, or revealed."""
    dealt = [entry for entry in entries if entry["kind"] == "round" and entry["round"] == number]
    bound = any(entry["kind"] == "seal" and "cards_root" in entry for entry in entries)
    if not dealt or not bound or "reshuffled" in dealt[0] or any(entry["kind"] in ENDS for entry in entries):
        return ()
    placement, start = placement_of(dealt[0]), dealt[0]["pos"]
    return range(start, start + len(dealt[0]["cards"])) if placement is None else placement.places


def forms_of(openings: Iterable[Opening | None]) -> list[Mapping[str, Any] | None]:
    return [None if each is None else each.form for each in openings]
