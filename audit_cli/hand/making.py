"""Make the proof file of one hand from a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
from ..walk.watching import entry_of, shoe_named, table_named
from .wanted import check_one, round_named


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
    round = _named(round, islice(Reading(log), head.size))
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


def _named(round: str, lines: Iterable[bytes]) -> str:
    """`TABLE#NUMBER` as it is; of a number alone the one table that has it is sought in the lines. Raises
    InputError where no table has it, or more than one."""
    wanted = round_named(round)
    if wanted.table is not None:
        return round
    tables = list(dict.fromkeys(_tables(wanted.number, lines)))
    check_one(wanted, tables)
    if not tables:
        raise InputError(f"no round {wanted.number}", where="--round", expected="a round of the log")
    return f"{tables[0]}#{wanted.number}"


def _tables(number: int | None, lines: Iterable[bytes]) -> Iterator[str]:
    """The tables that opened a round of this number, over and over."""
    mark = f'"round":{number},'.encode()
    for line in lines:
        if b'"kind":"open"' in line and mark in line:
            entry, table = entry_of(line), table_named(shoe_named(line))
            if table is not None and (entry.get("kind"), entry.get("round")) == ("open", number):
                yield table
