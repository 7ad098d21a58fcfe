"""The log before the one that is audited: where a house says that it lost one, its shoes in play must be named."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import FairshoeError, InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.directory import VERIFIER
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.protocol.commitment import commitment_of

from ..findings.report import Report
from .head import beside, verifier_given

OPTION = "--remember"
SHORT, OTHERS = "remembered-longer", frozenset(("remembered-differs", "memory-differs"))
"""Codes by which the old log's own report says that it is not what the named checkpoint covers."""
ABOUT_THE_NAMED = OTHERS | {SHORT, "remembered-unsigned", "remembered-other-log"}


class Before(NamedTuple):
    """A log before, as the reader gives it; `key`: its house's verifier key or a file with it, known from elsewhere."""

    log: Path
    key: str | None = None

    @property
    def verifier(self) -> Verifier | None:
        """That key, or the one that came with the log. Raises InputError for a key that is none."""
        if self.key is not None:
            return verifier_given(self.key, OPTION)
        text = beside(self.log, VERIFIER)
        with suppress(InputError):
            return None if text is None else verifier_of(text)
        return None


class Continued(NamedTuple):
    """What the first entries of a log say of the one before: the `note` of its newest checkpoint, and the shoes that
    were in play there, each with its key in hex or None."""

    note: str
    lost: list[tuple[str, str | None]]


class Old(NamedTuple):
    """The log before as it was audited, with the named checkpoint as a remembered one: `live` are its shoes in play by
    id, with their commitments."""

    report: Report
    live: Mapping[str, str]


def check_before(report: Report, before: Before, continued: Continued, old: Old) -> dict[str, Any]:
    """Report what the log before does not bear out; returns what it is, for the parameters of the report."""
    verdict, log = old.report.as_json()["verdict"], old.report.log
    named = _opened(continued.note, before.verifier)
    found = f"{log.origin or 'a log without a checkpoint'}, {log.size:,} entries: {verdict}"
    report.add("log-before-audited", entry=0, field="continues", found=found)
    report.checked("completeness")
    if before.key is None:
        report.leave("signature", f"the signature of the log before, for want of its key ({OPTION})")
    if not old.report.complete:
        report.leave("completeness", "some of the log before: its own report says what")
    _check(report, continued, old, named)
    return {"origin": log.origin, "size": log.size, "root": log.root, "key": before.key and str(before.verifier)}


def _opened(note: str, verifier: Verifier | None) -> Checkpoint | None:
    with suppress(InputError, VerificationError):
        return None if verifier is None else open_checkpoint(note, verifier)
    return None


def _check(report: Report, continued: Continued, old: Old, named: Checkpoint | None) -> None:
    size = old.report.log.size
    if named is None:
        expected = "a checkpoint by the key of the log before"
        report.add("log-before-other", entry=0, field="continues", expected=expected, found=old.report.log.origin)
        return
    failed = {group.code.code for group in old.report.groups if group.code.severity == "fail"}
    if failed - ABOUT_THE_NAMED:
        report.add("log-before-failed", entry=0, found=", ".join(sorted(failed - ABOUT_THE_NAMED)))
    if old.report.doubtful:
        return
    if SHORT in failed:
        report.add("log-before-short", entry=0, field="continues", expected=named.size, found=size)
    elif failed & OTHERS:
        report.add("log-before-differs", entry=0, field="continues", expected=named.root.hex(), found="another root")
    else:
        _check_lost(report, continued, old)
        if size > named.size:
            report.add("log-before-longer", entry=0, field="continues", expected=size, found=named.size)


def _check_lost(report: Report, continued: Continued, old: Old) -> None:
    for shoe, key in continued.lost:
        if shoe in old.live and key is not None and _digest(key) != old.live[shoe]:
            found = f"{shoe}: its key hashes to {_digest(key)}"
            report.add("lost-key-differs", entry=0, field="lost", expected=old.live[shoe], found=found)
    for shoe in sorted(old.live.keys() - {shoe for shoe, _ in continued.lost}):
        report.add("lost-left-out", entry=0, field="lost", expected=shoe)


def _digest(key: str) -> str:
    try:
        return commitment_of(bytes.fromhex(key))
    except (ValueError, FairshoeError):
        return "nothing"


def check_unnamed(report: Report) -> None:
    """A log before was given, and this log names none."""
    report.add("log-before-unnamed", entry=0, field="continues", expected="the newest checkpoint of the log before")
