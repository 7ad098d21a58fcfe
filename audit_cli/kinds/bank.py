"""`bank`: the bank moves, by the rules and the seats' decisions."""

from __future__ import annotations

from fairshoe.engine.bank import settle_bank
from fairshoe.engine.cards import Dealt
from fairshoe.errors import IllegalDecision, RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import bank_entry, bank_move_entry
from fairshoe.record.forms import decision_of

from ..audit import Audit
from ..follow import follow_chips
from ..state import DealtRound, TableState

KIND = "bank"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(entry)
    if state is None:
        return
    audit.report.checked("policy")
    if state.open is not None:
        audit.find("step-out-of-order", round=state.name(state.open.number), expected="no open round", found="bank")
    if entry["why"] == "first":
        _check_first(audit, state, entry, line)
    else:
        _check_move(audit, state, entry, line)


def _check_first(audit: Audit, state: TableState, entry: Entry, line: bytes) -> None:
    """PO-04: dealt from a shoe of its own until it falls to somebody."""
    shoe = audit.shoes.get(entry.get("shoe", ""))
    cards = entry.get("cards", [])
    own = shoe is not None and shoe.table is state and state.live[0] is shoe
    if shoe is None or not own or shoe.purpose != "bank" or shoe.seal is None or shoe.rounds:
        audit.find("step-out-of-order", round=state.id, field="shoe", expected="a sealed shoe for the first banker")
        return
    if not state.rules.needs_first_bank(state.table):
        audit.find(
            "bank-differs", round=state.id, field="why", expected="no first banker: the bank is held", found="first"
        )
        return
    source = Dealt(cards, position=0, present=len(shoe.deck), size=len(shoe.deck))
    try:
        seat, dealt = state.rules.first_bank(state.table, source)
    except (RuleError, IndexError, KeyError):
        audit.find("bank-differs", round=state.id, field="cards", expected="cards until one decides", found=cards)
        seat, dealt = entry["to"], cards
    expected = bank_entry(entry["at"], state.id, "first", seat, shoe=shoe.id, cards=dealt)
    audit.compare(expected, entry, line, lambda _: "bank-differs", state.id)
    audit.report.cards += len(cards)
    shoe.rounds.append(DealtRound(0, audit.index, 0, cards, len(cards), len(shoe.deck)))
    shoe.position = len(cards)
    _follow_bank(state, entry)


def _check_move(audit: Audit, state: TableState, entry: Entry, line: bytes) -> None:
    for shoe in state.live:
        shoe.bank_moved = True
    try:
        between = settle_bank(state.table, [decision_of(form) for form in entry.get("decisions", ())])
    except IllegalDecision as error:
        audit.refused("decision-illegal", error, state.id)
        _follow_bank(state, entry)
        return
    if between.ask is not None:
        audit.find("decision-missing", round=state.id, field="decisions", expected=between.ask.legal)
        _follow_bank(state, entry)
        return
    expected = bank_move_entry(entry["at"], state.id, between)
    state.table = between.result.table
    if not audit.compare(expected, entry, line, lambda _: "bank-differs", state.id):
        _follow_bank(state, entry)


def _follow_bank(state: TableState, entry: Entry) -> None:
    if entry["to"] in state.table.players:
        state.table = state.table.after({}, bank=entry["to"], memory={})
    follow_chips(state, entry.get("chips"))
