"""Where a log that is published comes from: the service's data directory, or a copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, VerificationError
from ..log.checkpoint import open_checkpoint
from ..log.directory import CHECKPOINT, VERIFIER, read_lines, read_text
from ..log.export import Lines
from ..log.note import Verifier, verifier_of
from ..log.tree import Tree


class Published(NamedTuple):
    """A signed checkpoint, the key that signed it, the entries that it covers."""

    note: str
    verifier: Verifier
    lines: Lines


@contextmanager
def of_service(data: Path) -> Iterator[Published]:
    """The log as it is now, with the service running or not. Raises InputError, Unusable."""
    from ..service.house import DATABASE_FILE, open_house

    if not (data / DATABASE_FILE).exists():
        remedy = "name the directory with --data, or a copy of a log with --log"
        raise InputError("no data here", where=str(data), expected="the data directory of a service", remedy=remedy)
    house = open_house(data)
    try:
        sequencer = house.sequencer
        yield Published(sequencer.checkpoint(), sequencer.signer.verifier, sequencer.log_lines)
    finally:
        house.close()


@contextmanager
def of_copy(log: Path) -> Iterator[Published]:
    """The entries of a directory that its checkpoint covers. Raises InputError, VerificationError, LogError."""
    note, verifier = _text(log / CHECKPOINT), verifier_of(_text(log / VERIFIER))
    signed = open_checkpoint(note, verifier)

    def lines(start: int, stop: int) -> Iterator[bytes]:
        return (line.removesuffix(b"\n") for line in islice(read_lines(log), start, stop))

    tree = Tree()
    for line in lines(0, signed.size):
        tree.append(line)
    if (tree.size, tree.root) != (signed.size, signed.root):
        raise VerificationError(
            "the log is not what its checkpoint covers",
            where=str(log),
            expected=f"{signed.size} entries that hash to {signed.root.hex()}",
            remedy=f"fairshoe-audit verify {log} says more",
        )
    yield Published(note, verifier, lines)


def _text(path: Path) -> str:
    text = read_text(path)
    if text is None:
        raise InputError("no such file", where=str(path), expected=f"a log with {CHECKPOINT} and {VERIFIER}")
    return text
