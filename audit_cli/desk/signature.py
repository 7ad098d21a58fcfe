"""A reviewer's signature: the report's JSON as a C2SP note; and the check of a signed report against its logs again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import open_note, verifier_of
from fairshoe.terminal.files import read_utf8

from ..report.cover import Cover
from ..report.run import ReportResult
from ..verify.evidence.head import key_text
from .exceptions import ReportedException
from .histories import head_of
from .previous import MAX_REPORT_BYTES, report_in
from .report import ReportOptions, desk_report

AS_SIGNED = ("the cover", "the names of the logs", "who decided what about an exception", "what an earlier report said")
"""What stands in no log."""
RECHECKED = {"key": "the house's --key", "remembered": "--checkpoint", "witnesses": "--witness"}
"""By name in an audit's parameters, what brings them."""


def read_signed(file: Path, key: str) -> dict[str, Any]:
    """Read a report's JSON, signed by the reviewer's key. Raises InputError."""
    note = read_utf8(file, MAX_REPORT_BYTES)
    verifier = verifier_of(key_text(key, "the reviewer's verifier key", "--reviewer"))
    if "\n\n— " not in note:
        remedy = "give what `fairshoe-audit report --sign` wrote"
        raise InputError("the report is not signed", where=str(file), expected=str(verifier), remedy=remedy)
    try:
        open_note(note, verifier)
    except VerificationError as error:
        what, remedy = "the reviewer's key did not sign this", "ask who signed it for the key and for the file"
        raise InputError(what, where=str(file), expected=error.expected, remedy=remedy) from None
    return report_in(note, str(file))


def log_places(
    signed: Mapping[str, Any], results: Sequence[ReportResult], logs: Sequence[Path]
) -> dict[int, tuple[ReportResult, Path]]:
    """Return the given logs by their places in a report, with the names that it has for them: those with its tree
    heads, then those that begin alike; if all are given, the others in their order. Raises InputError for a log that
    has no place."""
    told, rest = [*map(head_of, signed["logs"])], [*zip(results, logs, strict=True)]
    found: dict[int, tuple[ReportResult, Path]] = {}
    for parts in (["root"], ["origin", "first"], *([[]] if len(rest) == len(told) else [])):
        for place, (name, head) in enumerate(told):
            alike = [each for each in rest if all(getattr(each[0].audit.log, at) == getattr(head, at) for at in parts)]
            if alike and place not in found:
                rest.remove(alike[0])
                found[place] = alike[0][0]._replace(name=name), alike[0][1]
    if rest:
        remedy = "give the report's logs, each once"
        raise InputError("this log is none of the report's", where=str(rest[0][1]), remedy=remedy)
    return found


def differing(signed: Mapping[str, Any], cover: Cover, given: Mapping[int, tuple[ReportResult, Path]]) -> list[str]:
    """Return the places where a report differs from that of the `given` logs, made again just now with its `cover`;
    without all of its logs only what it says of each of these. What stands in no log (`AS_SIGNED`) is taken as signed.
    Raises InputError, also without what an audit was given then, and LogError."""
    for place, (result, _) in sorted(given.items()):
        now = result.audit.parameters
        for name, value in signed["logs"][place]["audit"]["parameters"].items():
            if value and not now.get(name):
                option = RECHECKED.get(name, f"--{name}")
                what = f"this log was audited with {option}, and now without"
                raise InputError(what, where=result.name, expected=str(value), remedy=f"give {option}")
    if len(given) < len(signed["logs"]):
        pairs = ((place, json.loads(json.dumps(result.as_json()))) for place, (result, _) in sorted(given.items()))
        return [each for place, form in pairs for each in _differing(f"logs[{place}]", signed["logs"][place], form)]
    results, logs = zip(*(given[place] for place in sorted(given)), strict=True)
    try:
        options = ReportOptions(**signed["options"])
        rows = signed["sections"]["exceptions"]["data"]
        known = {row["id"]: _exception(row) for row in rows if not row["new"]}
        last = signed["sections"].get("previous")
        asked = [_exception(row) for row in last["data"]["asked"]] if last else []
    except (KeyError, TypeError):
        raise InputError("no report of this version", where="recheck", remedy="make the report again") from None
    remade = json.loads(json.dumps(desk_report(results, logs, cover, options, known, asked=asked).as_json()))
    sections = {name: section for name, section in signed["sections"].items() if name != "previous"}
    return list(_differing("", {**signed, "cover": remade["cover"], "sections": sections}, remade))


def _exception(row: Mapping[str, str]) -> ReportedException:
    return ReportedException(*(row[name] for name in ReportedException._fields))


def _differing(place: str, one: Any, other: Any) -> Iterator[str]:
    """Yield where two forms differ, down to the smallest part that both have."""
    if type(one) is type(other) is dict and one.keys() == other.keys():
        for name in one:
            yield from _differing(f"{place}.{name}" if place else name, one[name], other[name])
    elif type(one) is type(other) is list and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from _differing(f"{place}[{number}]", *pair)
    elif one != other:
        yield place or "the report"
