"""The lines of a log's file, and which table each is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from fairshoe.log.canonical import MAX_ENTRY

CHUNK = 1 << 20
MOST_KEPT = 128
_SHOE, _TABLE, _KIND = b'"shoe":"', b'"table":"', b'"kind":"'
_FIRST = b'{"at":"'
_AT = re.compile(rb'"at":"([^"\\]{27})"')


class OnePass(Exception):
    """The log is to be audited in one pass: something was found, or is of no single table."""


def batches(path: Path, size: int, told: Callable[[bytes], object]) -> Iterator[list[bytes]]:
    """The lines in the first bytes of a file, where one ends: without their line feeds. `told` hears all the bytes.
    Raises OnePass."""
    rest = b""
    with open(path, "rb") as file:
        while size:
            chunk = file.read(min(size, CHUNK))
            if not chunk or len(rest) > MAX_ENTRY:
                raise OnePass
            told(chunk)
            size -= len(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            yield whole
    if rest:
        raise OnePass


def table_of_line(line: bytes) -> bytes:
    """The table that an entry names, or its shoe's id; b"" where there is neither.

    Of a line that is no honest entry, or of a shoe without a table, it may be anything: but the same wherever it is
    asked.
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


def time_of_line(line: bytes) -> str:
    """The time that an entry says. Raises OnePass where it says none; whether it is one is not looked at."""
    if line.startswith(_FIRST):
        return line[7:34].decode(errors="replace")
    found = _AT.search(line)
    if found is None:
        raise OnePass
    return found[1].decode(errors="replace")


def kind_of_line(line: bytes) -> bytes:
    at = line.find(_KIND)
    return line[at + 8 : line.find(b'"', at + 8)] if at >= 0 else b""
