"""Which of the two goes from words to order, and hashes: the kernel in C where it was built, else Python.

FAIRSHOE_PURE=1 leaves the kernel out, and it hashes only where the processor has instructions for that. The two give
the same, byte for byte; the tests hold them against each other.
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
    from .pure import order

    RUNS = "kernel: none, pure Python"

try:
    if RUNS != "kernel: C":
        raise ImportError(RUNS)
    from ._kernel import hkdf, sha256_each
except ImportError:
    from .pure import hkdf, sha256_each

__all__ = ["RUNS", "VARIABLE", "hkdf", "order", "sha256_each"]
