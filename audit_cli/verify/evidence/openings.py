"""Read a file of openings, as `fairshoe pull` keeps it beside a log."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from fairshoe.errors import InputError, NotCanonical, VerificationError
from fairshoe.log.canonical import parse
from fairshoe.log.directory import OPENINGS
from fairshoe.protocol.openings import Opening, opening_of
from fairshoe.terminal.files import is_stdin, read_utf8

MAX_BYTES = 1 << 28


def find_openings(log: Path) -> Path | None:
    """Return the file of openings in a log's directory; None if there is none."""
    file = (log if log.is_dir() else log.parent) / OPENINGS
    return file if file.is_file() and not is_stdin(log) else None


def openings_in(file: Path) -> dict[str, list[Opening]]:
    """Return the openings of a file by their shoes. Raises InputError."""
    found: dict[str, list[Opening]] = defaultdict(list)
    try:
        for line in filter(None, read_utf8(file, MAX_BYTES).split("\n")):
            form = parse(line.encode())
            if type(form["shoe"]) is not str:
                raise TypeError
            found[form["shoe"]].append(opening_of(form["opening"]))
    except (TypeError, LookupError, NotCanonical, VerificationError):
        expected = '{"shoe": …, "opening": …} on each line'
        raise InputError("not openings", where=str(file), expected=expected) from None
    return dict(found)
