"""Which of the two goes from words to order, and hashes: the kernel in C where it was built, else Python.

It hashes only where the processor has instructions for that. The two give the same, byte for byte; the tests hold them
against each other.
"""

from __future__ import annotations

try:
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

__all__ = ["RUNS", "hkdf", "order", "sha256_each"]
