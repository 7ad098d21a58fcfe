"""One file a kind of entry, with `KIND` and `check(audit, entry, line)`; standing here makes it a handler."""

from importlib import import_module
from pkgutil import iter_modules

from ..audit import Handler

HANDLERS: dict[str, Handler] = {}

for _info in iter_modules(__path__):
    _module = import_module(f"{__name__}.{_info.name}")
    HANDLERS[_module.KIND] = _module.check
