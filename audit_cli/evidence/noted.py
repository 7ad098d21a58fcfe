"""The signed checkpoint in a file that somebody kept: the file itself, or the proof file of a hand that has it."""

from __future__ import annotations

from pathlib import Path

from fairshoe.log.directory import read_text
from fairshoe.log.hand_proof import MOST_PROOF, proof_of
from fairshoe.terminal.files import is_stdin, read_bytes

from ..proof.file import begins_as_proof, is_proof


def note_in(path: Path) -> str | None:
    """The note, none of its signatures checked; None where there is no such file. `-` is standard input, where a proof
    may be no longer than a checkpoint. Raises InputError."""
    if is_proof(path):
        return proof_of(read_bytes(path, MOST_PROOF)).checkpoint
    text = read_text(path)
    if text is not None and is_stdin(path) and begins_as_proof(text.encode()):
        return proof_of(text.encode()).checkpoint
    return text
