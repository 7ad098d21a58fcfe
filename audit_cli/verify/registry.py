"""Every kind of entry (`KINDS`) and every code of finding (`CODES`) of the files in `kinds`, by name."""

from __future__ import annotations

from .findings.codes import EVIDENCE, SHARED
from .findings.finding import CATALOGUE
from .findings.report import Report
from .kinds import chips, contributions, drawing, open, placement, reveal, round, shoe, table
from .walk.audit import Audit, FastPath, Handler
from .walk.shapes import KINDS

FILES = (table, chips, shoe, contributions, drawing, reveal, open, round, placement)
ENTRIES = [kind for file in FILES for kind in file.KINDS]
CODES = (EVIDENCE, SHARED, *(file.CODES for file in FILES))

KINDS.update({kind.name: kind.shape for kind in ENTRIES})
CATALOGUE.update({code.code: code for codes in CODES for code in codes})
HANDLERS: dict[str, Handler] = {kind.name: kind.check for kind in ENTRIES}
FAST_PATHS: dict[str, FastPath] = {kind.starts: kind.fast_path for kind in ENTRIES if kind.fast_path is not None}


def new_audit(report: Report) -> Audit:
    """An audit that knows every kind."""
    return Audit(report, HANDLERS, FAST_PATHS)


__all__ = ["CATALOGUE", "FAST_PATHS", "HANDLERS", "KINDS", "new_audit"]
