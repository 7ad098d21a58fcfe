"""What the commands that read a log share: the argument, and how far they are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import click

from fairshoe.errors import NotALog
from fairshoe.log.directory import CHECKPOINT, ENTRIES, VERIFIER
from fairshoe.terminal.files import exists, is_stdin, size_of
from fairshoe.terminal.options import FILE
from fairshoe.terminal.progress import progress

log_argument = click.argument("log", type=FILE)
"""A log's directory, its `log.jsonl`, or `-` for standard input."""


def files_of(log: Path) -> list[Path]:
    """The files that an audit of the log reads, the log itself first."""
    if is_stdin(log):
        return [Path("/dev/stdin")]
    folder = log if log.is_dir() else log.parent
    return [log if folder != log else log / ENTRIES, folder / CHECKPOINT, folder / VERIFIER]


def check_there(log: Path) -> None:
    """Raise NotALog where there is nothing by that name, or the name is an address."""
    from ..evidence.nolog import check_no_address

    check_no_address(log)
    if not is_stdin(log) and not exists(log):
        raise NotALog("no such file", where=str(log), expected="a log's directory, or a file", remedy="check the name")


def reading(log: Path) -> AbstractContextManager[Callable[[int], None]]:
    """Progress by the bytes of the log that are read."""
    return progress("reading", size_of(files_of(log)[0]))
