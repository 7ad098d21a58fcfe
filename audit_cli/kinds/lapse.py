"""`lapse`: a contributor let the limit pass before anybody had opened, and is struck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairshoe.ceremony.contributing import only_strikes
from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import identifier, shape
from ..walk.state import MOST_DEBTS
from ..walk.times import check_late, check_limit
from .opened import check_turn

if TYPE_CHECKING:
    from fairshoe.ceremony.book import Book

    from ..walk.audit import Audit

KIND = "lapse"
SHAPE = shape(shoe=identifier, player=identifier)
CODES = (
    Code(
        "lapse-not-allowed",
        "contributions",
        "the house left out a seed although somebody had opened, or nobody else remained",
        "Once a seed is open, or for the last who remains, a missing seed makes the shoe void.",
    ),
)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    told, at = shoe.told, entry["at"]
    audit.count(shoe.table, shoe, entry)
    check_late(audit, shoe, at)
    if not check_turn(audit, shoe, entry["player"], "lapse"):
        return
    if not only_strikes(shoe.book, told):
        audit.find("lapse-not-allowed", shoe.place, expected="the shoe void", found=entry["player"])
    if told.asked:
        check_limit(audit, shoe.place, at, told.asked, audit.started(shoe), told.policy.seed, "the seed is missing")
    take(shoe.book, told, entry)
    forget_debts(shoe.book)


def forget_debts(book: Book | None) -> None:
    """Keep no more debts than an honest table can have."""
    if book is not None and len(book.debts) > MOST_DEBTS:
        del book.debts[next(iter(book.debts))]
