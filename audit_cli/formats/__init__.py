"""One file a format of the report: its `NAME`, and `render(report, *, everything, colour)` to text that
ends with a LF. A file that begins with `_` is no format."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from ..findings.report import Report


class Format(Protocol):
    """Makes a report's text. `everything`: each finding, not only groups; `colour`: for a terminal that shows it."""

    def __call__(self, report: Report, *, everything: bool = False, colour: bool = False) -> str: ...


FORMATS: dict[str, Format] = {}

for _info in iter_modules(__path__):
    if _info.name.startswith("_"):
        continue
    _module = import_module(f"{__name__}.{_info.name}")
    FORMATS[_module.NAME] = _module.render
