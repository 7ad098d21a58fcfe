"""`lost`: a restore could not continue the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import hex32, identifier, number, shape
from .reveal import check_rounds
from .void import check_round

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "lost"
SHAPE = shape({"key": hex32, "round": number}, shoe=identifier)
CODES = (
    Code(
        "shoe-lost",
        "completeness",
        "the house lost a shoe that it had committed to",
        "After a restore the house could not go on with the shoe. What would have been dealt cannot be checked, and "
        "bets that stood were returned.",
    ),
)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    audit.report.checked("completeness")
    opened = entry.get("round")
    audit.find("shoe-lost", shoe.place if opened is None else shoe.round(opened), found=shoe.id)
    key = entry.get("key")
    check_rounds(audit, shoe, key if key is not None and audit.key_fits(shoe, key) else None)
    check_round(audit, shoe, entry)
    take(shoe.book, shoe.told, entry)
    audit.end(shoe)
