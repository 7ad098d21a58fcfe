"""Choice of the kernel for shuffles and hashes: in C where it was built, else Python; both give the same bytes. The C
one hashes only where the processor has instructions for that."""

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
