"""Hold the cards of a shoe with a placer whose key is not known against what the house bound before it dealt them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairshoe.errors import VerificationError
from fairshoe.record.openings import Binding, Opening

from .comparison import Judging
from .state import AuditedShoe


class _Card(NamedTuple):
    """A card that the log shows: the entry's line, the round's number, the field, the label."""

    line: int | None
    number: int
    field: str
    label: str


def check_bound(audit: Judging, shoe: AuditedShoe, openings: Sequence[Opening]) -> int:
    """Report each card that the house bound as another one; return how many the openings do not show.

    An opening that does not lead to the root shows nothing: anybody can make one. Cards after a reshuffle in the middle
    of a deal are not looked at.
    """
    if shoe.told.placer is None or shoe.cards_root is None or not shoe.rows:
        return 0
    cards, first = list(_cards(shoe)), shoe.rows[0].digest
    places = [place for row in shoe.rows if row.digest == first for place in row.given]
    binding = Binding(shoe.cards_root, shoe.deck)
    dealt = dict(zip(places, cards, strict=False))
    for opening in openings:
        if not binding.is_bound(opening):
            continue
        card = dealt.get(opening.pos)
        try:
            binding.hold(opening, None if card is None else card.label)
        except VerificationError as error:
            place = shoe.round(0 if card is None else card.number)
            line, field = (shoe.seal_line, "cards_root") if card is None else (card.line, card.field)
            audit.find("opening-differs", place, entry=line, field=field, found=error.what)
            binding.known[opening.pos] = opening
    return sum(place not in binding.known for place in dealt) + len(cards) - len(dealt)


def _cards(shoe: AuditedShoe) -> Iterator[_Card]:
    """In the order of dealing, but for cards that a reshuffle burned."""
    if shoe.burn is not None:
        yield _Card(shoe.seal_line, 0, "burn", shoe.burn)
    for dealt in shoe.rounds:
        for i, label in enumerate(dealt.cards):
            yield _Card(dealt.line, dealt.number, f"cards[{i}]", label)
