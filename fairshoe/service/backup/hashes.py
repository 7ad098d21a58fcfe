"""Hashes of client seeds in entries: each may stand once in a log."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from ...log.canonical import Entry


def hashes_in(entry: Entry) -> Iterator[str]:
    """Those that an entry brings: of `seeds`, and of the seed in `opened`: a sole player sent no hash."""
    if entry["kind"] == "seeds":
        yield from entry["hashes"].values()
    elif entry["kind"] == "opened":
        yield sha256(bytes.fromhex(entry["seed"])).hexdigest()
