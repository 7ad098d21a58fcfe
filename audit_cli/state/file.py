"""The file from which an audit goes on: what an earlier one knew, and of which log, key and options.

Whoever can write it can make the next audit pass: it is as trusted as the reader's own disk. Its digest finds
accidents only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError, LogError
from fairshoe.terminal.durable import replace
from fairshoe.terminal.files import exists, read_utf8

from ..findings.report import TOOL

VERSION = 1
FORM = "fairshoe-audit state"
MOST = 1 << 30
"""The most bytes of such a file; one has some 10 KB for each table in play."""
DELETE = "delete the file to audit from the start"


class Kept(NamedTuple):
    """What is kept: `note`, the signed checkpoint that the audit ended at; its `size` and `root` in hex; `bound`, what
    was given with the log; `known`, what the audit knew."""

    note: str
    size: int
    root: str
    bound: Mapping[str, Any]
    known: Mapping[str, Any]


def write(path: Path, kept: Kept) -> None:
    """Write the file whole or leave it as it was. Raises LogError."""
    text = _text({"form": FORM, "version": VERSION, "tool": TOOL, **kept._asdict()})
    try:
        replace(path, f'{{"state":{text},"sha256":"{_digest(text)}"}}\n')
    except OSError as error:
        what = f"cannot write: {error.strerror}"
        raise LogError(what, where=str(path), remedy="check the folder and the free space") from None


def read(path: Path, bound: Mapping[str, Any]) -> Kept | None:
    """What the file keeps, or None where there is no such file. Raises InputError where it is damaged, or was made
    with something else than `bound`."""
    if not exists(path):
        return None
    try:
        form = json.loads(read_utf8(path, MOST))
        state, digest = form["state"], form["sha256"]
        named = state["form"], state["version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _refused(path, "not a state of fairshoe-audit, or damaged") from None
    if digest != _digest(_text(state)):
        raise _refused(path, "damaged: it is not as it was written")
    if named != (FORM, VERSION) or state["tool"] != TOOL:
        raise _refused(path, f"written by {state.get('tool')}", f"one by {TOOL}")
    for name, value in bound.items():
        if state["bound"].get(name) != value:
            raise _refused(path, f"made with {name} {state['bound'].get(name)}", f"{name} {value}")
    return Kept(*(state[name] for name in Kept._fields))


def _text(state: Mapping[str, Any]) -> str:
    return json.dumps(state, separators=(",", ":"))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _refused(path: Path, what: str, expected: str = "") -> InputError:
    return InputError(what, where=str(path), expected=expected, remedy=DELETE)
