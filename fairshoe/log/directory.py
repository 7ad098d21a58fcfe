"""A log on disk: a directory with `log.jsonl` or with tiles, and with `checkpoint` and `log.vkey`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError, LogError, NotALog
from ..terminal.durable import replacing
from ..terminal.files import exists, is_stdin, open_to_read, read_bytes
from .canonical import MAX_ENTRY
from .checkpoint import Checkpoint, checkpoint_of
from .note import Signer
from .tile_source import TILES, TileDirectory, as_file
from .tree import Tree

ENTRIES = "log.jsonl"
CHECKPOINT = "checkpoint"
VERIFIER = "log.vkey"
AT_ONCE = 1_000
"""So many entries are written in one go."""
MOST_TEXT = 1 << 16
"""The size in bytes of a checkpoint or a key, which have some hundred."""
BLOCK = 1 << 15
"""So many bytes are read at once: fewer than an entry may have."""
LONGEST_LINE = 1 << 28
"""After so many bytes without a LF a line is taken to have no end."""


def write_log(directory: Path, lines: Iterable[bytes], signer: Signer) -> Checkpoint:
    """Write entries (canonical bytes without LF), the signed checkpoint and the verifier key."""
    tree = Tree()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with replacing(directory / ENTRIES) as file:
            rest = iter(lines)
            while batch := list(islice(rest, AT_ONCE)):
                tree.extend(batch)
                file.write(b"\n".join([*batch, b""]))
        checkpoint = Checkpoint(signer.verifier.name, tree.size, tree.root)
        _write(directory / CHECKPOINT, checkpoint.signed(signer))
        _write(directory / VERIFIER, f"{signer.verifier}\n")
    except OSError as error:
        raise LogError(f"cannot write: {error}", where=str(directory), remedy="check the path and free space") from None
    return checkpoint


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())


def read_lines(path: Path) -> Iterator[bytes]:
    """Stream the lines of a log: its directory, its `log.jsonl`, or `-` for standard input. LogError."""
    with open_entries(path if has_tiles(path) else path / ENTRIES if path.is_dir() else path) as stream:
        yield from lines_of(stream, str(path))


def has_tiles(path: Path) -> bool:
    """Whether the entries of the log there are in tiles: a directory that has these and no `log.jsonl`."""
    return not is_stdin(path) and (path / TILES).is_dir() and not exists(path / ENTRIES)


def open_entries(file: Path) -> BinaryIO:
    """A file of entries, a directory of tiles as one, or standard input for `-`; nothing that might have no end.

    Raises NotALog, which reading tiles does too.
    """
    if has_tiles(file):
        return as_file(tiles_in(file))
    try:
        return open_to_read(file)
    except InputError as error:
        remedy = error.remedy or "check the name"
        expected = "a log's directory, its log.jsonl, or - for standard input"
        raise NotALog(error.what, where=error.where, expected=expected, remedy=remedy) from None


def tiles_in(directory: Path) -> TileDirectory:
    """The tiles of a directory, as many as its checkpoint covers, whoever signed that. Raises NotALog."""
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


def lines_of(stream: BinaryIO, where: str) -> Iterator[bytes]:
    """The lines of a stream, split on LF alone, the LF included. `where` names it in errors.

    Of a line longer than an entry may be only the first MAX_ENTRY + 1 bytes are given, so that it
    cannot fill the memory and is still seen to be too long. A last line may lack its LF. LogError.
    """
    try:
        while line := stream.readline(MAX_ENTRY + 2):
            if len(line) > MAX_ENTRY + 1 and not line.endswith(b"\n"):
                line = line[: MAX_ENTRY + 1] + _end_of_line(stream, where)
            yield line
    except OSError as error:
        raise LogError(f"cannot read: {error.strerror}", where=where, remedy="try again") from None


def blocks_of(stream: BufferedReader, where: str) -> Iterator[bytes]:
    """The same in blocks of whole lines, for who reads a long log: only the first line of a block can be too long."""
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
    except OSError as error:
        raise LogError(f"cannot read: {error.strerror}", where=where, remedy="try again") from None


def _end_of_line(stream: BinaryIO, where: str) -> bytes:
    """Pass over the rest of a line; its LF, or nothing at the end. LogError where there seems to be none."""
    passed = 0
    while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
        passed += len(rest)
        if passed > LONGEST_LINE:
            raise LogError("cannot read: a line without end", where=where, expected=f"at most {MAX_ENTRY} bytes a line")
    return rest[-1:]


def read_text(path: Path) -> str | None:
    """A small text in UTF-8, or None where there is no such file; `-` is standard input.

    A byte order mark is left out and line ends are LF, whoever saved it; what is not UTF-8 becomes U+FFFD, which no
    signature fits. Raises InputError.
    """
    if not is_stdin(path) and not exists(path):
        return None
    return read_bytes(path, MOST_TEXT).decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
