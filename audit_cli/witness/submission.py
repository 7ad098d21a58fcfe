"""What is submitted to a witness: an old size, a consistency proof, a checkpoint (c2sp.org/tlog-witness)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from fairshoe.errors import FairshoeError
from fairshoe.log.base64 import bytes_of_base64
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of
from fairshoe.log.note import signatures_of

from .refused import MALFORMED, Refused

MOST_PROOF = 63
MOST_BODY = 1 << 18
"""Bytes of a body; sixteen signatures that no quantum computer forges have some 110,000."""
_OLD = re.compile(r"old (0|[1-9][0-9]{0,18})", re.ASCII)


class Submission(NamedTuple):
    """`note` is the checkpoint with its signatures, none of them checked yet."""

    old: int
    proof: list[bytes]
    note: str
    checkpoint: Checkpoint


def submission_of(body: bytes) -> Submission:
    """Read the body of an `add-checkpoint`. Raises Refused (400)."""
    try:
        head, blank, note = body.decode("utf-8").partition("\n\n")
    except UnicodeDecodeError:
        raise Refused(MALFORMED, "not UTF-8") from None
    first, *lines = head.split("\n")
    old = _OLD.fullmatch(first)
    if not blank or old is None:
        raise Refused(MALFORMED, "not a submission", expected="old SIZE, proof lines, an empty line, a checkpoint")
    if len(lines) > MOST_PROOF:
        raise Refused(MALFORMED, f"{len(lines)} proof lines", expected=f"at most {MOST_PROOF}")
    return Submission(int(old[1]), [_hash(line) for line in lines], note, read_note(note))


def notes_in(body: bytes) -> Iterator[str]:
    """What may be a note in a body that is no submission: what follows the first empty line, or all of it."""
    for data in (body.partition(b"\n\n")[2], body):
        with suppress(UnicodeDecodeError):
            yield data.decode("utf-8")


def read_note(note: str) -> Checkpoint:
    """The checkpoint of a note that is written as it must be. Raises Refused (400)."""
    try:
        signatures_of(note)
        return checkpoint_of(note)
    except FairshoeError as error:
        raise Refused(MALFORMED, error.what, expected=error.expected) from None


def _hash(line: str) -> bytes:
    try:
        data = bytes_of_base64(line)
    except ValueError:
        data = b""
    if len(data) != 32:
        raise Refused(MALFORMED, "a proof line that is no hash", expected="32 bytes in base64")
    return data
