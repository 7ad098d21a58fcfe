"""A file that a player's browser saves, its evidence or its seat, unpacked into proof, receipts and checkpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import FairshoeError, InputError
from fairshoe.terminal.files import begins_with, read_bytes

EVIDENCE_BEGINS = b'{"kind":"fairshoe evidence","v":1,'
SEAT_BEGINS = b'{"kind":"fairshoe seat","v":1,'
MAX_SAVED_BYTES = 1 << 26
"""Bytes of such a file."""


class BrowserEvidence(NamedTuple):
    """`proof` is None where the file is about a table; `checkpoint` where the browser was shown none."""

    proof: Path | None
    receipts: Path
    checkpoint: Path | None


def is_saved(path: Path) -> bool:
    """Whether a file begins as what a browser saves. Raises InputError where it cannot be read."""
    return begins_with(path, EVIDENCE_BEGINS) or begins_with(path, SEAT_BEGINS)


@contextmanager
def unpack(path: Path) -> Iterator[BrowserEvidence]:
    """Its parts, as long as this lasts. Raises InputError."""
    try:
        form = json.loads(read_bytes(path, MAX_SAVED_BYTES))
        parts = _read_seat(form["kept"]) if form["kind"] == "fairshoe seat" else form
        parts = {name: parts[name] for name in ("proof", "receipts", "checkpoint")}
        if not all(type(part) is str or (part is None and name == "proof") for name, part in parts.items()):
            raise ValueError("a field of another type")
        texts = {name: part.encode() for name, part in parts.items() if part}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        expected = "texts proof, receipts and checkpoint"
        raise InputError(f"not what a browser saves: {error}", where=str(path), expected=expected) from None
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="fairshoe-") as folder:
        files = {name: Path(folder, name) for name in ("receipts", *texts)}
        for name, file in files.items():
            file.write_bytes(texts.get(name, b""))
        try:
            yield BrowserEvidence(files.get("proof"), files["receipts"], files.get("checkpoint"))
        except FairshoeError as error:
            if error.where.startswith(folder):
                error.where = str(path)  # nobody else knows the folder, which is gone
            raise


def _read_seat(kept: dict[str, Any]) -> dict[str, Any]:
    """The receipts of a seat that was taken along, the house's note about their key first. Raises KeyError."""
    notes = [kept["receipt-key"], *(note for name, note in sorted(kept.items()) if name.startswith("receipt "))]
    receipts = "".join(f"{json.dumps(note)}\n" for note in notes)
    return {"proof": None, "receipts": receipts, "checkpoint": kept.get("checkpoint", "")}
