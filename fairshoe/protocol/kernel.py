"""Which of the two goes from words to order: the kernel in C where it was built, else Python.

FAIRSHOE_PURE=1 leaves the kernel out. The two give the same, byte for byte; the tests hold them against each other.
"""

from __future__ import annotations

import os

VARIABLE = "FAIRSHOE_PURE"

try:
    if os.environ.get(VARIABLE, "0") not in ("", "0"):
        raise ImportError(f"{VARIABLE} is set")
    from ._kernel import order

    RUNS = "kernel: C"
except ImportError:
    from .order import order

    RUNS = "kernel: none, pure Python"

__all__ = ["RUNS", "VARIABLE", "order"]
