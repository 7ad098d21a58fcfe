"""`deck`: the labels of a deck that is not French, in parts, before the shoe that uses it."""

from __future__ import annotations

from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.deck import deck_of

from ..audit import Audit

KIND = "deck"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    name, parts = entry["deck"], entry["parts"]
    given = audit.parts.setdefault(name, [])
    wanted = len(given) + 1
    if name in audit.decks or entry["part"] != wanted or wanted > parts or any(e["parts"] != parts for e in given):
        expected = "no deck twice" if name in audit.decks else f"part {wanted} of the same number of parts"
        audit.find("step-out-of-order", field="part", expected=expected, found=f"{entry['part']} of {parts}")
        return
    given.append(entry)
    if wanted < parts:
        return
    del audit.parts[name]
    try:
        deck = deck_of([label for e in given for label in e["labels"]])
    except InputError as error:
        audit.refused("shoe-differs", error)
        return
    if deck.hash != name:
        audit.find("shoe-differs", field="deck", expected=deck.hash, found=name)
    audit.decks[name] = deck
