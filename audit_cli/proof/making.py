"""Make the proof file of one hand from a log."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from fairshoe.errors import InputError, NotALog
from fairshoe.log.checkpoint import checkpoint_of, open_checkpoint
from fairshoe.log.directory import CHECKPOINT
from fairshoe.log.hand_proof import HandProof, proof_over
from fairshoe.log.note import Verifier
from fairshoe.log.tree import Leaves
from fairshoe.record.hand_entries import HandEntries, round_of

from ..evidence.head import beside
from ..evidence.reading import Reading, told
from .naming import named


def make(
    log: Path, round: str, verifier: Verifier | None = None, progress: Callable[[int], None] | None = None
) -> HandProof:
    """The proof of a round, `TABLE#NUMBER` or the number where one table alone has it, under the checkpoint beside the
    log. Raises InputError where there is no such round or checkpoint, NotALog, VerificationError where the key did not
    sign it."""
    note = beside(log, CHECKPOINT)
    if note is None:
        remedy = "give the log's directory, with its checkpoint"
        raise InputError("no checkpoint beside the log", where=str(log), expected=CHECKPOINT, remedy=remedy)
    head = checkpoint_of(note) if verifier is None else open_checkpoint(note, verifier)
    round = named(round, islice(Reading(log), head.size))
    hand, leaves = HandEntries(*round_of(round)), Leaves()
    lines = iter(Reading(log))
    for index, line in enumerate(islice(lines if progress is None else told(lines, progress), head.size)):
        leaves.extend([line])
        hand.take(index, line)
    if len(leaves) < head.size or leaves.root(head.size) != head.root:
        expected = f"the {head.size} entries that the checkpoint covers"
        remedy = "fairshoe-audit verify says what is wrong with it"
        raise NotALog("the log is not the one that was signed", where=str(log), expected=expected, remedy=remedy)
    return proof_over(round, note, hand.lines, leaves.node)
