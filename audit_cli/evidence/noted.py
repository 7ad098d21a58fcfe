"""The signed checkpoint in a file that somebody kept: the file itself, or the proof file of a hand that has it."""

from __future__ import annotations

from pathlib import Path

from fairshoe.log.directory import read_text
from fairshoe.log.hand_proof import BEGINS, MOST_PROOF, proof_of
from fairshoe.terminal.files import exists, is_stdin, open_to_read, read_bytes


def is_proof(path: Path) -> bool:
    """Whether a file begins as every proof file does, and no log. Raises InputError where it cannot be read."""
    if is_stdin(path) or path.is_dir() or not exists(path):
        return False
    with open_to_read(path) as file:
        return file.read(len(BEGINS)) == BEGINS


def note_in(path: Path) -> str | None:
    """The note, none of its signatures checked; None where there is no such file. `-` is standard input, where a proof
    may be no longer than a checkpoint. Raises InputError."""
    if is_proof(path):
        return proof_of(read_bytes(path, MOST_PROOF)).checkpoint
    text = read_text(path)
    if text is not None and is_stdin(path) and text.encode().startswith(BEGINS):
        return proof_of(text.encode()).checkpoint
    return text
