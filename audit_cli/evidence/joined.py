"""Two logs in one file, one after the other: where the second begins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import open_entries
from fairshoe.log.times import is_moment
from fairshoe.log.tree import Tree

from .reading import GLUED, Reading


def before_signed(log: Path, signed: Checkpoint) -> int:
    """How many lines of something else stand before the ones that `signed` covers; 0 where none do.

    Only a file that is longer than what was signed, and does not begin with it, is read for that.
    """
    if not signed.size or _most_entries(Reading(log).path) <= signed.size:
        return 0
    lines = iter(Reading(log))
    if _root(islice(lines, signed.size)) == signed.root:
        return 0
    more = sum(1 for _ in lines)
    return more if more and _root(islice(Reading(log), more, None)) == signed.root else 0


def begins_again(line: bytes, first: bytes, last_at: str) -> bool:
    """Whether another log begins with this line: the first line comes again, or time goes back."""
    at = line[7:34].decode("ascii", errors="replace")
    return line == first or (is_moment(at) and at < last_at)


def until_again(lines: Iterator[bytes], ended: list[int]) -> Iterator[bytes]:
    """The lines up to where the first one comes again; its number is put into `ended`."""
    first = next(lines, None)
    if first is None:
        return
    yield first
    for number, line in enumerate(lines, 1):
        if line == first:
            ended.append(number)
            return
        yield line


def _most_entries(path: Path) -> int:
    """At least as many as there are entries in a file, counted without a look at them."""
    count, last = 1, b""
    with open_entries(path) as file:
        while chunk := file.read(1 << 20):
            count += chunk.count(b"\n") + (last + chunk).count(GLUED)
            last = chunk[-len(GLUED) + 1 :]
    return count - (last[-1:] == b"\n")


def _root(lines: Iterator[bytes]) -> bytes:
    tree = Tree()
    for line in lines:
        tree.append(line)
    return tree.root
