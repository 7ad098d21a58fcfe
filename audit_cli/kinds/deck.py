"""`deck`: the labels of a deck that is not French, in parts, before the shoe that uses it."""

from __future__ import annotations

from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.deck import deck_of

from ..audit import Audit

KIND = "deck"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    if not audit.shaped(entry, line):
        return
    name, part, parts = entry["deck"], entry["part"], entry["parts"]
    labels = audit.parts.setdefault(name, [])
    if part == 1:
        labels.clear()
    labels += entry["labels"]
    if part < parts:
        return
    del audit.parts[name]
    try:
        deck = deck_of(labels)
    except InputError as error:
        audit.refused("shoe-differs", error)
        return
    if deck.hash != name:
        audit.find("shoe-differs", field="deck", expected=deck.hash, found=name)
    audit.decks[name] = deck
