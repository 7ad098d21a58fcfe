"""Write a log as tiles for any web server that serves files (c2sp.org/tlog-tiles), and later what is new of it.

The checkpoint is written last: whatever it covers is there, at every moment and after every crash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..errors import InputError, LogError, VerificationError
from ..terminal.durable import PART, alone_in, replacing, settle, told_of_the_disk
from .checkpoint import Checkpoint, open_checkpoint
from .directory import CHECKPOINT, ENTRIES, VERIFIER, read_text
from .note import Verifier, verifier_of
from .tile_source import TILES, first_bytes, partial_widths
from .tiles import Bundle, Tile, TileMaker, is_in
from .tree import Tree

Lines = Callable[[int, int], Iterator[bytes]]
"""The entries from one number up to but not another, as bytes without LF."""
ANEW = "export into a new directory"


class Exported(NamedTuple):
    """The checkpoint that the directory has now, how many entries are new, and how many files."""

    checkpoint: Checkpoint
    new: int
    files: int


def export(
    directory: Path, note: str, verifier: Verifier, lines: Lines, progress: Callable[[int], None] = lambda _: None
) -> Exported:
    """Bring a directory up to the signed checkpoint `note`; nothing in it is removed. All entries are
    read, and only what is new is written.

    Raises VerificationError where the log is not what `note` covers or does not extend what is there, InputError for
    a directory that holds something else or was changed, LogError.
    """
    signed = open_checkpoint(note, verifier)
    with told_of_the_disk(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with alone_in(directory, "export"):
            return _Export(directory, note, signed, verifier).run(lines, progress)


class _Export:
    def __init__(self, directory: Path, note: str, signed: Checkpoint, verifier: Verifier) -> None:
        self.directory = directory
        self.note = note
        self.signed = signed
        self.verifier = verifier
        self.held = self._held()
        if self.held.size > self.signed.size:
            what = f"has {self.held.size} entries, more than the log's {self.signed.size}"
            raise self._refused(what, "a newer state of the log", "export from the house, or from a newer copy")
        self.touched = {directory}
        (directory / TILES).mkdir(exist_ok=True)  # a log without entries has them too
        self.files = 0
        self.changed = ""

    def run(self, lines: Lines, progress: Callable[[int], None]) -> Exported:
        held, signed = self.held, self.signed
        if read_text(self.directory / VERIFIER) is None:
            self._write(VERIFIER, f"{self.verifier}\n".encode())
        maker = TileMaker(Tree(), [])
        for line in lines(0, signed.size):
            for made in maker.add(line):
                self._put(*made)
            if maker.tree.size == held.size:
                self._check_held(maker)
            progress(maker.tree.size)
        if maker.tree.size != signed.size:
            raise LogError(f"only {maker.tree.size} entries", where="log", expected=f"{signed.size}, as were signed")
        if maker.tree.root != signed.root:
            expected = f"{signed.size} entries that hash to {signed.root.hex()}"
            raise VerificationError("the entries are not those that were signed", where="log", expected=expected)
        for made in maker.rest():
            self._put(*made)
        if read_text(self.directory / CHECKPOINT) != self.note:
            for folder in self.touched:
                settle(folder)
            self._write(CHECKPOINT, self.note.encode())
            settle(self.directory)
        return Exported(signed, signed.size - held.size, self.files)

    def _held(self) -> Checkpoint:
        """What the directory has; its own signature is checked. Nothing yet is a log of no entries."""
        names = {path.name for path in self.directory.iterdir() if not path.name.endswith(PART)}
        if names and (VERIFIER not in names or ENTRIES in names):
            raise self._refused("holds something else", "a new directory, or one that was exported to", "name another")
        key, note = read_text(self.directory / VERIFIER), read_text(self.directory / CHECKPOINT)
        if key is not None and verifier_of(key) != self.verifier:
            raise self._refused(f"holds the log of another key, {key.strip()}", str(self.verifier), ANEW)
        if note is None:
            return Checkpoint(self.signed.origin, 0, Tree().root)
        try:
            held = open_checkpoint(note, self.verifier)
        except VerificationError as error:
            raise self._refused(f"its checkpoint was changed: {error.what}", error.expected, ANEW) from None
        if held.origin != self.signed.origin:
            raise self._refused(f"holds another log, {held.origin}", self.signed.origin, ANEW)
        return held

    def _check_held(self, maker: TileMaker) -> None:
        """The log begins with what the directory's checkpoint covers, and the tiles there are those of it."""
        held = self.held
        if maker.tree.root != held.root:
            expected = f"a log that extends the {held.size} entries there"
            raise VerificationError("not the log that was exported here", where=str(self.directory), expected=expected)
        for made in maker.rest():
            self._put(*made)
        if self.changed:
            where, expected = str(self.directory / self.changed), f"the tile of the {held.size} entries there"
            raise InputError("its tiles were changed", where=where, expected=expected, remedy=ANEW)

    def _refused(self, what: str, expected: str, remedy: str) -> InputError:
        return InputError(what, where=str(self.directory), expected=expected, remedy=remedy)

    def _put(self, tile: Tile | Bundle, data: bytes) -> None:
        """Write a tile or bundle. One that the directory's checkpoint covers is looked at and not written again; so are
        the partial ones that stand there of it."""
        if not is_in(tile, self.held.size):
            self._write(tile.path, data)
        for width in {*partial_widths(self.directory, tile), tile.width}:
            there = tile._replace(width=width)
            if width > tile.width or not is_in(there, self.held.size):
                continue
            file = self.directory / there.path
            if file.exists() and file.read_bytes() != data[: first_bytes(tile, data, width)]:
                self.changed = self.changed or there.path

    def _write(self, path: str, data: bytes) -> None:
        file = self.directory / path
        if file.parent not in self.touched:
            file.parent.mkdir(parents=True, exist_ok=True)
            self.touched |= {self.directory / folder for folder in PurePosixPath(path).parents}
        with replacing(file) as whole:
            whole.write(data)
        self.files += 1
