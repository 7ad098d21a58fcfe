"""Count the cards of a shoe whose key is not known."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..findings.finding import Place
from .comparison import EntryComparison
from .state import AuditedShoe


class ToldLabel(NamedTuple):
    """A card that a `drawn` or `shown` entry tells: the entry's line, the field, the position, the label."""

    line: int
    field: str
    pos: int
    label: str


def told_labels(shoe: AuditedShoe) -> Iterator[ToldLabel]:
    """Yield the cards that entries tell of a shoe without a table, in the order of the log."""
    for line, entry in shoe.told_entries:
        if entry["kind"] == "gathered":
            continue
        if entry["kind"] == "shown":
            yield from (ToldLabel(line, f"cards.{pos}", int(pos), label) for pos, label in entry["cards"].items())
        else:
            for i, label in enumerate(entry.get("cards", ())):
                yield ToldLabel(line, f"cards[{i}]", entry["pos"] + i, label)


def check_known(audit: EntryComparison, shoe: AuditedShoe, place: Place, field: str, labels: Iterable[str]) -> None:
    """Report the labels of an entry that the shoe's deck does not have."""
    if wrong := [label for label in labels if label not in shoe.deck.labels]:
        audit.find("card-unknown", place, field=field, expected="cards of the deck", found=wrong)


def check_labels(audit: EntryComparison, shoe: AuditedShoe) -> None:
    """Report each label that was dealt more often than the deck that is present has it."""
    deck = Counter(shoe.deck)
    left = deck - Counter([shoe.burn or ""])
    for dealt in shoe.rounds:
        reshuffled = {gathering.after: number for number, gathering in enumerate(dealt.gatherings)}
        for i, card in enumerate(dealt.cards):
            if i in reshuffled:
                burned = [str(each.entry.get("burn")) for each in dealt.logged[reshuffled[i] :][:1]]
                left = deck - Counter(dealt.cards[:i]) - Counter(burned)
            if card in deck and not left[card]:
                place = shoe.round(dealt.number)
                audit.find("card-too-often", place, entry=dealt.line, field=f"cards[{i}]", found=card)
            left -= Counter([card])
    if shoe.told_entries:
        _check_told_labels(audit, shoe, deck)


def _check_told_labels(audit: EntryComparison, shoe: AuditedShoe, deck: Counter[str]) -> None:
    """The same of a shoe without a table, of each of its orders: cards that stay out are not in the next one."""
    told, gathers = list(told_labels(shoe)), shoe.book_shoe.told_cards.gathers if shoe.book_shoe.told_cards else []
    by_position = {each.pos: each.label for each in told}
    starts = [0, *(each.pos for each in gathers)]
    gone = Counter((order, by_position.get(pos)) for order, each in enumerate(gathers, 1) for pos in each.out)
    for line, field, pos, card in told:
        order = bisect_right(starts, pos) - 1
        if card in deck and gone[order, card] >= deck[card]:
            audit.find("card-too-often", shoe.place, entry=line, field=field, found=card)
        gone[order, card] += 1
