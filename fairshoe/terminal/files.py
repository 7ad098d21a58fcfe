"""Files that a user names: `-` is standard input, and nothing is read that is a device or might have no end."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from io import BufferedReader, FileIO
from pathlib import Path

from ..errors import FairshoeError, InputError
from .durable import replace_file
from .formats import BOM, Form, format_of

STDIN = Path("-")
"""The path that means standard input."""
SAVE = "save it as UTF-8 without changing anything else"
GET_AGAIN = "get it again, unchanged, and look whether it is the right file"


def is_stdin(path: Path) -> bool:
    return path == STDIN


def open_to_read(path: Path) -> BufferedReader:
    """Open a regular file, or standard input for `-`, as bytes. Raises InputError, before the opening for what might
    have no end: a device, a named pipe, a socket, a terminal."""
    if is_stdin(path):
        return _standard_input()
    try:
        check_regular(path)
        return BufferedReader(FileIO(path), 1 << 20)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def read_bytes(path: Path, most: int) -> bytes:
    """All of a file, or of standard input for `-`, if that is at most so many bytes. Raises InputError."""
    with open_to_read(path) as file:
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise _unreadable(path, error) from None
    if len(data) > most:
        remedy = "look whether it is the right file"
        raise InputError("the file is too long", where=_shown(path), expected=f"at most {most} bytes", remedy=remedy)
    return data


def read_utf8(path: Path, most: int) -> str:
    """Read a file as UTF-8 text, as `read_bytes` does its bytes. Raises InputError."""
    try:
        return read_bytes(path, most).decode("utf-8")
    except UnicodeDecodeError as error:
        form = format_of(error.object) or Form(f"byte {error.start} is not UTF-8", SAVE)
        raise not_a_text(form, path) from None


def begins_with(path: Path, beginning: bytes) -> bool:
    """Whether a file begins so, after any byte order mark; standard input does not. Raises InputError."""
    if is_stdin(path) or path.is_dir() or not exists(path):
        return False
    with open_to_read(path) as file:
        return file.read(len(BOM + beginning)).removeprefix(BOM).startswith(beginning)


def not_a_text(form: Form, path: Path) -> InputError:
    """Return the error where a file in another format was given in the place of a text."""
    return InputError(form.what, where=_shown(path), expected="a text in UTF-8", remedy=form.remedy or GET_AGAIN)


def check_regular(path: Path) -> None:
    """Refuse a folder, device, pipe or socket, without opening it. Raises InputError, OSError."""
    mode = path.stat().st_mode
    if stat.S_ISREG(mode):
        return
    remedy = "name a file" if stat.S_ISDIR(mode) else "pipe it in and give - where the file is named"
    raise InputError(f"cannot read: {_kind(mode)}, not a file", where=str(path), remedy=remedy)


def exists(path: Path) -> bool:
    """Whether there is something by that name, be it out of reach."""
    try:
        return path.exists()
    except OSError:
        return True


def size_of(path: Path) -> int | None:
    """Return the size in bytes, where it can be known before reading."""
    with suppress(OSError, ValueError):
        about = os.fstat(0) if is_stdin(path) else path.stat()
        return about.st_size if stat.S_ISREG(about.st_mode) else None
    return None


def check_writable(path: Path, sources: Iterable[Path] = ()) -> None:
    """Raise InputError for a target of `write_whole` that is a folder, a device, in no folder, or read as well."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    if mode is not None and not stat.S_ISREG(mode):
        raise InputError(f"cannot write: {_kind(mode)}", where=str(path), remedy="name a file, or - for the screen")
    if not path.resolve().parent.is_dir():
        raise InputError("cannot write: no such folder", where=str(path.parent), remedy="make it first")
    if mode is not None and any(_same(path, source) for source in sources):
        raise InputError("cannot write over what is read", where=str(path), remedy="name another file")


def make_folder(folder: Path) -> None:
    """Make a directory where there is none. Raises InputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from None


def write_whole(contents: dict[Path, bytes]) -> None:
    """Write files whole or not at all: beside each a temporary one, renamed when all are written. Raises InputError."""
    path = Path()
    try:
        with ExitStack() as stack:
            for path, data in contents.items():
                stack.enter_context(replace_file(path.resolve())).write(data)
    except OSError as error:
        raise _unwritable(path, error) from None


def _standard_input() -> BufferedReader:
    remedy = "pipe a file in: command < FILE"
    try:
        mode = os.fstat(0).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
            what = "a terminal" if os.isatty(0) else _kind(mode)
            raise InputError(f"cannot read: standard input is {what}", where="-", remedy=remedy)
        return BufferedReader(FileIO(0, closefd=False), 1 << 20)
    except OSError:
        raise InputError("cannot read: standard input is closed", where="-", remedy=remedy) from None


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError, ValueError):
        return one.samefile(other)
    return False


def _shown(path: Path) -> str:
    return "standard input" if is_stdin(path) else str(path)


def _unreadable(path: Path, error: Exception) -> FairshoeError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot read: {reason}", where=_shown(path), remedy="check the name and who may read it")


def _unwritable(path: Path, error: Exception) -> FairshoeError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot write: {reason}", where=str(path), remedy="check the folder and the free space")


def same_output(paths: Iterable[Path]) -> bool:
    """Whether two of them would be written to the same place."""
    places = [path.resolve() for path in paths]
    return len(set(places)) < len(places)
