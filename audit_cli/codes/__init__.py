"""Every code of finding, one file a group. A module here that defines `CODES` is part of the catalogue."""

from importlib import import_module
from pkgutil import iter_modules

from ..findings import Code

CATALOGUE: dict[str, Code] = {}

for _module in iter_modules(__path__):
    for _code in import_module(f"{__name__}.{_module.name}").CODES:
        CATALOGUE[_code.code] = _code
