"""One file a kind of entry: its `KIND`, its `SHAPE`, `check(audit, entry, line)`, and the `CODES` that arise there.

Standing here makes it known: to the walk, to the shapes, to the catalogue of codes.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ..findings.finding import Code
from ..walk.shapes import KINDS

if TYPE_CHECKING:
    from ..findings.report import Report
    from ..walk.audit import Audit, Handler, Quick

HANDLERS: dict[str, Handler] = {}
QUICK: dict[str, Quick] = {}
"""By the seven characters after the time: the kinds that a log is made of are checked without parsing."""
CODES: list[Code] = []

for _info in iter_modules(__path__):
    _module = import_module(f"{__name__}.{_info.name}")
    KINDS[_module.KIND] = _module.SHAPE
    HANDLERS[_module.KIND] = _module.check
    CODES += _module.CODES
    if hasattr(_module, "quick"):
        QUICK[_module.STARTS] = _module.quick


def new_audit(report: Report) -> Audit:
    """An audit with every handler."""
    from ..walk.audit import Audit

    return Audit(report, HANDLERS, QUICK)
