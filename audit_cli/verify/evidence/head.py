"""The signed checkpoint beside a log: whose it is, and whether the log is the one that was signed. A verifier key as
the reader gives it, the house's or a witness's, is the key itself or a file with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.checkpoint import Checkpoint, CosignerKey, checkpoint_of, cosigner_key_of
from fairshoe.log.directory import CHECKPOINT, VERIFIER, read_text
from fairshoe.log.note import Verifier, form_of, key_id, open_note, signatures_of, verifier_of
from fairshoe.terminal.files import is_stdin

from ..findings.report import Report

_KEY = re.compile(r"\s*(?:PRIVATE\+KEY\+|[^\s+]+\+[0-9a-f]{8}\+)", re.ASCII)


def read_house_key(key: str) -> Verifier:
    """Return the house's key. Raises InputError, which says what was given instead and does not repeat it."""
    return verifier_of(key_text(key, "the house's verifier key", "--key"))


def read_witness_key(key: str) -> CosignerKey:
    """A witness's key. Raises InputError."""
    return cosigner_key_of(key_text(key, "a witness's verifier key", "--witness"))


def key_text(key: str, whose: str, option: str) -> str:
    """Return the text of a key, or the text that was given in its place."""
    if _KEY.match(key):
        return key
    text = read_text(Path(key)) if key and _is_there(Path(key)) else None
    if text is not None:
        return text
    if form_of(key) is None:
        raise InputError(
            "no such file, and not a verifier key", where=option, expected=f"{whose}, name+id+base64, or a file with it"
        )
    return key


def _is_there(file: Path) -> bool:
    with suppress(OSError, ValueError):
        return is_stdin(file) or file.exists()
    return False


INVALID = "signature-invalid"
NO_CHECKPOINT = "for want of a checkpoint"
NO_KEY = "the signature, for want of the house's key (--key)"
ENTRIES = "whether the entries are those that the house signed"


class HouseEvidence(NamedTuple):
    """The checkpoint beside the log, if readable, and a verifier key. `is_given`: the key is known from elsewhere, and
    did not come with the log. `signed`: it fits the signature. `forged`: the code of the finding that the checkpoint is
    not what was signed. `note`: its text with signatures."""

    checkpoint: Checkpoint | None
    verifier: Verifier | None
    is_given: bool
    signed: bool = False
    forged: str | None = None
    note: str | None = None

    @property
    def origin(self) -> str | None:
        """The name of the log that this is said to be."""
        if self.checkpoint is not None:
            return self.checkpoint.origin
        return None if self.verifier is None else self.verifier.name


def head_of(log: Path, given: Verifier | None, report: Report, *, required: bool) -> HouseEvidence:
    """Read the checkpoint beside a log and check its signature with any key at hand. `required`: report a missing
    checkpoint. Raises InputError for a file that cannot be read."""
    note = read_beside(log, CHECKPOINT)
    verifier = _read_bundled_key(log, report) if given is None else given
    if note is None:
        report.add("checkpoint-required" if required else "checkpoint-missing", expected=CHECKPOINT)
        if not required:
            report.leave("signature", f"the signature, {NO_CHECKPOINT}")
        report.leave("tree", f"{ENTRIES}, {NO_CHECKPOINT}")
        return HouseEvidence(None, verifier, given is not None)
    if given is None:
        report.leave("signature", NO_KEY)
    try:
        checkpoint = checkpoint_of(note)
        signatures_of(note)
    except (InputError, VerificationError) as error:
        report.add("checkpoint-malformed", field=CHECKPOINT, expected=error.expected, found=error.what)
        report.leave("tree", f"{ENTRIES}, for want of a checkpoint that can be read")
        return HouseEvidence(None, verifier, given is not None)
    if given is not None:
        report.checked("signature")
    code = None if verifier is None else _check_signature(note, checkpoint, verifier, report)
    signed, forged = verifier is not None and code is None, code if code == INVALID else None
    return HouseEvidence(checkpoint, verifier, given is not None, signed, forged, note)


def _read_bundled_key(log: Path, report: Report) -> Verifier | None:
    """Return the key that came with the log, where there is one."""
    text = read_beside(log, VERIFIER)
    try:
        return None if text is None else verifier_of(text)
    except InputError as error:
        report.add("checkpoint-malformed", field=VERIFIER, expected=error.expected, found=error.what)
        return None


def read_beside(log: Path, name: str) -> str | None:
    """A small file beside a log, where there is one. Raises InputError."""
    return None if is_stdin(log) else read_text((log if log.is_dir() else log.parent) / name)


def _check_signature(note: str, checkpoint: Checkpoint, verifier: Verifier, report: Report) -> str | None:
    """Whether the key signed the checkpoint; else the code of the finding, which is reported."""
    if checkpoint.origin != verifier.name or not is_signed_by(note, verifier):
        names = [f"{name}+{id.hex()}" for name, id, _ in signatures_of(note)[1]]
        found = f"{checkpoint.origin}, signed by {', '.join(names)}"
        report.add("key-differs", field=CHECKPOINT, expected=f"{verifier.name}+{verifier.id.hex()}", found=found)
        return "key-differs"
    try:
        open_note(note, verifier)
    except VerificationError as error:
        report.add(INVALID, field=CHECKPOINT, expected=error.expected, found=error.what)
        return INVALID
    return None


def is_signed_by(note: str, verifier: Verifier) -> bool:
    """Whether a signature below the note says that it is by this key. VerificationError."""
    return any(signature[:2] == verifier[:2] for signature in signatures_of(note)[1])


def has_signed(note: str, verifier: Verifier) -> bool:
    """Whether a signature below the note is by this key's public part, under whatever name."""
    try:
        signatures = signatures_of(note)[1]
    except VerificationError:
        return False
    for name in dict.fromkeys(signature.name for signature in signatures):
        with suppress(VerificationError):
            open_note(note, Verifier(name, key_id(name, verifier.public), verifier.public))
            return True
    return False


class LogHeads(NamedTuple):
    """The number of entries, the tree heads by size, and how many entries the house surely signed. `short`, `changed`:
    codes of findings that explain missing or changed entries."""

    size: int
    roots: Mapping[int, bytes]
    proven: int = 0
    short: str | None = None
    changed: str | None = None


def check_head(report: Report, head: HouseEvidence, walked: LogHeads) -> LogHeads:
    """Hold a log against the checkpoint beside it; adds to `walked` what that says of the entries."""
    signed = head.checkpoint
    if signed is None:
        return walked
    report.checked("tree")
    root = walked.roots.get(signed.size)
    short, changed = walked.short, walked.changed
    if root is None:
        short = walked.short or head.forged
        report.add("log-truncated", entry=walked.size, expected=signed.size, found=walked.size, follows=short)
        short = short or "log-truncated"
    elif root != signed.root:
        report.add("root-differs", expected=signed.root.hex(), found=root.hex(), follows=head.forged)
        changed = head.forged or "root-differs"
    if walked.size > signed.size:
        report.add("entries-unsigned", entry=signed.size, expected=signed.size, found=walked.size, follows=head.forged)
    proven = signed.size if head.signed and root == signed.root else 0
    return walked._replace(proven=proven, short=short, changed=changed)
