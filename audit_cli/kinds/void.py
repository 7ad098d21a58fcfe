"""`void`: a shoe is closed before its deal; only before its seal, for a reason that the ceremony knows."""

from __future__ import annotations

from fairshoe.log.canonical import Entry

from ..audit import Audit, aged
from ..state import Shoe, TableState

KIND = "void"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    state = shoe.table
    place = state.id if state else None
    audit.report.checked("commitment", "completeness")
    audit.key_fits(shoe, entry["key"])
    if shoe.seal is not None or not _reason(state, shoe, entry) or _bets_stand(state, shoe, entry):
        audit.find(
            "void-not-allowed", round=place, field="why", expected="a reason before the seal", found=entry["why"]
        )
    else:
        audit.find("shoe-void", round=place, field="why", found=entry["why"])
    if state is not None:
        _close_round(audit, state, shoe, entry)
        state.out = entry.get("by") if entry["why"] == "seed" else None
        if entry["why"] == "closing":
            state.closed = True
    audit.end(shoe)


def _reason(state: TableState | None, shoe: Shoe, entry: Entry) -> bool:
    why, by = entry["why"], entry.get("by")
    if by is not None and why not in ("seed", "reshuffle"):
        return False
    if why == "seed":
        return by in (shoe.hashes or ())
    if why == "reshuffle":
        return state is None or by in state.seat_of
    if why == "age":
        return state is not None and aged(state, shoe.at, entry["at"])
    return bool(why == "closing")


def _bets_stand(state: TableState | None, shoe: Shoe, entry: Entry) -> bool:
    """Whether a round was opened that only a late seed may close again, or a request while others have yet to open
    theirs: a sole contributor's bet is its seal."""
    if state is None or state.open is None or state.live[0] is not shoe or entry["why"] == "seed":
        return False
    return entry["why"] != "reshuffle" or len(shoe.roster) < 2


def _close_round(audit: Audit, state: TableState, shoe: Shoe, entry: Entry) -> None:
    opened = state.open if state.live and state.live[0] is shoe else None
    number = None if opened is None else opened.number
    if entry.get("round") != number:
        audit.find("step-out-of-order", round=state.id, field="round", expected=number, found=entry.get("round"))
    if opened is not None:
        state.open = None
