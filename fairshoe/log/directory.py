"""A log on disk: a directory with `log.jsonl`, `checkpoint` and `log.vkey`."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import LogError
from .canonical import MAX_ENTRY
from .checkpoint import Checkpoint
from .note import Signer
from .tree import Tree

ENTRIES = "log.jsonl"
CHECKPOINT = "checkpoint"
VERIFIER = "log.vkey"
MOST_TEXT = 1 << 16
"""The size in bytes of a checkpoint or a key, which have some hundred."""


def write_log(directory: Path, lines: Iterable[bytes], signer: Signer) -> Checkpoint:
    """Write entries (canonical bytes without LF), the signed checkpoint and the verifier key."""
    tree = Tree()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with _replacing(directory / ENTRIES) as file:
            for line in lines:
                tree.append(line)
                file.write(line + b"\n")
        checkpoint = Checkpoint(signer.verifier.name, tree.size, tree.root)
        _write(directory / CHECKPOINT, checkpoint.signed(signer))
        _write(directory / VERIFIER, f"{signer.verifier}\n")
    except OSError as error:
        raise LogError(f"cannot write: {error}", where=str(directory), remedy="check the path and free space") from None
    return checkpoint


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when it was written whole."""
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    with _replacing(path) as file:
        file.write(text.encode())


def read_lines(path: Path) -> Iterator[bytes]:
    """Stream the lines of a log (its directory or its `log.jsonl`), split on LF alone, the LF included.

    Of a line longer than an entry may be only the first MAX_ENTRY + 1 bytes are given, so that it
    cannot fill the memory and is still seen to be too long. A last line may lack its LF. LogError.
    """
    file = path / ENTRIES if path.is_dir() else path
    try:
        _check_regular(file)
        with open(file, "rb", buffering=1 << 20) as stream:
            while line := stream.readline(MAX_ENTRY + 2):
                if len(line) > MAX_ENTRY + 1 and not line.endswith(b"\n"):
                    while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                        pass
                    line = line[: MAX_ENTRY + 1] + rest[-1:]
                yield line
    except OSError as error:
        raise LogError(f"cannot read: {error.strerror}", where=str(file), remedy="give a log's directory") from None


def _check_regular(path: Path) -> None:
    """Refuse, before it is opened, what might have no end: a device, a pipe. LogError, OSError."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise LogError("cannot read: not a regular file", where=str(path), remedy="copy it into a file first")


def read_text(path: Path) -> str | None:
    """A small text file beside the log, or None where there is none."""
    try:
        _check_regular(path)
        size = path.stat().st_size
        if size > MOST_TEXT:
            raise LogError(f"cannot read: {size} bytes", where=str(path), expected=f"at most {MOST_TEXT}")
        return path.read_text()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"cannot read: {error}", where=str(path)) from None
