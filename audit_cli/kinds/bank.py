"""`bank`: the bank moves, by the rules and the seats' decisions."""

from __future__ import annotations

from fairshoe.ceremony.fold import take
from fairshoe.engine.cards import Dealt
from fairshoe.engine.round import settle_bank
from fairshoe.errors import IllegalDecision, RuleError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.record.entries import bank_entry, bank_move_entry
from fairshoe.record.forms import decisions_of

from ..findings.finding import Code
from ..walk.audit import Audit, EntryKind
from ..walk.shapes import decision, identifier, integer, list_of, map_of, number, one_of, shape, text
from ..walk.state import DealtRound, TableState, logged_bank, logged_chips

SHAPE = shape(
    {
        "decisions": list_of(decision),
        "price": number,
        "chips": map_of(integer),
        "shoe": identifier,
        "cards": list_of(text),
    },
    table=identifier,
    why=one_of("first", "rotation", "change", "gift", "sale"),
    to=number,
)
CODES = (
    Code(
        "bank-differs",
        "policy",
        "the bank moved as the rules do not allow",
        "Who banks follows from the rules and the seats' decisions.",
    ),
)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(entry["table"])
    if state is None:
        return
    audit.report.checked("policy")
    if state.book.open is not None:
        audit.wrong_step(state.place._replace(round=state.book.open.number), "no open round", "bank")
    audit.count(state, None, entry)
    if entry["why"] == "first":
        _check_first(audit, state, entry, line)
    else:
        _check_move(audit, state, entry, line)


def _check_first(audit: Audit, state: TableState, entry: Entry, line: bytes) -> None:
    """PO-04: dealt from a shoe of its own, to the chairs of its roster that sat and covered at `seeds`."""
    book = state.book
    shoe = audit.shoes.get(entry.get("shoe", ""))
    cards = entry.get("cards", [])
    if shoe is None or shoe.table is not state or not shoe.told.sealed:
        audit.wrong_step(state.place, "a sealed shoe for the first banker", "bank")
        return
    told, place = shoe.told, shoe.place
    if told.purpose is None or shoe.rounds:
        audit.wrong_step(place, "a fresh shoe for the first banker", "bank")
        return
    audit.check_late(shoe, entry["at"])
    source = Dealt(cards, position=0, present=told.cards, size=told.cards)
    try:
        seat, dealt = book.rules.first_bank(book.table, source, told.dealt)
    except (RuleError, IndexError, KeyError):
        audit.find("bank-differs", place, field="cards", expected="cards until one decides", found=cards)
        seat, dealt = entry["to"], cards
    expected = bank_entry(entry["at"], state.id, "first", seat, shoe=shoe.id, cards=dealt)
    audit.compare(expected, entry, line, lambda _: "bank-differs", place)
    audit.report.cards += len(cards)
    shoe.rounds.append(DealtRound(0, audit.index, 0, cards, len(cards), told.cards))
    to = entry["to"] if entry["to"] in book.chairs else seat
    after = book.rules.found_bank(book.table, to) if to in book.chairs else book.table
    take(book, told, entry | {"cards": cards}, logged_chips(after, entry.get("chips")))


def _check_move(audit: Audit, state: TableState, entry: Entry, line: bytes) -> None:
    book, at, place = state.book, entry["at"], state.place
    decisions, moments = decisions_of(entry.get("decisions", ()))
    after = logged_bank(book.table, entry)
    try:
        between = settle_bank(book.table, decisions)
    except IllegalDecision as error:
        audit.refused("decision-illegal", error, place)
    else:
        if between.ask is not None:
            audit.find("decision-missing", place, field="decisions", expected=between.ask.legal)
        else:
            expected = bank_move_entry(at, state.id, between, moments)
            if audit.compare(expected, entry, line, lambda _: "bank-differs", place):
                after = between.result.table
    shoe = None if book.shoe is None or book.rules.one_round else audit.shoes.get(book.shoe.id)
    if shoe is not None:
        begun = microseconds(book.settled)
        audit.check_late(shoe, at, begun + len(decisions) * book.policy.decision * SECOND)
    if moments:
        audit.check_moments(state, place, at, book.settled, decisions, moments)
    take(book, book.shoe, entry, after)


KINDS = (EntryKind("bank", SHAPE, check),)
