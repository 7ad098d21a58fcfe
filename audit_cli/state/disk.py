"""What does not fit into memory goes to the disk; where that is full it is nobody's fault but the machine's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import gettempdir

from fairshoe.errors import LogError


@contextmanager
def told_of_the_disk() -> Iterator[None]:
    """What the disk refuses is no finding about a log. Raises LogError."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        remedy = "free space there, or name another folder in TMPDIR"
        raise LogError(f"cannot keep what was read: {error}", where=gettempdir(), remedy=remedy) from None
