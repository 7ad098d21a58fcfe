"""Where the log in a directory and the one that a house gives part."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..client.log import LogAt
from ..log.directory import read_lines
from ..log.tree import Tree


class Difference(NamedTuple):
    """The first entry that differs or is missing on a side, if any does; `root` is that of the service's entries."""

    entry: int | None
    root: bytes


def first_difference(source: LogAt, log: Path, size: int) -> Difference:
    """Compare the first `size` entries. Raises LogError, Problem, Unreachable."""
    here = read_lines(log) if log.exists() else iter(())
    tree, entry = Tree(), None
    for line in source.entries(0, size) if size else ():
        if entry is None and next(here, b"") != line + b"\n":
            entry = tree.size
        tree.append(line)
    if entry is None and tree.size < size:
        entry = tree.size
    return Difference(entry, tree.root)
