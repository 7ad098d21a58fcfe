"""Tree heads as C2SP checkpoints (c2sp.org/tlog-checkpoint): origin, size, root."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..errors import InputError, VerificationError
from .base64 import base64_of, bytes_of_base64
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
    """Read a checkpoint's text, signed or not; extension lines are passed over. InputError."""
    lines = text.split("\n")
    try:
        root = bytes_of_base64(lines[2])
        size = int(lines[1]) if re.fullmatch(r"0|[1-9][0-9]{0,18}", lines[1], re.ASCII) else -1
    except (IndexError, ValueError):
        root, size = b"", -1
    if not lines[0] or size < 0 or len(root) != 32:
        raise InputError("not a checkpoint", where="checkpoint", expected="origin, size, base64 root")
    return Checkpoint(lines[0], size, root)


def open_checkpoint(note: str, verifier: Verifier) -> Checkpoint:
    """A checkpoint that `verifier` signed. Raises VerificationError."""
    try:
        return checkpoint_of(open_note(note, verifier))
    except InputError as error:
        raise VerificationError(error.what, where="checkpoint", expected=error.expected) from None
