"""`deck`: the labels of a deck that is not French, in parts, before the shoe that uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.deck import MAX_CARDS, deck_of

from ..findings.finding import Code
from ..walk.shapes import hex32, list_of, number, shape, text

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "deck"
SHAPE = shape(deck=hex32, part=number, parts=number, labels=list_of(text))
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    name, part, parts = entry["deck"], entry["part"], entry["parts"]
    known, last, labels = audit.parts.pop(name, (parts, 0, []))
    if name in audit.decks or part != last + 1 or parts != known or part > parts:
        expected = "no deck twice" if name in audit.decks else f"part {last + 1} of the same number of parts"
        audit.find("step-out-of-order", field="part", expected=expected, found=f"{part} of {parts}")
        if last and name not in audit.decks:
            audit.parts[name] = known, last, labels
        return
    labels += entry["labels"]
    if part < parts and len(labels) <= MAX_CARDS:
        audit.parts[name] = parts, part, labels
        return
    try:
        deck = deck_of(labels)
    except InputError as error:
        audit.refused("shoe-differs", error)
        return
    audit.report.checked("commitment")
    if deck.hash != name:
        audit.find("shoe-differs", field="deck", expected=deck.hash, found=name)
    audit.decks[name] = deck
