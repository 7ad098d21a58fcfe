"""`seeds`: the hash of each contributor's seed, and the cut, before any seed is opened."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from fairshoe.ceremony.contributing import cut_range, cutters, is_cut, unheard
from fairshoe.ceremony.ending import may_begin_shoe
from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import cut, hex32, identifier, list_of, map_of, shape, some
from ..walk.state import Shoe
from ..walk.times import check_late, check_limit

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "seeds"
SHAPE = shape({"cut": cut, "unheard": list_of(identifier)}, shoe=identifier, hashes=some(map_of(hex32)))
CODES = (
    Code(
        "seeds-differ",
        "contributions",
        "the house hides whom it waited for and did not hear, or names somebody whom it did not wait for",
        "`unheard` are those of the roster who are waited for and whose hash is missing, in the roster's order.",
    ),
)


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
    if "cut" in entry:
        shoe.cut_line = audit.index
        check_chosen(audit, shoe, entry["cut"], hashes)
    take(shoe.book, told, entry | {"hashes": {who: value for who, value in hashes.items() if who in told.roster}})


def _check_limits(audit: Audit, shoe: Shoe, entry: Entry) -> None:
    """Whoever is waited for and sent nothing is named, and had the time to."""
    told, book, hashes, at = shoe.told, shoe.book, entry["hashes"], entry["at"]
    started = audit.started(shoe)
    silent = unheard(book, told, hashes)
    if entry.get("unheard", []) != silent:
        audit.find("seeds-differ", shoe.place, field="unheard", expected=silent, found=entry.get("unheard"))
    if silent:
        check_limit(audit, shoe.place, at, told.at, started, told.policy.hash, "a hash is missing")
    if told.cutter is not None and told.cutter in hashes and "cut" not in entry and is_cut(told):
        seat = None if book is None else book.seat_of(told.cutter)
        if book is None or (seat is not None and not book.chairs[seat].absent):
            check_limit(audit, shoe.place, at, told.at, started, told.policy.cut, "the cut is missing")


def check_chosen(audit: Audit, shoe: Shoe, chosen: dict[str, Any], invited: Container[str]) -> None:
    """A cut that a player chose: one who may cut and contributes, within the rules' range, of a deck that is cut."""
    told, book = shoe.told, shoe.book
    audit.report.checked("contributions")
    if not is_cut(told):
        audit.find("cut-differs", shoe.place, field="cut", expected="no cut of this deck", found=chosen)
    able = [who for who in cutters(book, told) if who in invited]
    if chosen["by"] not in able:
        audit.find("cut-differs", shoe.place, field="cut.by", expected=able, found=chosen["by"])
    low, high = cut_range(None if book is None else book.rules, told)
    if not low <= chosen["at"] <= high:
        audit.find("cut-differs", shoe.place, field="cut.at", expected=f"{low} to {high}", found=chosen["at"])
