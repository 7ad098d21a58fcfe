"""Every kind of entry and every code of finding, by name: what is not named here is not known.

A kind is a file of `kinds` with `KIND`, `SHAPE`, `check` and `CODES`. One that a log is made of has `quick` too, which
takes its lines without parsing; `STARTS` are the seven characters after the time by which such a line is known.
"""

from __future__ import annotations

from .codes import before, evidence, shared
from .findings.finding import CATALOGUE
from .findings.report import Report
from .kinds import (
    bank,
    chips,
    close,
    deck,
    lapse,
    late,
    lost,
    open,
    opened,
    reshuffle,
    reveal,
    round,
    seal,
    seeds,
    shoe,
    start,
    table,
    void,
)
from .walk.audit import Audit, Handler, Quick
from .walk.shapes import KINDS

ENTRIES = (
    *(table, chips, close, start),
    *(deck, shoe, seeds, opened, lapse, late, seal, reshuffle, reveal, void, lost),
    *(bank, open, round),
)
CODES = (evidence.CODES, before.CODES, shared.CODES, *(each.CODES for each in ENTRIES))

KINDS.update({each.KIND: each.SHAPE for each in ENTRIES})
CATALOGUE.update({code.code: code for codes in CODES for code in codes})
HANDLERS: dict[str, Handler] = {each.KIND: each.check for each in ENTRIES}
QUICK: dict[str, Quick] = {each.STARTS: each.quick for each in (shoe, open, round)}


def new_audit(report: Report) -> Audit:
    """An audit that knows every kind."""
    return Audit(report, HANDLERS, QUICK)


__all__ = ["CATALOGUE", "HANDLERS", "KINDS", "QUICK", "new_audit"]
