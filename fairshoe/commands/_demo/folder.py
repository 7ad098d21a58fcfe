"""The directory that a demonstration writes: one that is new, or that an earlier one has marked as its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...errors import InputError

MARK = ".fairshoe-demo"
RECEIPTS, PROOF, PAGE = "alice.receipts", "hand.json", "verify.html"
"""What the first player keeps."""
TEXT = (
    f"`fairshoe demo` wrote log.jsonl, checkpoint, log.vkey, {RECEIPTS}, {PROOF} and {PAGE} here, and replaces them "
    "when it is run again.\n"
)
REMEDY = "name another directory with --out"


@contextmanager
def own_folder(path: Path) -> Iterator[None]:
    """Make and mark the directory; without a trace of it where what follows fails. Raises InputError."""
    mark = path / MARK
    try:
        new = not path.exists()
        path.mkdir(parents=True, exist_ok=True)
        marked = mark.exists()
        if not marked and any(path.iterdir()):
            what = "there is something that no demo wrote"
            raise InputError(what, where=str(path), expected="a new or empty directory", remedy=REMEDY)
        mark.write_text(TEXT)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", where=str(path), remedy=REMEDY) from None
    try:
        yield
    except BaseException:
        if not marked:
            mark.unlink(missing_ok=True)
        if new:
            with suppress(OSError):
                path.rmdir()
        raise
