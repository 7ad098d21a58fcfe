"""`reshuffle`: in the middle of a deal, under the same key. Held against the round, then against the key."""

from __future__ import annotations

from fairshoe.log.canonical import Entry

from ..audit import Audit
from ..state import Logged

KIND = "reshuffle"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None or shoe.table is None:
        return
    opened = shoe.table.open
    if opened is None or opened.number != entry["round"]:
        audit.find("step-out-of-order", round=shoe.table.id, expected="an open round", found="reshuffle")
        return
    opened.reshuffles += (Logged(audit.index, entry),)
