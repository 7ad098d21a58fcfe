"""Shared parts of commands that read a log: the argument, how far they are, and how many processes read it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from fairshoe.errors import InputError, NotALog
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER
from fairshoe.terminal.commands import FILE
from fairshoe.terminal.files import exists, is_stdin, size_of
from fairshoe.terminal.formats import HEAD, is_tar
from fairshoe.terminal.screen import progress

if TYPE_CHECKING:
    from ..verify.pool import WorkerPool

log_argument = click.argument("log", type=FILE)
"""A log's directory, its `log.jsonl`, or `-` for standard input."""
FILES = (ENTRIES, CHECKPOINT, VERIFIER)
MIN_BYTES_PER_PROCESS = 1 << 21
"""Bytes of log from which another process is worth its start."""


def files_of(log: Path) -> list[Path]:
    """Return the files that an audit of the log reads, the log itself first."""
    if is_stdin(log):
        return [Path("/dev/stdin")]
    folder = log if log.is_dir() else log.parent
    return [log if folder != log else log / ENTRIES, folder / CHECKPOINT, folder / VERIFIER]


def check_there(log: Path) -> None:
    """Raise NotALog where there is nothing by that name, or the name is an address."""
    from ..verify.evidence.log_lines import check_no_address

    check_no_address(log)
    if not is_stdin(log) and not exists(log):
        raise NotALog("no such file", where=str(log), expected="a log's directory, or a file", remedy="check the name")


@contextmanager
def unpack_log(log: Path) -> Iterator[Path]:
    """Yield the log; of a tar archive with one, or an fsspec address, a temporary copy. Raises NotALog, InputError."""
    from ..verify.evidence.address import log_address, temporary_copy

    if address := log_address(log):
        with temporary_copy(address) as copy, unpack_log(copy) as folder:
            yield folder
        return
    check_there(log)
    if is_stdin(log) or not log.is_file() or not _is_archive(log):
        yield log
        return
    import tarfile
    from shutil import copyfileobj
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="fairshoe-") as folder:
        try:
            with tarfile.open(log, "r:") as archive:
                members = {PurePosixPath(member.name): member for member in archive if member.isreg()}
                logs = [name for name in members if name.name == ENTRIES]
                for name in FILES if len(logs) == 1 else ():
                    if (member := members.get(logs[0].with_name(name))) is not None:
                        with (
                            cast(BinaryIO, archive.extractfile(member)) as packed,
                            open(Path(folder, name), "wb") as file,
                        ):
                            copyfileobj(packed, file)
        except (OSError, tarfile.TarError) as error:
            raise InputError(f"cannot unpack: {error}", where=str(log), remedy=f"unpack it: tar -xf {log}") from None
        if len(logs) != 1:
            what = f"an archive with {len(logs)} files {ENTRIES}" if logs else f"an archive without {ENTRIES}"
            expected = "log.tar as a house serves it"
            remedy = f"unpack it, and give the log's directory: tar -xf {log}"
            raise NotALog(what, where=str(log), expected=expected, remedy=remedy)
        yield Path(folder)


def _is_archive(log: Path) -> bool:
    try:
        with open(log, "rb") as file:
            return is_tar(file.read(HEAD))
    except OSError:
        return False


def _size(log: Path) -> int | None:
    """How many bytes of the log there are to read, where that can be known."""
    file = files_of(log)[0]
    return None if file.suffix == ".gz" else size_of(file)


def show_progress(log: Path) -> AbstractContextManager[Callable[[int], None]]:
    """Progress by the bytes of the log that are read."""
    return progress("reading", _size(log))


def count_workers(
    log: Path, jobs: int | None, address: str | None, given: Path
) -> AbstractContextManager[WorkerPool | None]:
    """Start up to `jobs` audit processes (None: one a core), or use a Dask cluster, which reads the log from where it
    was `given`; None: one pass here. InputError."""
    if address is not None:
        from ..verify.cluster import cluster
        from ..verify.evidence.address import entries_address, log_address

        source = log_address(given)
        return cluster(address, source and entries_address(source))
    size = 0 if is_stdin(log) else _size(log) or 0
    if jobs == 1 or not size:
        return nullcontext()
    many = min(jobs or _cores(), size // MIN_BYTES_PER_PROCESS)
    if many < 2:
        return nullcontext()
    from ..verify.workers import processes

    return processes(many)


def _cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
