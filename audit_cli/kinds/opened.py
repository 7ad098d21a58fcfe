"""`opened`: a contributor opens the seed, in turn, as its hash was published."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from fairshoe.ceremony import follow
from fairshoe.ceremony.book import one_round
from fairshoe.ceremony.contributing import openers
from fairshoe.ceremony.ending import may_begin_shoe
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.lateness import check_late
from ..walk.shapes import identifier, seed, shape
from ..walk.state import Shoe

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "opened"
SHAPE = shape(shoe=identifier, player=identifier, seed=seed)
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    told, player = shoe.told, entry["player"]
    check_late(audit, shoe, entry["at"])
    if not check_turn(audit, shoe, player, "opened"):
        return
    digest = sha256(bytes.fromhex(entry["seed"])).hexdigest()
    if digest != told.hashes[player]:
        audit.find("seed-mismatch", shoe.place, field="seed", expected=told.hashes[player], found=digest)
    follow.opened(shoe.book, told, entry["at"], player, entry["seed"])


def _check_open(audit: Audit, shoe: Shoe) -> None:
    """A shoe whose turn comes after the closing is void; where it serves one round its `open` is found already."""
    book, told = shoe.book, shoe.told
    if book is None or not book.closed or one_round(book, told) or told.asked != told.opening:
        return
    if told.opening > book.closed and not may_begin_shoe(book, told.opening):
        audit.find("table-closed", shoe.place, expected="the shoe void, since the table is closed", found=shoe.id)


def check_turn(audit: Audit, shoe: Shoe, player: str, kind: str) -> bool:
    """Whether the opening has begun and this contributor's seed is still to come; also report whose turn it is not."""
    told = shoe.told
    audit.report.checked("contributions")
    audit.take_turn(shoe, kind)
    if told.sealed or not told.opening:
        audit.wrong_step(shoe.place, "a shoe whose opening has begun", kind)
    _check_open(audit, shoe)
    waited = openers(shoe.book, told)
    if player not in waited:
        audit.find("seed-uninvited", shoe.place, field="player", expected=waited, found=player)
        return player in told.hashes and player not in told.struck and player not in told.opened
    if waited[0] != player:
        audit.find("seed-out-of-turn", shoe.place, field="player", expected=waited[0], found=player)
    return True
