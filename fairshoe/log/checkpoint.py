"""Tree heads as C2SP checkpoints (c2sp.org/tlog-checkpoint): origin, size, root."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import InputError, VerificationError
from .base64 import base64_of, bytes_of_base64
from .canonical import MAX_INTEGER
from .note import Signer, Verifier, open_note


class Checkpoint(NamedTuple):
    """A log's origin, how many entries it has, and the tree head over them."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64_of(self.root)}\n"

    def signed(self, signer: Signer) -> str:
        return signer.sign(self.text)


def checkpoint_of(text: str) -> Checkpoint:
    """Read a checkpoint, signed or not; extension lines are passed over. InputError."""
    body, blank, _ = text.rpartition("\n\n")
    return _read(body if blank else text.removesuffix("\n"))


def _read(body: str) -> Checkpoint:
    """Read the text without its last LF."""
    lines = body.split("\n")
    try:
        root = bytes_of_base64(lines[2])
        size = int(lines[1]) if re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1], re.ASCII) else -1
    except (IndexError, ValueError):
        root, size = b"", -1
    if "" in lines or not 0 <= size <= MAX_INTEGER or len(root) != 32:
        expected = "origin, size (at most 2^53 - 1), base64 root, no empty line"
        raise InputError("not a checkpoint", where="checkpoint", expected=expected)
    return Checkpoint(lines[0], size, root)


def open_checkpoint(note: str, verifier: Verifier) -> Checkpoint:
    """A checkpoint that `verifier` signed. Raises VerificationError."""
    try:
        return _read(open_note(note, verifier)[:-1])
    except InputError as error:
        raise VerificationError(error.what, where="checkpoint", expected=error.expected) from None
