"""A log as somebody remembers it: by a checkpoint that was kept, such as the one beside an earlier copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairshoe.errors import InputError, NotALog, VerificationError
from fairshoe.log.checkpoint import GIVE_AS_KEPT, checkpoint_of
from fairshoe.log.directory import CHECKPOINT, ENTRIES, PACKED
from fairshoe.log.note import open_note, signatures_of
from fairshoe.terminal.files import GET_AGAIN, is_stdin, open_to_read
from fairshoe.terminal.formats import BOM, HEAD

from ..findings.report import Report
from .head import HouseEvidence, LogHeads, has_signed, is_signed_by
from .histories import is_proof, note_in
from .log_lines import form_at_sight

WANTED = "a checkpoint, or an earlier copy of the log with the checkpoint beside it"


class RememberedHead:
    """A kept checkpoint, and at the walk's end whether the log extends it; which entry differs it cannot tell."""

    def __init__(self, note: str) -> None:
        self.note = note
        self.checkpoint = checkpoint_of(note)

    def conclude(self, report: Report, head: HouseEvidence, walked: LogHeads) -> dict[str, Any]:
        """Report what does not fit; returns what the log was held against, for the parameters of the report."""
        report.checked("remembered")
        old, root = self.checkpoint, walked.roots.get(self.checkpoint.size)
        held = {"origin": old.origin, "size": old.size, "root": old.root.hex()}
        proven, doubt = proof_of(self.note, head)
        renamed = head.origin is not None and old.origin != head.origin
        key, notes = head.verifier, (self.note, head.note or "")
        if renamed and root != old.root and (key is None or not all(has_signed(note, key) for note in notes)):
            report.add("remembered-other-log", field="origin", expected=head.origin, found=old.origin)
            return held
        if renamed:
            report.add("memory-differs", field="origin", expected=old.origin, found=head.origin)
            doubt = ""
        if doubt:
            signed = "a signature" if head.verifier is None else f"a signature by {head.verifier}"
            report.add("remembered-unsigned", expected=signed, found=doubt)
        elif root is None:
            size = walked.size
            report.add("remembered-longer", entry=size, expected=old.size, found=size, follows=walked.short)
        elif root != old.root:
            signed_both = proven and old.size <= walked.proven
            code, follows = ("remembered-differs", None) if signed_both else ("memory-differs", walked.changed)
            field, expected = f"entries 0 to {old.size - 1}", old.root.hex()
            report.add(code, field=field, expected=expected, found=root.hex(), follows=follows)
        return held


def proof_of(note: str, head: HouseEvidence) -> tuple[bool, str]:
    """Return whether the house's key signed a checkpoint, and why it does not count. By the key that came with the log
    alone another key's signature is neither."""
    try:
        signatures_of(note)
        if head.verifier is None or not (head.is_given or is_signed_by(note, head.verifier)):
            return False, ""
        open_note(note, head.verifier)
    except VerificationError as error:
        return False, error.what
    return True, ""


def read_remembered(path: Path) -> RememberedHead:
    """Read a kept checkpoint: a file, the one beside a log, or the one in a proof. Raises InputError, LogError."""
    file = path / CHECKPOINT if path.is_dir() else path.parent / CHECKPOINT if path.name in (ENTRIES, PACKED) else path
    if not is_stdin(file) and file.exists() and not is_proof(file):
        with open_to_read(file) as opened:
            head = opened.read(HEAD)
        form = form_at_sight(head)
        if form is not None and "checkpoint" not in form.what:
            remedy = form.remedy or GET_AGAIN
            raise InputError(f"{form.what}, not a checkpoint", where=str(file), expected=WANTED, remedy=remedy)
        if head.removeprefix(BOM).startswith(b"{"):
            raise InputError("entries, not a checkpoint", where=str(file), expected=WANTED, remedy="name its folder")
    text = note_in(file)
    if text is None:
        raise NotALog("no such file", where=str(file), expected=WANTED)
    remembered = RememberedHead(text)
    try:
        if "\n\n" in text:
            signatures_of(text)
    except VerificationError as error:
        raise InputError(error.what, where=str(file), expected=error.expected, remedy=GIVE_AS_KEPT) from None
    return remembered
