"""A signed note over a report (c2sp.org/signed-note): who made it, and that it was not changed since."""

from __future__ import annotations

import hashlib
from pathlib import Path

from fairshoe.errors import InputError, VerificationError
from fairshoe.log.note import Verifier, open_note, signatures_of
from fairshoe.terminal.files import open_to_read, read_utf8

from ..evidence.private_keys import signer_of

HEAD = "fairshoe-audit report"
"""The first line of the text that is signed; a checkpoint never begins so."""
MOST_NOTE = 65_536


def note_text(digest: str) -> str:
    """What is signed: two lines, of which the second has the SHA-256 of the report's bytes in hex."""
    return f"{HEAD}\nsha256 {digest}\n"


def sign_report(text: str, keyfile: Path) -> str:
    """The signed note over a report's text in UTF-8. Raises InputError for a key file that is none or not private."""
    return signer_of(keyfile).sign(note_text(hashlib.sha256(text.encode("utf-8")).hexdigest()))


def check_report(report: Path, note: Path, verifier: Verifier) -> None:
    """Hold a report against its note. Raises VerificationError where it does not hold, InputError for no note."""
    signed = read_utf8(note, MOST_NOTE)
    try:
        signatures_of(signed)
    except VerificationError as error:
        remedy = "name the FILE.note that was made with the report, with --note"
        raise InputError(error.what, where=str(note), expected=error.expected, remedy=remedy) from None
    text = open_note(signed, verifier)
    if not text.startswith(note_text("")[:-1]):
        raise VerificationError("the note is over something else than a report", where=str(note), expected=HEAD)
    with open_to_read(report) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if text != note_text(digest):
        what = "the report is not the one that was signed: if only its line ends changed, get it again"
        raise VerificationError(what, where=str(report), expected=text.split()[-1])
