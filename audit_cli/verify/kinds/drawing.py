"""`drawn` and `shown`: the cards and numbers of a shoe without a table; with the key, against its order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from fairshoe.ceremony.book import Shoe
from fairshoe.ceremony.choices import count_choices
from fairshoe.ceremony.drawing import DrawFault, faults_of_drawn, faults_of_gathered, faults_of_shown, labels_at
from fairshoe.ceremony.fold import apply_entry, run_of
from fairshoe.ceremony.placer_steps import draw_text
from fairshoe.log.canonical import Entry
from fairshoe.protocol.shoe import Sealed

from ..findings.finding import codes_of
from ..walk.audit import Audit, EntryKind
from ..walk.labels import check_known, told_labels
from ..walk.rebuild import elsewhere
from ..walk.shapes import count, hex32, identifier, list_of, map_of, non_empty, number, shape, text
from ..walk.state import AuditedShoe, LoggedEntry
from .placement import PLACED, judge, rebuild_steps

_POSITION = re.compile("0|[1-9][0-9]{0,4}", re.ASCII)


def labels_by_position(value: Any) -> bool:
    """Whether a JSON value has a label for each of some positions, at least one."""
    return (
        type(value) is dict and bool(value) and all(map(_POSITION.fullmatch, value)) and all(map(text, value.values()))
    )


DRAWN = shape(
    {
        "cards": list_of(text),
        "hidden": number,
        "to": identifier,
        "draws": non_empty(map_of(count)),
        "gathered": number,
        "placed": PLACED,
    },
    shoe=identifier,
    pos=count,
)
SHOWN = shape(shoe=identifier, cards=labels_by_position)
GATHERED = shape({"out": non_empty(list_of(count))}, shoe=identifier, pos=count, cards_root=hex32)
CODES = codes_of("""
cards-not-out: cards
  the house left cards out of a reshuffle that do not lie out, or all of them
  `out` has positions of cards that were drawn and not gathered since, in order.
player-unknown: cards
  the house gave hidden cards to somebody who is not in the shoe
  Hidden cards go to a player of the shoe's roster, or to nobody.
card-not-hidden: cards
  the house showed a card before it was drawn, once more, or after it was gathered
  `shown` has hidden cards that were drawn before it and not gathered since, each once. A card in public stands in its
  `drawn`.
""")
OF_DRAWN = {
    "": "shoe-not-retired",
    "to": "player-unknown",
    "draws": "draw-differs",
    "pos": "position-differs",
    "gathered": "number-gap",
}
"""The code of a fault by its field; other fields do not go together, unless there are fewer cards than that."""


def check_drawn(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = _check(audit, entry, faults_of_drawn, _code_of_drawn)
    if shoe is not None:
        _check_places(audit, shoe, entry)
        shoe.told_entries.append(LoggedEntry(audit.index, entry))
        apply_entry(None, shoe.book_shoe, entry)
        audit.report.cards += run_of(entry).size


def _check_places(audit: Audit, shoe: AuditedShoe, entry: Entry) -> None:
    """Hold the places that a shoe's placer gave against the draw: it was asked for these cards, for this player."""
    run = run_of(entry)
    asking = rebuild_steps(audit, shoe, entry) if run.size else None
    if asking is not None:
        asking.add_event(draw_text(entry))
        for pos in range(run.pos, run.pos + run.size):
            asking.card(pos)
    judge(audit, shoe, entry, asking, shoe.place)


def check_shown(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = _check(audit, entry, faults_of_shown, lambda _: "card-not-hidden")
    if shoe is not None:
        shoe.told_entries.append(LoggedEntry(audit.index, entry))
        apply_entry(None, shoe.book_shoe, entry)


def check_gathered(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = _check(audit, entry, faults_of_gathered, _code_of_gathered)
    if shoe is None or any(faults_of_gathered(shoe.book_shoe, entry)):
        return
    shoe.told_entries.append(LoggedEntry(audit.index, entry))
    apply_entry(None, shoe.book_shoe, entry)


def _code_of_gathered(fault: DrawFault) -> str:
    if not fault.field:
        return "shoe-not-retired" if str(fault.expected).startswith("a reveal") else "step-out-of-order"
    return "position-differs" if fault.field == "pos" else "cards-not-out"


def _check(
    audit: Audit,
    entry: Entry,
    faults: Callable[[Shoe, Entry], Iterator[DrawFault]],
    code_of: Callable[[DrawFault], str],
) -> AuditedShoe | None:
    """Check what `drawn` and `shown` have in common; give the shoe, if its cards are told."""
    shoe = audit.shoe(entry)
    if shoe is None or not audit.in_turn(shoe, entry["kind"]):
        return None
    book_shoe = shoe.book_shoe
    if book_shoe.told_cards is None:
        audit.wrong_step(shoe.place, "a shoe of version 2", entry["kind"])
        return None
    audit.check_late(shoe, entry["at"])
    audit.report.choices.add(shoe.id, count_choices(None, book_shoe, entry))
    for fault in faults(book_shoe, entry):
        field = fault.field or None
        audit.find(code_of(fault), shoe.place, field=field, expected=fault.expected, found=fault.found)
    cards = entry.get("cards", ())
    told = [(f"cards.{pos}", [cards[pos]]) for pos in cards] if type(cards) is dict else [("cards", cards)]
    for name, labels in told:
        check_known(audit, shoe, shoe.place, name, labels)
    return shoe


def _code_of_drawn(fault: DrawFault) -> str:
    top = fault.field.partition(".")[0]
    few = type(fault.expected) is str and fault.expected.startswith("at most")
    return "position-differs" if few else OF_DRAWN.get(top, "field-invalid")


def check_told(audit: Audit, shoe: AuditedShoe, sealed: Sealed) -> None:
    """Compare each card and number that entries tell of a shoe with those that its key gives."""
    order, fits = _check_roots(audit, shoe, sealed), list[bool]()
    for line, field, pos, label in told_labels(shoe):
        wanted = order.get(pos)
        fits.append(label == wanted)
        if label != wanted:
            audit.find("card-differs", shoe.place, entry=line, field=field, expected=wanted, found=label)
    for line, entry in shoe.told_entries:
        for name, value in entry.get("draws", {}).items():
            drawn = sealed.number(name) if name in sealed.draws else None
            if value != drawn:
                audit.find("draw-differs", shoe.place, entry=line, field=f"draws.{name}", expected=drawn, found=value)
    audit.report.checked("cards")
    if found := elsewhere(fits):
        audit.find("order-differs", shoe.place, expected="the order that key, seeds and cut give", found=found)


def _check_roots(audit: Audit, shoe: AuditedShoe, sealed: Sealed) -> dict[int, str]:
    """Return the labels by position, through the reshuffles, whose roots are compared."""
    told = shoe.book_shoe.told_cards
    labels = labels_at(sealed, () if told is None else told.gathers)
    made = [each for each in shoe.told_entries if each.entry["kind"] == "gathered"]
    for (line, entry), bound in zip(made, sealed.bound[1:], strict=True):
        if entry["cards_root"] != (root := bound.root().hex()):
            found = entry["cards_root"]
            audit.find("cards-root-differs", shoe.place, entry=line, field="cards_root", expected=root, found=found)
    return labels


KINDS = (
    EntryKind("drawn", DRAWN, check_drawn),
    EntryKind("shown", SHOWN, check_shown),
    EntryKind("gathered", GATHERED, check_gathered),
)
