"""`opened`: a contributor opens the seed, in turn, as its hash was published; with a sole player's comes the cut."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from fairshoe.ceremony.contributing import openers
from fairshoe.ceremony.fold import take
from fairshoe.log.canonical import Entry

from ..findings.finding import Code
from ..walk.shapes import cut, identifier, seed, shape
from ..walk.state import Shoe
from ..walk.times import check_late
from .seeds import check_chosen

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "opened"
SHAPE = shape({"cut": cut}, shoe=identifier, player=identifier, seed=seed)
CODES: tuple[Code, ...] = ()


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    told, player = shoe.told, entry["player"]
    check_late(audit, shoe, entry["at"])
    if not check_turn(audit, shoe, player, "opened"):
        return
    digest = sha256(bytes.fromhex(entry["seed"]))
    if told.alone:
        _check_sole(audit, shoe, entry, digest.digest())
    else:
        if digest.hexdigest() != told.hashes[player]:
            wanted, found = told.hashes[player], digest.hexdigest()
            audit.find("seed-mismatch", shoe.place, field="seed", expected=wanted, found=found)
        if "cut" in entry:
            audit.find("cut-differs", shoe.place, field="cut", expected="no cut but in `seeds`", found=entry["cut"])
            entry = {name: value for name, value in entry.items() if name != "cut"}
    take(shoe.book, told, entry)


def _check_sole(audit: Audit, shoe: Shoe, entry: Entry, digest: bytes) -> None:
    """A sole player sent no hash, and cuts now."""
    if not audit.hashes.add(digest):
        wanted = "a seed that was not used before"
        audit.find("seed-reused", shoe.place, field="seed", expected=wanted, found=entry["seed"])
    if "cut" in entry:
        shoe.cut_line = audit.index
        check_chosen(audit, shoe, entry["cut"], [entry["player"]])


def check_turn(audit: Audit, shoe: Shoe, player: str, kind: str) -> bool:
    """Whether the opening has begun and this contributor's seed is still to come; also report whose turn it is not."""
    told = shoe.told
    audit.report.checked("contributions")
    if told.sealed or not told.opening:
        audit.wrong_step(shoe.place, "a shoe whose opening has begun", kind)
    waited = openers(shoe.book, told)
    if player not in waited:
        audit.find("seed-uninvited", shoe.place, field="player", expected=waited, found=player)
        promised = told.roster if told.alone else told.hashes
        return player in promised and player not in told.struck and player not in told.opened
    if waited[0] != player:
        audit.find("seed-out-of-turn", shoe.place, field="player", expected=waited[0], found=player)
    return True
