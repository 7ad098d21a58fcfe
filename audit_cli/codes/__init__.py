"""Every code of finding: here those of the frame and those that several kinds share, the others in their kinds."""

from importlib import import_module
from pkgutil import iter_modules

from ..findings.finding import Code
from ..kinds import CODES

CATALOGUE: dict[str, Code] = {}

for _module in iter_modules(__path__):
    for _code in import_module(f"{__name__}.{_module.name}").CODES:
        CATALOGUE[_code.code] = _code
for _code in CODES:
    CATALOGUE[_code.code] = _code
