"""Checkpoints that somebody kept, in a file of their own or in the proof of a hand, and copies of logs."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fairshoe.errors import InputError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from fairshoe.log.directory import CHECKPOINT, read_lines, read_text
from fairshoe.log.hand_proof import BEGINS, MOST_PROOF, proof_of
from fairshoe.log.note import Verifier
from fairshoe.log.tree import Leaves
from fairshoe.terminal.files import exists, is_stdin, open_to_read, read_bytes

from .nolog import check_no_address


class Kept(NamedTuple):
    """A checkpoint as it was kept; `name` is what the reader calls it."""

    name: str
    note: str
    checkpoint: Checkpoint


def kept_of(path: Path, verifier: Verifier | None) -> Kept:
    """A checkpoint's file, or the one in a directory or in a proof of a hand. Raises VerificationError where
    `verifier` did not sign it, InputError."""
    place = path / CHECKPOINT if path.is_dir() else path
    note = note_in(place)
    if note is None:
        raise InputError("no such file", where=str(place), expected="a checkpoint, or a proof of a hand")
    return Kept(str(path), note, checkpoint_of(note) if verifier is None else open_checkpoint(note, verifier))


def leaves_of(log: str, most: int) -> Leaves:
    """The leaf hashes of a log's first `most` entries, or of all if it has fewer; `log` is its directory or its
    `log.jsonl`. Raises LogError, InputError."""
    check_no_address(Path(log))
    leaves = Leaves()
    leaves.extend(line.removesuffix(b"\n") for line in islice(read_lines(Path(log)), most))
    return leaves


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
