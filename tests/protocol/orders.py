"""Orders made by the kernel in C and by Python, and words that somebody chose."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

both = pytest.mark.usefixtures("made_by")
"""A test that runs twice: once with the kernel in C, once with Python."""


def packed(words: Iterable[int]) -> bytes:
    """A stream of these words."""
    return b"".join(word.to_bytes(4, "big") for word in words)
