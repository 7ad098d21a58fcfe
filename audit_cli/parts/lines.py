"""The lines of a stretch of a log's file, and which table each is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import lt
from pathlib import Path
from typing import BinaryIO

from fairshoe.log.canonical import MAX_ENTRY

CHUNK = 1 << 20
MOST_KEPT = 128
_SHOE, _TABLE, _KIND = b'"shoe":"', b'"table":"', b'"kind":"'
_FIRST = b'{"at":"'
_AT = re.compile(rb'"at":"([^"\\]{27})"')


class NotInParts(Exception):
    """The log is to be audited in one pass: something was found in a part, or cannot be told apart."""


def border(file: BinaryIO, near: int) -> int:
    """Where the first line begins that does not begin before the byte `near`."""
    if near == 0:
        return 0
    file.seek(near - 1)
    line = file.readline(MAX_ENTRY + 2)
    if not line.endswith(b"\n"):
        raise NotInParts
    return near - 1 + len(line)


def batches(path: Path, begin: int, end: int) -> Iterator[list[bytes]]:
    """The lines from the byte `begin`, where one begins, to `end`, where one has ended: without their line feeds."""
    rest, left = b"", end - begin
    with open(path, "rb") as file:
        file.seek(begin)
        while left:
            chunk = file.read(min(left, CHUNK))
            if not chunk or len(rest) > MAX_ENTRY:
                raise NotInParts
            left -= len(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            yield whole
    if rest:
        raise NotInParts


def table_of_line(line: bytes) -> bytes:
    """The table that an entry names, or its shoe's id; b"" where there is neither.

    Of a line that is no honest entry, or of a shoe without a table, it may be anything: but the same wherever it is
    asked, and no table's name.
    """
    at = line.rfind(_SHOE)
    if at >= 0:
        end = line[at:]
        return _table_of_end(end) if len(end) <= MOST_KEPT else _table_of_end.__wrapped__(end)
    at = line.rfind(_TABLE)
    return line[at + 9 : line.find(b'"', at + 9)] if at >= 0 else b""


@lru_cache(maxsize=1 << 12)
def _table_of_end(end: bytes) -> bytes:
    """Of what stands in a line from the shoe's name on."""
    return end[8 : end.rfind(b"/", 8, end.find(b'"', 8))]


def shoe_of_line(line: bytes) -> str:
    """The id of the shoe that an entry names, if it names one."""
    at = line.rfind(_SHOE)
    return line[at + 8 : line.find(b'"', at + 8)].decode(errors="replace") if at >= 0 else ""


def time_of_line(line: bytes) -> bytes:
    """The time that an entry says. Raises NotInParts where it says none; whether it is one is not looked at."""
    if line.startswith(_FIRST):
        return line[7:34]
    found = _AT.search(line)
    if found is None:
        raise NotInParts
    return found[1]


def check_time(lines: Sequence[bytes], after: bytes) -> bytes:
    """Time rises from entry to entry, and from `after`. Gives that of the last one. Raises NotInParts."""
    times = [after, *map(time_of_line, lines)]
    if not all(map(lt, times, times[1:])):
        raise NotInParts
    return times[-1]


def kind_of_line(line: bytes) -> bytes:
    at = line.find(_KIND)
    return line[at + 8 : line.find(b'"', at + 8)] if at >= 0 else b""
