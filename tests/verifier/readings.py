"""A log read twice: what the auditor says of it, and what `fairshoe/web/verifier` says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from audit_cli.main import main

from .node import node

SUPPORT = Path(__file__).parent / "support"
AT_ONCE = 200
LIMIT = 600  # seconds


CODES = {"pass": 0, "fail": 1, "newer": 2, "none": 2}
"""The exit code that goes with each verdict."""


class Reading(NamedTuple):
    """The verdict (`newer`: the log is of a later version; `none`: it is no log), the first entry that fails, and the
    exit code."""

    verdict: str
    first: int | None
    code: int


def reading(verdict: str, first: int | None = None) -> Reading:
    """Return a reading with the exit code that goes with its verdict."""
    return Reading(verdict, first, CODES[verdict])


def first_reading(log: Path) -> Reading:
    """Return what the auditor says of a log, and how it ends."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        beside = (log if log.is_dir() else log.parent) / "notes.jsonl"
        notes = ["--notes", str(beside)] if beside.is_file() else []
        code = main(["verify", str(log), "--format", "json", "--jobs", "1", *notes])
    if code > 1:
        return Reading("newer" if "written by a newer fairshoe" in out.getvalue() else "none", None, code)
    report = json.loads(out.getvalue())
    places = [finding["entry"] for finding in report["findings"] if finding["severity"] == "fail"]
    first = min((place for place in places if place is not None), default=None)
    return Reading(report["verdict"], first, code)


def second_readings(logs: Sequence[Path]) -> Iterator[Reading]:
    """Yield what the second reading says of each log, and how it ends."""
    for told in said("audits.mjs", logs):
        yield Reading(**told)


def second_outcomes(proofs: Sequence[Path], key: str) -> list[str]:
    """What the second reading says of each proof of a hand: `refused` where it is none."""
    return list(said("hands.mjs", proofs, key))


def said(script: str, paths: Sequence[Path], *before: str) -> Iterator[Any]:
    """What a script of `support` says of each path, a line of JSON at a time."""
    command = [node(), str(SUPPORT / script), *before, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    return map(json.loads, done.stdout.splitlines())


class Difference(NamedTuple):
    """A log of which the two say different things."""

    name: str
    first: Reading
    second: Reading


def differences(folder: Path, logs: Iterable[tuple[str, Sequence[bytes] | bytes]]) -> list[Difference]:
    """Write each log, by its name and its lines or the whole file, have both read it, and say where they differ."""
    found, left = [], iter(logs)
    while some := list(islice(left, AT_ONCE)):
        paths = []
        for number, (_, lines) in enumerate(some):
            paths.append(folder / f"{number}.jsonl")
            paths[-1].write_bytes(lines if isinstance(lines, bytes) else b"".join(line + b"\n" for line in lines))
        for (name, _), path, second in zip(some, paths, second_readings(paths), strict=True):
            first = first_reading(path)
            if first != second:
                found.append(Difference(name, first, second))
    return found
