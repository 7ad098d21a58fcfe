"""A witness looks at a whole log: it names the entry that differs, and has what convicts the house."""

from __future__ import annotations

from typing import NamedTuple

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.leaves import Leaves

from ..evidence.forks import Fork, Side, side_at
from .judge import NOTHING, check_empty, check_signed, two_histories, unknown
from .memory import LogMemory
from .refused import CONFLICT, INCONSISTENT, Refused
from .source import Source
from .submission import read_note
from .witness import Witness, keep_evidence


class Looked(NamedTuple):
    """What was cosigned: the note as the house signed it, the cosignature's line, the checkpoint."""

    note: str
    line: str
    checkpoint: Checkpoint


def look(witness: Witness, source: Source) -> Looked:
    """Cosign the checkpoint of a log. Raises Refused, which says where the evidence is kept; InputError, LogError,
    Unreachable, OSError."""
    note = source.note()
    new = read_note(note)
    log = witness.memory.logs.get(new.origin)
    if log is None:
        raise unknown(new.origin)
    check_signed(note, log.verifier)
    check_empty(new)
    looking = _Looking(log, note, new, source)
    try:
        looking.check()
    except _Differs as differs:
        keep_evidence(differs.refused, log, note, new, differs.fork)
        raise differs.refused from None
    return Looked(note, witness.cosign(log, note, new), new)


class _Differs(Exception):
    def __init__(self, refused: Refused, fork: Fork | None = None) -> None:
        super().__init__()
        self.refused = refused
        self.fork = fork


class _Looking:
    def __init__(self, log: LogMemory, note: str, new: Checkpoint, source: Source) -> None:
        self.log = log
        self.note = note
        self.new = new
        self.source = source
        self.old = log.seen or NOTHING
        self.known = log.leaves()

    def check(self) -> None:
        """Remember the leaf hashes of a log that extends the one that was cosigned. Raises _Differs."""
        if self.new.size < self.old.size:
            raise self._shorter()
        since = len(self.known)
        leaves = self._read(Leaves(self.known.hashes()))
        if not self._fits(leaves):
            leaves, since = self._read(Leaves()), 0
            if leaves.root(self.new.size) != self.new.root:
                raise self._not_signed()
            if leaves.root(self.old.size) != self.old.root:
                raise self._forked(leaves)
        self.log.keep_leaves(leaves, since)

    def _read(self, leaves: Leaves) -> Leaves:
        """The leaves up to the checkpoint's size. Raises _Differs where the log is shorter."""
        size = self.new.size
        leaves.extend(self.source.entries(len(leaves), size))
        if len(leaves) < size:
            what = f"the checkpoint covers {size} entries, and there are {len(leaves)}"
            raise _Differs(Refused(INCONSISTENT, what, remedy="fetch the whole log"))
        return leaves

    def _fits(self, leaves: Leaves) -> bool:
        return (leaves.root(self.old.size), leaves.root(self.new.size)) == (self.old.root, self.new.root)

    @property
    def _remembered(self) -> bool:
        """Whether the leaf hashes are those of the checkpoint that was cosigned."""
        size = self.old.size
        return len(self.known) == size and self.known.root(size) == self.old.root

    def _not_signed(self) -> _Differs:
        if self.new.size == self.old.size and self.new.root != self.old.root:
            return _Differs(two_histories(self.new.size), self._fork(self.new.size, None, None))
        expected = f"entries that hash to {self.new.root.hex()}"
        return _Differs(Refused(INCONSISTENT, "the entries are not those that the house signed", expected=expected))

    def _forked(self, leaves: Leaves) -> _Differs:
        size = self.old.size
        entry = self.known.first_difference(leaves) if self._remembered else None
        return _Differs(two_histories(size, entry), self._fork(size, leaves, entry))

    def _shorter(self) -> _Differs:
        """An earlier checkpoint is not cosigned; another history is evidence."""
        size = self.new.size
        if not size or (self._remembered and self.known.root(size) == self.new.root):
            return _Differs(self._earlier("this one is of earlier"))
        if not self._remembered:
            return _Differs(self._earlier("whether this one is of the same log is not known here"))
        leaves = Leaves()
        leaves.extend(self.source.entries(0, size))
        entry = self.known.first_difference(leaves)
        one = Side(self.log.note or "", self.known.root(size), self.known.consistency(size, self.old.size))
        fork = Fork(size, one, side_at(self.note, self.new, size), entry)
        return _Differs(two_histories(size, entry), fork)

    def _earlier(self, what: str) -> Refused:
        what = f"a log of {self.old.size} entries was cosigned; {what}"
        return Refused(CONFLICT, what, expected=f"at least {self.old.size} entries", size=self.old.size)

    def _fork(self, size: int, leaves: Leaves | None, entry: int | None) -> Fork | None:
        if self.log.note is None or not size:
            return None
        return Fork(size, side_at(self.log.note, self.old, size), side_at(self.note, self.new, size, leaves), entry)
