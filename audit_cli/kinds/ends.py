"""`void` and `lost`: a shoe ends before its seal, for a reason that the ceremony knows; a restore could not
go on with it."""

from __future__ import annotations

from fairshoe.ceremony.ending import may_void, may_void_alone
from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry
from fairshoe.log.times import microseconds

from ..findings.finding import Code
from ..walk.audit import Audit, EntryKind
from ..walk.shapes import hex32, identifier, number, one_of, shape
from ..walk.state import Shoe
from .contributions import forget_debts
from .reveal import check_rounds

VOID = shape(
    {"by": identifier, "round": number},
    shoe=identifier,
    key=hex32,
    why=one_of("reshuffle", "close", "bank", "idle", "age", "seed"),
)
FOREVER = 1 << 62
"""A moment at which every limit is over."""


LOST = shape({"key": hex32, "round": number}, shoe=identifier)
CODES = (
    Code(
        "shoe-void",
        "completeness",
        "a shoe ended before it was dealt, as the ceremony allows",
        "Nobody knew its order yet, or whoever let it fail owes the seed. Counted, not a failure.",
        severity="note",
        fault="unknown",
        next="Nothing, if it happens now and then. The counts under choices show who often lets a shoe fail: ask why.",
    ),
    Code(
        "void-not-allowed",
        "completeness",
        "the house got rid of a shoe that it did not like",
        "A sealed shoe is dealt and revealed; an opened round is played to its end (GE-13); before that a shoe is void "
        "only for a reason that the log shows.",
    ),
    Code(
        "shoe-lost",
        "completeness",
        "the house lost a shoe that it had committed to",
        "After a restore the house could not go on with the shoe. What would have been dealt cannot be checked, and "
        "bets that stood were returned.",
    ),
)


def check_void(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    why, at = entry["why"], entry["at"]
    audit.report.checked("completeness")
    audit.count(shoe.table, shoe, entry)
    audit.check_late(shoe, at)
    key = entry["key"]
    check_rounds(audit, shoe, key if audit.key_fits(shoe, key) else None)
    if _may(audit, shoe, entry, microseconds(at)):
        audit.find("shoe-void", shoe.place, field="why", found=why)
    elif _may(audit, shoe, entry, FOREVER):
        audit.find("limit-early", shoe.place, field="at", expected=f"a later moment for a void ({why})", found=at)
    else:
        wanted = "a reason before the seal"
        audit.find("void-not-allowed", shoe.place, field="why", expected=wanted, found=why)
    check_round(audit, shoe, entry)
    take(shoe.book, shoe.told, entry)
    forget_debts(shoe.book)
    audit.end(shoe)


def _may(audit: Audit, shoe: Shoe, entry: Entry, now: int) -> bool:
    why, by = entry["why"], entry.get("by")
    if shoe.book is None:
        return may_void_alone(shoe.told, audit.starts.last, why, by, now)
    return may_void(shoe.book, shoe.told, why, by, now)


def check_round(audit: Audit, shoe: Shoe, entry: Entry) -> None:
    """An end before the deal names the round whose bets go back."""
    book = shoe.book
    opened = None if book is None else book.open
    number = None if opened is None else opened.number
    if entry.get("round") != number:
        audit.find("step-out-of-order", shoe.place, field="round", expected=number, found=entry.get("round"))


def check_lost(audit: Audit, entry: Entry, line: bytes) -> None:
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


KINDS = (
    EntryKind("void", VOID, check_void),
    EntryKind("lost", LOST, check_lost),
)
