"""`seeds`: the hash of each contributor's seed, and the cut, before any seed is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairshoe.ceremony import follow
from fairshoe.ceremony.book import Cut
from fairshoe.ceremony.contributing import cut_range, cutters, is_cut, unheard
from fairshoe.ceremony.ending import may_begin_shoe
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.lateness import check_late, check_limit
from ..walk.shapes import cut, hex32, identifier, map_of, shape, some
from ..walk.state import Shoe

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "seeds"
SHAPE = shape({"cut": cut}, shoe=identifier, hashes=some(map_of(hex32)))
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    told, hashes, at = shoe.told, entry["hashes"], entry["at"]
    audit.report.checked("contributions")
    audit.count(shoe.table, shoe, entry)
    check_late(audit, shoe, at)
    if told.alone or told.hashed or told.opening or told.sealed:
        audit.wrong_step(shoe.place, "hashes once, unless the only player of a one-round shoe sits alone", "seeds")
        return
    if shoe.book is not None and not may_begin_shoe(shoe.book, at):
        audit.find("table-closed", shoe.place, expected="the shoe void, since the table is closed", found=shoe.id)
    for who, value in hashes.items():
        field = f"hashes.{who}"
        if who not in told.roster or who in told.struck:
            invited = [name for name in told.roster if name not in told.struck]
            audit.find("seed-uninvited", shoe.place, field=field, expected=invited, found=who)
        if not audit.hashes.add(bytes.fromhex(value)):
            audit.find("seed-reused", shoe.place, field=field, expected="a hash that stands once", found=value)
    _check_limits(audit, shoe, entry)
    chosen = entry.get("cut")
    if chosen is not None:
        check_chosen(audit, shoe, chosen, hashes)
    invited_hashes = {who: value for who, value in hashes.items() if who in told.roster}
    follow.hashed(shoe.book, told, at, invited_hashes, cut_of(chosen))


def _check_limits(audit: Audit, shoe: Shoe, entry: Entry) -> None:
    """Whoever is waited for and sent nothing had the time to."""
    told, book, hashes, at = shoe.told, shoe.book, entry["hashes"], entry["at"]
    if unheard(book, told, hashes) if book is not None else set(told.roster) - hashes.keys():
        check_limit(audit, shoe.place, at, told.at, told.policy.hash, "a hash is missing")
    if told.cutter is not None and told.cutter in hashes and "cut" not in entry and is_cut(told):
        seat = None if book is None else book.seat_of(told.cutter)
        if book is None or (seat is not None and not book.chairs[seat].absent):
            check_limit(audit, shoe.place, at, told.at, told.policy.cut, "the cut is missing")


def check_chosen(audit: Audit, shoe: Shoe, chosen: dict[str, Any], invited: dict[str, Any]) -> None:
    """A cut that a player chose: one who may cut and contributes, within the rules' range, of a deck that is cut."""
    told, book = shoe.told, shoe.book
    audit.report.checked("contributions")
    if not is_cut(told):
        audit.find("cut-differs", shoe.place, field="cut", expected="no cut of this deck", found=chosen)
    able = [who for who in cutters(book, told) if who in invited]
    if chosen.get("by") not in able:
        audit.find("cut-differs", shoe.place, field="cut.by", expected=able, found=chosen.get("by"))
    low, high = cut_range(None if book is None else book.rules, told)
    if not low <= chosen["at"] <= high:
        audit.find("cut-differs", shoe.place, field="cut.at", expected=f"{low} to {high}", found=chosen["at"])


def cut_of(form: dict[str, Any] | None) -> Cut | None:
    return None if form is None else Cut(form["at"], form.get("by"))
