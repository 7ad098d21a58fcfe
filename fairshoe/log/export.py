"""Write a log as tiles for any web server that serves files (c2sp.org/tlog-tiles), and later what is new of it.

The checkpoint is written last: whatever it covers is there, at every moment and after every crash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..errors import InputError, LogError, NotALog, VerificationError
from ..terminal.durable import PART, alone_in, replacing, settle, told_of_the_disk
from .checkpoint import Checkpoint, open_checkpoint
from .directory import CHECKPOINT, ENTRIES, VERIFIER, read_text
from .note import Verifier, verifier_of
from .tile_source import TILES, TileDirectory, wrong_partial
from .tiles import HEIGHT, TiledTree, TileMaker, is_in
from .tree import Tree, tree_head

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
    """Bring a directory up to the signed checkpoint `note`; nothing in it is removed.

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

    def run(self, lines: Lines, progress: Callable[[int], None]) -> Exported:
        held, signed = self.held, self.signed
        maker = self._maker()
        if read_text(self.directory / VERIFIER) is None:
            self._write(VERIFIER, f"{self.verifier}\n".encode())
        for line in lines(maker.tree.size, signed.size):
            for tile, data in maker.add(line):
                self._write(tile.path, data)
            self._check(maker.tree)
            progress(maker.tree.size)
        if maker.tree.size != signed.size:
            raise LogError(f"only {maker.tree.size} entries", where="log", expected=f"{signed.size}, as were signed")
        self._check(maker.tree)
        for tile, data in maker.rest():
            if not is_in(tile, held.size):
                self._write(tile.path, data)
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

    def _maker(self) -> TileMaker:
        """Goes on from the last full tile of level 0, whatever follows it."""
        held, source = self.held, TileDirectory(self.directory, self.held.size)
        tiled = TiledTree(held.size, source.tile)
        start = held.size >> HEIGHT << HEIGHT
        try:
            whole = tree_head(tiled.node, held.size) == held.root
            heights = [height for height in range(start.bit_length(), -1, -1) if start >> height & 1]
            peaks = [tiled.node(height, (start >> height) - 1) for height in heights]
            levels = source.levels()
            partial = wrong_partial(source)
        except NotALog as error:
            raise InputError(error.what, where=error.where, expected=error.expected, remedy=ANEW) from None
        if not whole:
            raise self._refused("its tiles were changed", f"the tree head {held.root.hex()}", ANEW)
        if partial is not None:
            remedy = f"remove it, since the wider one has what it had; or {ANEW}"
            where, expected = str(self.directory / partial), "the beginning of the wider tile in its place"
            raise InputError("its tiles were changed", where=where, expected=expected, remedy=remedy)
        return TileMaker(Tree(start, peaks), levels)

    def _check(self, tree: Tree) -> None:
        """Hold the tree against both checkpoints, where it is as large as they say."""
        if tree.size == self.held.size and tree.root != self.held.root:
            expected = f"a log that extends the {self.held.size} entries there"
            raise VerificationError("not the log that was exported here", where=str(self.directory), expected=expected)
        if tree.size == self.signed.size and tree.root != self.signed.root:
            expected = f"{self.signed.size} entries that hash to {self.signed.root.hex()}"
            raise VerificationError("the entries are not those that were signed", where="log", expected=expected)

    def _refused(self, what: str, expected: str, remedy: str) -> InputError:
        return InputError(what, where=str(self.directory), expected=expected, remedy=remedy)

    def _write(self, path: str, data: bytes) -> None:
        file = self.directory / path
        if file.parent not in self.touched:
            file.parent.mkdir(parents=True, exist_ok=True)
            self.touched |= {self.directory / folder for folder in PurePosixPath(path).parents}
        with replacing(file) as whole:
            whole.write(data)
        self.files += 1
