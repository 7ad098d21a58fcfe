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


Lost = list[tuple[str, str | None]]
"""The shoes that a log says were in play in the one before it, each with its key in hex or None."""


def check_before(
    report: Report, before: Before, named: tuple[str, Lost], old: Report, live: Mapping[str, str]
) -> dict[str, Any]:
    """Report what the log before does not bear out; returns what it is, for the parameters of the report.

    `named`: the note of its newest checkpoint, as the log's first entries say it, and the shoes lost. `old`: the report
    on the log before, with that checkpoint as a remembered one; `live`: its shoes in play, with their commitments.
    """
    verdict, log = "fail" if old.failed else "pass", old.log
    note, lost = named
    checkpoint = _opened(note, before.verifier)
    found = f"{log.origin or 'a log without a checkpoint'}, {log.size:,} entries: {verdict}"
    report.add("log-before-audited", entry=0, field="continues", found=found)
    report.checked("completeness")
    if before.key is None:
        report.leave("signature", f"the signature of the log before, for want of its key ({OPTION})")
    if not old.complete:
        report.leave("completeness", "some of the log before: its own report says what")
    if checkpoint is None:
        expected = "a checkpoint by the key of the log before"
        report.add("log-before-other", entry=0, field="continues", expected=expected, found=log.origin)
    elif _check(report, checkpoint, old):
        _check_lost(report, lost, live)
        if log.size > checkpoint.size:
            report.add("log-before-longer", entry=0, field="continues", expected=log.size, found=checkpoint.size)
    return {"origin": log.origin, "size": log.size, "root": log.root, "key": before.key and str(before.verifier)}


def _opened(note: str, verifier: Verifier | None) -> Checkpoint | None:
    with suppress(InputError, VerificationError):
        return None if verifier is None else open_checkpoint(note, verifier)
    return None


def _check(report: Report, named: Checkpoint, old: Report) -> bool:
    """Whether the log before begins with the entries that the named checkpoint covers."""
    failed = {group.code.code for group in old.groups if group.code.severity == "fail"}
    if failed - ABOUT_THE_NAMED:
        report.add("log-before-failed", entry=0, found=", ".join(sorted(failed - ABOUT_THE_NAMED)))
    if old.doubtful:
        return False
    if SHORT in failed:
        report.add("log-before-short", entry=0, field="continues", expected=named.size, found=old.log.size)
    elif failed & OTHERS:
        report.add("log-before-differs", entry=0, field="continues", expected=named.root.hex(), found="another root")
    return not failed & {SHORT, *OTHERS}


def _check_lost(report: Report, lost: Lost, live: Mapping[str, str]) -> None:
    for shoe, key in lost:
        if shoe in live and key is not None and _digest(key) != live[shoe]:
            found = f"{shoe}: its key hashes to {_digest(key)}"
            report.add("lost-key-differs", entry=0, field="lost", expected=live[shoe], found=found)
    for shoe in sorted(live.keys() - {shoe for shoe, _ in lost}):
        report.add("lost-left-out", entry=0, field="lost", expected=shoe)


def _digest(key: str) -> str:
    try:
        return commitment_of(bytes.fromhex(key))
    except (ValueError, FairshoeError):
        return "nothing"
