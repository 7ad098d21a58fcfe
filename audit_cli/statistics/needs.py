"""numpy and scipy, of the extra `stats`, or an error that says how to get them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..extras import missing


def load(name: str) -> Any:
    """A module of the extra `stats`. Raises InputError where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise missing("stats", "shuffle statistics", name.partition(".")[0]) from None


load("numpy")
distributions = load("scipy.stats")
"""scipy.stats."""
solvers = load("scipy.optimize")
"""scipy.optimize."""
