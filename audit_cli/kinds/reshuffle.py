"""`reshuffle`: in the middle of a deal, under the same key. Held against the round, then against the key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import count, hex32, identifier, number, shape, text
from ..walk.state import MOST_RESHUFFLES, Logged

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "reshuffle"
SHAPE = shape(
    {"cut": count, "burn": text}, shoe=identifier, round=number, k=number, after=count, cards=number, deck=hex32
)
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    state = shoe.table
    opened = None if state is None else state.book.open
    if state is None or opened is None or opened.number != entry["round"]:
        audit.wrong_step(shoe.round(entry["round"]), "an open round", "reshuffle")
    elif len(state.reshuffles) < MOST_RESHUFFLES:
        state.reshuffles.append(Logged(audit.index, entry))
    else:
        state.unlisted += 1
