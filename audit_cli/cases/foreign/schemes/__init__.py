"""The schemes: each module here has a list `SCHEMES`; a new family is a new file with real results in the tests."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from ..scheme import Scheme


@cache
def schemes() -> dict[str, Scheme]:
    """Return every scheme by its name."""
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return {scheme.name: scheme for module in modules for scheme in module.SCHEMES}
