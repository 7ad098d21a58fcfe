"""Whether a checkpoint may be cosigned, by c2sp.org/tlog-witness. Knows no file, no clock, no network."""

from __future__ import annotations

from fairshoe.errors import VerificationError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.note import Verifier
from fairshoe.log.proofs import check_consistency
from fairshoe.log.tree import EMPTY_ROOT

from .refused import CONFLICT, INCONSISTENT, MALFORMED, UNKNOWN, UNSIGNED, Refused
from .submission import Submission

NOTHING = Checkpoint("", 0, EMPTY_ROOT)
"""What was cosigned of a log of which nothing was."""


def judge(submission: Submission, verifier: Verifier, seen: Checkpoint | None) -> None:
    """Raise Refused unless the checkpoint is to be cosigned. `verifier`: the log's key; `seen`: cosigned last."""
    new, old = submission.checkpoint, seen or NOTHING
    check_signed(submission.note, verifier)
    if submission.old > new.size:
        raise Refused(MALFORMED, f"an old size above the checkpoint's {new.size}")
    if submission.old != old.size:
        raise Refused(CONFLICT, f"{old.size} entries were cosigned last", size=old.size)
    check_empty(new)
    if old.size == new.size and old.root != new.root:
        raise two_histories(new.size)
    try:
        check_consistency(old.size, old.root, new.size, new.root, submission.proof)
    except VerificationError as error:
        raise Refused(INCONSISTENT, error.what, expected=error.expected) from None


def unknown(origin: str) -> Refused:
    """There is no such log here (404)."""
    return Refused(UNKNOWN, f"no log {origin[:100]!r} is witnessed here", remedy="ask the witness to take it up")


def check_signed(note: str, verifier: Verifier) -> None:
    """Raise Refused (403) unless the log's key signed the note."""
    try:
        open_checkpoint(note, verifier)
    except VerificationError as error:
        raise Refused(UNSIGNED, error.what, expected=error.expected) from None


def check_empty(new: Checkpoint) -> None:
    """Raise Refused (422) for an empty tree with another root than the empty tree's."""
    if not new.size and new.root != EMPTY_ROOT:
        raise Refused(INCONSISTENT, "an empty log with a wrong tree head", expected=EMPTY_ROOT.hex())


def two_histories(size: int, entry: int | None = None) -> Refused:
    """The house's key signed two logs that differ within their first `size` entries."""
    first = "" if entry is None else f": entry {entry} differs first"
    return Refused(
        INCONSISTENT,
        f"the house signed two histories that differ within the first {size} entries{first}",
        expected="a log that extends what was cosigned",
        remedy="keep the evidence: the house's own signatures stand under both",
        entry=entry,
        convicts=True,
    )
