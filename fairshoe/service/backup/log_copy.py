"""A copy of the log that somebody kept: how far it goes on from a backup, and that the house signed that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from ...errors import InputError, VerificationError
from ...log.checkpoint import Checkpoint, open_checkpoint
from ...log.directory import CHECKPOINT, read_lines, read_text
from ...log.note import Verifier
from ...log.tree import Tree
from ..errors import StorageError
from ..store.journal import read_head
from .database_files import snapshot
from .stored_log import stored_lines

SQLITE = b"SQLite format 3\0"
"""How a database file begins."""


class LogCopy:
    """A directory that was pulled or exported, a `log.jsonl`, or a database that is damaged elsewhere; `size` of its
    entries the house is known to have signed, and they begin with those of the backup."""

    def __init__(self, path: Path, backup: Checkpoint, verifier: Verifier, known: Sequence[Checkpoint]) -> None:
        """`known` are heads that the house signed. Raises VerificationError, InputError, LogError."""
        self._path = path
        own = self._own(verifier)
        signed = [*known, *([] if own is None else [own])]
        roots = self._roots({backup.size, *(head.size for head in signed)})
        if roots.get(backup.size, backup.root) != backup.root:
            raise VerificationError(
                f"its first {backup.size} entries are not those of the backup",
                where=str(path),
                expected="a copy of the same log",
                remedy="look for one that is; fairshoe-audit fork says where two differ",
            )
        if own is not None and roots.get(own.size) != own.root:
            raise VerificationError(
                "its entries are not what its checkpoint covers", where=str(path), remedy="pull anew"
            )
        self.size = max([head.size for head in signed if roots.get(head.size) == head.root], default=0)
        if not self.size:
            raise InputError(
                "nothing shows that the house signed it", where=str(path), expected=f"the {CHECKPOINT} beside it"
            )

    def lines(self, start: int) -> Iterator[bytes]:
        """The signed entries from number `start` on."""
        return islice(_lines(self._path), start, max(start, self.size))

    def _own(self, verifier: Verifier) -> Checkpoint | None:
        note = read_text(self._path / CHECKPOINT) if self._path.is_dir() else None
        return None if note is None else open_checkpoint(note, verifier)

    def _roots(self, sizes: set[int]) -> dict[int, bytes]:
        tree = Tree()
        roots = {0: tree.root}
        for line in islice(_lines(self._path), max(sizes)):
            tree.append(line)
            if tree.size in sizes:
                roots[tree.size] = tree.root
        return roots


def _lines(path: Path) -> Iterator[bytes]:
    """The entries without LF, as far as they can be read. Raises LogError where there are none."""
    if not _is_database(path):
        yield from (line.removesuffix(b"\n") for line in read_lines(path))
        return
    with suppress(StorageError), snapshot(path) as connection:
        yield from stored_lines(connection, 0, read_head(connection).tree.size)


def _is_database(path: Path) -> bool:
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(len(SQLITE)) == SQLITE
