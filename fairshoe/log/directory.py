"""A log on disk: a directory with `log.jsonl` or with tiles, and with `checkpoint` and `log.vkey`. It is written whole,
or exported as tiles (c2sp.org/tlog-tiles), and later what is new of it; the checkpoint is written last: whatever it
covers is there, at every moment and after every crash."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, cast

from ..errors import InputError, LogError, NotALog, VerificationError
from ..terminal.durable import PART, lock_directory, replace_file, settle, translate_disk_errors
from ..terminal.files import exists, is_stdin, not_a_text, open_to_read, read_bytes
from ..terminal.formats import GZIP, format_of
from .canonical import MAX_ENTRY
from .checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from .note import Signer, Verifier, verifier_of
from .tile_source import TILES, TileDirectory, as_file
from .tiles import Bundle, Tile, TileMaker, is_in
from .tree import Tree

ENTRIES = "log.jsonl"
OPENINGS = "openings.jsonl"
PACKED = "log.jsonl.gz"
CHECKPOINT = "checkpoint"
VERIFIER = "log.vkey"
WRITE_BATCH_SIZE = 1_000
"""Number of entries written at once."""
MAX_TEXT = 1 << 16
"""The size in bytes of a checkpoint or a key, which have some hundred."""
BLOCK = 1 << 15
"""Number of bytes read at once: fewer than an entry may have."""
MAX_LINE_BYTES = 1 << 28
"""After so many bytes without a LF a line is taken to have no end."""


def write_log(directory: Path, lines: Iterable[bytes], signer: Signer) -> Checkpoint:
    """Write entries (canonical bytes without LF), the signed checkpoint and the verifier key."""
    tree = Tree()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with replace_file(directory / ENTRIES) as file:
            rest = iter(lines)
            while batch := list(islice(rest, WRITE_BATCH_SIZE)):
                tree.extend(batch)
                file.write(b"\n".join([*batch, b""]))
        checkpoint = Checkpoint(signer.verifier.name, tree.size, tree.root)
        _write(directory / CHECKPOINT, checkpoint.signed(signer))
        _write(directory / VERIFIER, f"{signer.verifier}\n")
    except OSError as error:
        raise LogError(f"cannot write: {error}", where=str(directory), remedy="check the path and free space") from None
    return checkpoint


def _write(path: Path, text: str) -> None:
    with replace_file(path) as file:
        file.write(text.encode())


def read_lines(path: Path) -> Iterator[bytes]:
    """Stream the lines of a log: its directory, its `log.jsonl`, or `-` for standard input. LogError."""
    with open_entries(path if has_tiles(path) else path / ENTRIES if path.is_dir() else path) as stream:
        for block in blocks_of(stream, str(path)):
            yield from BytesIO(block)


def has_tiles(path: Path) -> bool:
    """Whether the entries of the log there are in tiles: a directory that has these and no `log.jsonl`."""
    return not is_stdin(path) and (path / TILES).is_dir() and not exists(path / ENTRIES)


@contextmanager
def open_entries(file: Path) -> Iterator[BufferedReader]:
    """Open a file of entries, packed by gzip or not, a directory of tiles, or standard input for `-`; nothing that
    might have no end. Raises NotALog, also while it is read."""
    expected = "a log's directory, its log.jsonl, or - for standard input"
    if has_tiles(file):
        yield as_file(tiles_in(file))
        return
    try:
        stream = open_to_read(file)
    except InputError as error:
        remedy = error.remedy or "check the name"
        raise NotALog(error.what, where=error.where, expected=expected, remedy=remedy) from None
    try:
        with stream:
            yield cast(BufferedReader, GzipFile(fileobj=stream)) if stream.peek(2).startswith(GZIP) else stream
    except (BadGzipFile, EOFError, zlib.error) as error:
        what, remedy = f"a gzip file that is damaged or not whole: {error}", "get it again, to its end"
        raise NotALog(what, where=str(file), expected=expected, remedy=remedy) from None


def tiles_in(directory: Path) -> TileDirectory:
    """Return the tiles of a directory, as many as its checkpoint covers, whoever signed that. Raises NotALog."""
    try:
        note = read_text(directory / CHECKPOINT)
        if note is not None:
            return TileDirectory(directory, checkpoint_of(note).size)
        what = "no such file"
    except InputError as error:
        what = error.what
    remedy = "copy the directory again, whole and unchanged"
    expected = "the checkpoint, which says how many entries the tiles have"
    raise NotALog(what, where=str(directory / CHECKPOINT), expected=expected, remedy=remedy)


def blocks_of(stream: BufferedReader, where: str) -> Iterator[bytes]:
    """Yield the lines of a stream, split on LF alone, in blocks of whole lines; `where` names it in errors.

    Of a line longer than an entry may be, always the first of a block, MAX_ENTRY + 1 bytes are given. The last may lack
    its LF. LogError.
    """
    rest = b""
    try:
        while chunk := stream.read1(BLOCK):
            first = chunk.find(b"\n")
            if first >= 0:
                if len(rest) + first > MAX_ENTRY + 1:
                    rest, chunk = (rest + chunk[:first])[: MAX_ENTRY + 1], chunk[first:]
                end = chunk.rfind(b"\n") + 1
                yield rest + chunk[:end]
                rest = chunk[end:]
                continue
            rest += chunk
            if len(rest) > MAX_ENTRY + 1:
                yield rest[: MAX_ENTRY + 1] + _end_of_line(stream, where)
                rest = b""
        if rest:
            yield rest
    except BadGzipFile:
        raise
    except OSError as error:
        raise LogError(f"cannot read: {error.strerror}", where=where, remedy="try again") from None


def _end_of_line(stream: BinaryIO, where: str) -> bytes:
    """Pass over the rest of a line; its LF, or nothing at the end. LogError where there seems to be none."""
    passed = 0
    while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
        passed += len(rest)
        if passed > MAX_LINE_BYTES:
            raise LogError("cannot read: a line without end", where=where, expected=f"at most {MAX_ENTRY} bytes a line")
    return rest[-1:]


def read_text(path: Path) -> str | None:
    """Return a small text in UTF-8, None if there is no such file; `-` is standard input. Without byte order mark, with
    LFs and one at the end; what is not UTF-8 becomes U+FFFD. Raises InputError, also for another format."""
    if not is_stdin(path) and not exists(path):
        return None
    data = read_bytes(path, MAX_TEXT)
    form = format_of(data)
    if form is not None:
        raise not_a_text(form, path)
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").rstrip("\n") + "\n"


# Tiles, for any web server that serves files.

Lines = Callable[[int, int], Iterator[bytes]]
"""The entries from one number up to but not another, as bytes without LF."""
EXPORT_AGAIN = "export into a new directory"


class ExportResult(NamedTuple):
    """The checkpoint that the directory has now, how many entries are new, and how many files."""

    checkpoint: Checkpoint
    new: int
    files: int


def export(
    directory: Path, note: str, verifier: Verifier, lines: Lines, progress: Callable[[int], None] = lambda _: None
) -> ExportResult:
    """Bring a directory up to the signed checkpoint `note`: all entries are read, and what is new is written.

    Raises VerificationError if `note` does not cover the log or it does not extend what is there, InputError for a
    directory that holds something else or was changed, LogError.
    """
    signed = open_checkpoint(note, verifier)
    with translate_disk_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with lock_directory(directory, "export"):
            return _Export(directory, note, signed, verifier).run(lines, progress)


class _Export:
    def __init__(self, directory: Path, note: str, signed: Checkpoint, verifier: Verifier) -> None:
        self.directory = directory
        self.note = note
        self.signed = signed
        self.verifier = verifier
        self.old_head = self._held()
        if self.old_head.size > self.signed.size:
            what = f"has {self.old_head.size} entries, more than the log's {self.signed.size}"
            raise self._refused(what, "a newer state of the log", "export from the house, or from a newer copy")
        self.touched = {directory}
        (directory / TILES).mkdir(exist_ok=True)  # a log without entries has them too
        self.files = 0
        self.changed = ""

    def run(self, lines: Lines, progress: Callable[[int], None]) -> ExportResult:
        held, signed = self.old_head, self.signed
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
        for made in maker.partial_tiles():
            self._put(*made)
        if read_text(self.directory / CHECKPOINT) != self.note:
            for folder in self.touched:
                settle(folder)
            self._write(CHECKPOINT, self.note.encode())
            settle(self.directory)
        return ExportResult(signed, signed.size - held.size, self.files)

    def _held(self) -> Checkpoint:
        """Return the directory's checkpoint, its own signature checked; of an empty one a log of no entries."""
        names = {path.name for path in self.directory.iterdir() if not path.name.endswith(PART)}
        if names and (VERIFIER not in names or ENTRIES in names):
            raise self._refused("holds something else", "a new directory, or one that was exported to", "name another")
        key, note = read_text(self.directory / VERIFIER), read_text(self.directory / CHECKPOINT)
        if key is not None and verifier_of(key) != self.verifier:
            raise self._refused(f"holds the log of another key, {key.strip()}", str(self.verifier), EXPORT_AGAIN)
        if note is None:
            return Checkpoint(self.signed.origin, 0, Tree().root)
        try:
            held = open_checkpoint(note, self.verifier)
        except VerificationError as error:
            raise self._refused(f"its checkpoint was changed: {error.what}", error.expected, EXPORT_AGAIN) from None
        if held.origin != self.signed.origin:
            raise self._refused(f"holds another log, {held.origin}", self.signed.origin, EXPORT_AGAIN)
        return held

    def _check_held(self, maker: TileMaker) -> None:
        """The log begins with what the directory's checkpoint covers, and the tiles there are those of it."""
        held = self.old_head
        if maker.tree.root != held.root:
            expected = f"a log that extends the {held.size} entries there"
            raise VerificationError("not the log that was exported here", where=str(self.directory), expected=expected)
        for made in maker.partial_tiles():
            self._put(*made)
        if self.changed:
            where, expected = str(self.directory / self.changed), f"the tile of the {held.size} entries there"
            raise InputError("its tiles were changed", where=where, expected=expected, remedy=EXPORT_AGAIN)

    def _refused(self, what: str, expected: str, remedy: str) -> InputError:
        return InputError(what, where=str(self.directory), expected=expected, remedy=remedy)

    def _put(self, tile: Tile | Bundle, data: bytes) -> None:
        """Write a tile or bundle. One that the directory's checkpoint covers is looked at and not written again."""
        file = self.directory / tile.path
        if not is_in(tile, self.old_head.size):
            self._write(tile.path, data)
        elif file.exists() and file.read_bytes() != data:
            self.changed = self.changed or tile.path

    def _write(self, path: str, data: bytes) -> None:
        file = self.directory / path
        if file.parent not in self.touched:
            file.parent.mkdir(parents=True, exist_ok=True)
            self.touched |= {self.directory / folder for folder in PurePosixPath(path).parents}
        with replace_file(file) as whole:
            whole.write(data)
        self.files += 1
