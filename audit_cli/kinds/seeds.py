"""`seeds`: the hash of each contributor's seed, and the cut, before any seed is opened."""

from __future__ import annotations

from typing import Any

from fairshoe.log.canonical import Entry

from ..audit import Audit
from ..state import Shoe

KIND = "seeds"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    audit.report.checked("contributions")
    place = shoe.table.id if shoe.table else None
    if shoe.hashes is not None or shoe.seal is not None or len(shoe.roster) < 2:
        audit.find("step-out-of-order", round=place, found="seeds", expected="hashes once, of two or more contributors")
    for who in entry["hashes"]:
        if who not in shoe.roster:
            audit.find("seed-uninvited", round=place, field=f"hashes.{who}", expected=shoe.roster, found=who)
    shoe.hashes = entry["hashes"]
    shoe.cut = entry.get("cut")
    if shoe.cut is not None:
        check_chosen(audit, shoe, shoe.cut)


def check_chosen(audit: Audit, shoe: Shoe, cut: dict[str, Any]) -> None:
    """A cut that a player chose: by the cutter, within the rules' range."""
    cutter = shoe.cutter
    if shoe.table is None:
        low, high, cutter = 0, len(shoe.deck) - 1, cutter or _contributor(shoe, cut)
    else:
        low, high = shoe.table.rules.cut_range() or (0, -1)
    place = shoe.table.id if shoe.table else None
    if cut.get("by") is None or cut["by"] != cutter:
        audit.find("cut-differs", round=place, field="cut.by", expected=cutter, found=cut.get("by"))
    if not low <= cut["at"] <= high:
        audit.find("cut-differs", round=place, field="cut.at", expected=f"{low} to {high}", found=cut["at"])


def _contributor(shoe: Shoe, cut: dict[str, Any]) -> str:
    """Without a table any contributor may cut, unless the commitment named one."""
    by: str = cut.get("by", "")
    return by if by in shoe.roster else "a contributor"
