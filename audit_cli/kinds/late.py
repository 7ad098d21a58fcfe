"""`late`: the seed of a shoe that is void, or was dealt without it, is handed in."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from fairshoe.ceremony.fold import take
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.record.forms import table_of

from ..findings.finding import Code
from ..walk.shapes import identifier, seed, shape

if TYPE_CHECKING:
    from ..walk.audit import Audit

KIND = "late"
SHAPE = shape(shoe=identifier, player=identifier, seed=seed)
CODES = (
    Code(
        "seed-not-owed",
        "contributions",
        "an entry was moved, doubled or invented",
        "A seed is handed in once, by whoever owes it, and named after its own shoe.",
    ),
)


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    try:
        name = table_of(entry["shoe"])[0]
    except InputError:
        name = entry["shoe"]
    state = audit.table(name)
    if state is None:
        return
    place = state.place._replace(shoe=entry["shoe"])
    audit.report.checked("contributions")
    audit.count(state, None, entry)
    debt = state.book.debts.get(entry["player"])
    owed = {} if debt is None else debt.seeds
    if entry["shoe"] not in owed:
        audit.find("seed-not-owed", place, field="player", expected=list(islice(owed, 8)), found=entry["player"])
        return
    digest = sha256(bytes.fromhex(entry["seed"])).hexdigest()
    if digest != owed[entry["shoe"]]:
        audit.find("seed-mismatch", place, field="seed", expected=owed[entry["shoe"]], found=digest)
    take(state.book, state.book.shoe, entry)
