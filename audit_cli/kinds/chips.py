"""`chips`: buy-in, cash-out, transfer, refund; who sits where follows from them."""

from __future__ import annotations

from fairshoe.engine.chips import changed_accounts, move_chips
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import chips_entry

from ..audit import Audit
from ..differ import Difference
from ..follow import follow_chips, follow_seat

KIND = "chips"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(entry)
    if state is None:
        return
    audit.report.checked("chips")
    if state.open is not None:
        audit.find("chips-not-allowed", round=state.name(state.open.number), found=entry["op"])
    op, seat, player, amount = entry["op"], entry["seat"], entry["player"], entry["amount"]
    to, leaves = entry.get("to"), entry.get("leaves", False)
    before = state.table
    try:
        state.table = move_chips(before, op, seat, player, amount, to=to, leaves=leaves)
    except RuleError as error:
        code = "seat-differs" if error.where in ("seat", "player", "to") else "chips-differ"
        audit.refused(code, error, state.id)
        follow_seat(state, entry)
        follow_chips(state, entry["chips"])
        return
    accounts = changed_accounts(before, state.table, seat)
    expected = chips_entry(entry["at"], state.id, op, seat, player, amount, accounts, to=to, leaves=leaves)
    if not audit.compare(expected, entry, line, _code, state.id):
        follow_chips(state, entry["chips"])


def _code(difference: Difference) -> str:
    return "chips-differ" if difference.path.startswith("chips") else "field-invalid"
