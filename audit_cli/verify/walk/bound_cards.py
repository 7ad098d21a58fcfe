"""Hold the cards of a shoe whose key is not known against what the house bound before it dealt them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairshoe.errors import VerificationError
from fairshoe.protocol.openings import Opening
from fairshoe.record.openings import Binding

from .comparison import EntryComparison
from .labels import ToldLabel, told_labels
from .state import AuditedShoe


class LoggedCard(NamedTuple):
    """A card that the log shows: the entry's line, the round's number, the field, the label."""

    line: int | None
    number: int
    field: str
    label: str


def check_bound(audit: EntryComparison, shoe: AuditedShoe, openings: Sequence[Opening]) -> int:
    """Report each card bound as another one; count shown cards by round in `shoe.bound`, and return how many are not
    shown. Openings without the root, which anybody can make, and cards after a reshuffle do not count."""
    cards = list(_cards(shoe))
    dealt = dict(zip(_places(shoe), cards, strict=False))
    if shoe.cards_root is None:
        return len(cards)
    binding = Binding(shoe.cards_root, shoe.deck, numbered=shoe.book_shoe.placer is not None)
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
            binding.openings[opening.pos] = opening
    shoe.bound.update(card.number for place, card in dealt.items() if place in binding.openings)
    return len(cards) - shoe.bound.total()


def _cards(shoe: AuditedShoe) -> Iterator[LoggedCard]:
    """In the order of dealing, but for cards that a reshuffle burned. Number 0 has the one that the seal burned."""
    if shoe.burn is not None:
        yield LoggedCard(shoe.seal_line, 0, "burn", shoe.burn)
    for dealt in shoe.rounds:
        for i, label in enumerate(dealt.cards):
            yield LoggedCard(dealt.line, dealt.number, f"cards[{i}]", label)
    yield from (LoggedCard(line, 0, field, label) for line, field, _, label in _first_told(shoe))


def _first_told(shoe: AuditedShoe) -> list[ToldLabel]:
    """Return the cards that entries tell of the first order of a shoe without a table."""
    told = shoe.book_shoe.told_cards
    end = told.gathers[0].pos if told is not None and told.gathers else len(shoe.deck)
    return [each for each in told_labels(shoe) if each.pos < end]


def _places(shoe: AuditedShoe) -> Iterator[int]:
    """Yield the places of these cards in the shoe's first order, up to a reshuffle."""
    if shoe.book_shoe.placer is not None:
        given = [place for row in shoe.rows if row.digest == shoe.rows[0].digest for place in row.places]
        told = [each.pos for each in _first_told(shoe)]
        yield from given if not told else (given[pos] for pos in told if pos < len(given))
        return
    yield from (each.pos for each in _first_told(shoe))
    yield from range(int(shoe.burn is not None))
    for dealt in shoe.rounds:
        whole = dealt.gatherings[0].after if dealt.gatherings else len(dealt.cards)
        yield from range(dealt.position, dealt.position + whole)
        if dealt.gatherings:
            return
