"""A log read twice: what the auditor says of it, and what `fairshoe/verifier` says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from audit_cli.verify import verify
from fairshoe.errors import FairshoeError

from .node import node

SUPPORT = Path(__file__).parent / "support"
AT_ONCE = 200
LIMIT = 600  # seconds


class Reading(NamedTuple):
    """The verdict, and the first entry that fails."""

    verdict: str
    first: int | None


def first_reading(log: Path) -> Reading:
    """What the auditor says: `newer` where the log is of a later version."""
    try:
        report = verify(log)
    except FairshoeError as error:
        if "written by a newer fairshoe" not in str(error):
            raise
        return Reading("newer", None)
    places = [finding.entry for finding in report.findings if finding.severity == "fail"]
    return Reading(report.as_json()["verdict"], min((place for place in places if place is not None), default=None))


def second_readings(logs: Sequence[Path]) -> Iterator[Reading]:
    """What the second reading says of each log."""
    for told in said("audits.mjs", logs):
        yield Reading(told["verdict"], told["first"])


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


def differences(folder: Path, logs: Iterable[tuple[str, Sequence[bytes]]]) -> list[Difference]:
    """Write each log, by its name and lines, have both read it, and say where they differ."""
    found, left = [], iter(logs)
    while some := list(islice(left, AT_ONCE)):
        paths = []
        for number, (_, lines) in enumerate(some):
            paths.append(folder / f"{number}.jsonl")
            paths[-1].write_bytes(b"".join(line + b"\n" for line in lines))
        for (name, _), path, second in zip(some, paths, second_readings(paths), strict=True):
            first = first_reading(path)
            if first != second:
                found.append(Difference(name, first, second))
    return found
