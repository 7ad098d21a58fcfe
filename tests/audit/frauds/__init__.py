"""Frauds of a house that holds the signing key and rewrites what follows: in files by what they touch."""

from importlib import import_module
from pkgutil import iter_modules

from ..planting import FRAUDS

for file in iter_modules(__path__):
    import_module(f"{__name__}.{file.name}")

__all__ = ["FRAUDS"]
