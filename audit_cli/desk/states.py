"""Where the audits of a report leave what the next report goes on from: a file for each log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairshoe.errors import InputError
from fairshoe.protocol.merkle import leaf_hash
from fairshoe.terminal.files import check_writable, make_folder

from ..verify.evidence.log_lines import LogLines

NAME_DIGITS = 32


def state_files(folder: Path, logs: Sequence[Path]) -> list[Path]:
    """Return a log's file in the folder, which is made, named by the log's first entry: the same wherever the log lies
    next time. Raises InputError for two logs that begin alike, LogError."""
    files = []
    for log in logs:
        name = leaf_hash(next(iter(LogLines(log)), b"")).hex()[:NAME_DIGITS]
        files.append(folder / f"{name}.json")
        if files.count(files[-1]) > 1:
            what, remedy = "another log of this report begins with the same entry", "leave one of them, or --resume"
            raise InputError(what, where=str(log), remedy=remedy)
    make_folder(folder)
    for file in files:
        check_writable(file, logs)
    return files
