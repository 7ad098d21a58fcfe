"""`shoe`: a commitment, with the roster, the draws and the cutter that the table's rules prescribe."""

from __future__ import annotations

from fairshoe.cards import named_deck
from fairshoe.engine.bank import settle_bank
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.protocol.deck import Deck
from fairshoe.protocol.draws import check_draws
from fairshoe.protocol.transcript import MAX_CONTRIBUTORS
from fairshoe.record.entries import shoe_entry
from fairshoe.record.forms import table_of

from ..audit import Audit
from ..state import Shoe, TableState

KIND = "shoe"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    name = entry["shoe"]
    if name in audit.shoes or name in audit.ended:
        audit.find("number-gap", field="shoe", expected="a new shoe", found=name)
        return
    deck = _deck(audit, entry)
    if deck is None:
        return
    audit.report.checked("order", "completeness")
    if not audit.unique(audit.commitments, bytes.fromhex(entry["commitment"])):
        audit.find("commitment-reused", field="commitment", found=entry["commitment"])
    state = _table(audit, name)
    shoe = Shoe(
        id=name,
        table=state,
        index=audit.index,
        at=entry["at"],
        commitment=entry["commitment"],
        deck=deck,
        roster=entry["roster"],
        draws=entry["draws"],
        cutter=entry.get("cutter"),
        purpose=entry.get("purpose"),
        beacon=entry.get("beacon"),
        present=len(deck),
    )
    audit.shoes[name] = shoe
    if state is None:
        _check_alone(audit, entry)
    else:
        _check_table(audit, state, entry, line)
        state.live.append(shoe)


def _deck(audit: Audit, entry: Entry) -> Deck | None:
    name = entry["deck"]
    try:
        deck = audit.decks.get(name) or named_deck(name)
    except InputError as error:
        audit.refused("shoe-differs", error, found=name)
        return None
    if len(deck) != entry["cards"]:
        audit.find("shoe-differs", field="cards", expected=len(deck), found=entry["cards"])
    return deck


def _table(audit: Audit, name: str) -> TableState | None:
    try:
        table, number = table_of(name)
    except InputError:
        return None
    state = audit.tables.get(table)
    if state is not None:
        if number != state.shoes + 1:
            audit.find("number-gap", round=state.id, field="shoe", expected=state.shoes + 1, found=number)
        state.shoes = max(state.shoes, number)
    return state


def _check_alone(audit: Audit, entry: Entry) -> None:
    """A shoe without a table: nothing prescribes its draws and contributors, but they must be well formed."""
    try:
        check_draws(entry["draws"], entry["cards"])
    except InputError as error:
        audit.refused("shoe-differs", error)
    roster, cutter = entry["roster"], entry.get("cutter")
    if len(set(roster)) != len(roster) or len(roster) > MAX_CONTRIBUTORS:
        audit.find("shoe-differs", field="roster", expected=f"at most {MAX_CONTRIBUTORS}, each once", found=roster)
    if cutter is not None and cutter not in roster:
        audit.find("shoe-differs", field="cutter", expected=roster, found=cutter)
    if "purpose" in entry:
        audit.find("shoe-differs", field="purpose", found=entry["purpose"])


def _check_table(audit: Audit, state: TableState, entry: Entry, line: bytes) -> None:
    rules, table = state.rules, state.table
    if state.closed:
        audit.find("table-closed", round=state.id, found=entry["shoe"])
    if len(state.live) > 1 or any(shoe.seal is None for shoe in state.live):
        audit.find("step-out-of-order", round=state.id, field="shoe", expected="the shoe before it sealed")
    for_bank = rules.needs_first_bank(table)
    if not for_bank and rules.one_round:
        check_bank_settled(audit, state)
    roster = [table.players[chair] for chair in sorted(table.players)]
    if state.out in roster:
        roster.remove(state.out)
    state.out = None
    cutter = None
    if rules.cut_range() is not None and table.players:
        cutter = table.players.get(rules.cutter(table, state.shoes))
    expected = shoe_entry(
        entry["at"],
        entry["shoe"],
        deck=rules.deck,
        cards=rules.cards,
        commitment=entry["commitment"],
        roster=roster,
        draws=rules.draws(),
        cutter=cutter if cutter in roster else None,
        purpose="bank" if for_bank else None,
        beacon=entry.get("beacon"),
    )
    audit.compare(expected, entry, line, lambda _: "shoe-differs", state.id)


def check_bank_settled(audit: Audit, state: TableState) -> None:
    """The rules' moves of the bank must have been made and logged."""
    between = settle_bank(state.table)
    if between.ask is not None or between.result.why:
        audit.find("bank-not-settled", round=state.id, expected=between.result.why or "a decision about the bank")
