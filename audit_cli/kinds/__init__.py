"""One file a kind of entry, with `KIND` and `check(audit, entry, line)`; standing here makes it a handler."""

from importlib import import_module
from pkgutil import iter_modules

from ..audit import Audit, Handler, Quick
from ..report import Report

HANDLERS: dict[str, Handler] = {}
QUICK: dict[str, Quick] = {}
"""By the seven characters after the time: the kinds that a log is made of are checked without parsing."""

for _info in iter_modules(__path__):
    _module = import_module(f"{__name__}.{_info.name}")
    HANDLERS[_module.KIND] = _module.check
    if hasattr(_module, "quick"):
        QUICK[_module.STARTS] = _module.quick


def new_audit(report: Report) -> Audit:
    """An audit with every handler."""
    return Audit(report, HANDLERS, QUICK)
