"""Cosigning: what was judged well is remembered on disk, and only then said."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable

from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.cosignature import Cosigner
from fairshoe.log.note import Verifier, signatures_of

from ..evidence.forks import Fork, fork_text, side_at
from .judge import judge, unknown
from .memory import LogMemory, Memory
from .refused import INCONSISTENT, Refused
from .submission import Submission


def wall_seconds() -> int:
    return int(time.time())


class Witness:
    """One witness, for several threads: checking and remembering is one step."""

    def __init__(self, memory: Memory, cosigner: Cosigner, clock: Callable[[], int] = wall_seconds) -> None:
        self.memory = memory
        self.cosigner = cosigner
        self._clock = clock
        self._turn = threading.Lock()

    def submit(self, submission: Submission) -> str:
        """The cosignature's line over a submitted checkpoint. Raises Refused, OSError."""
        with self._turn:
            log = self.memory.logs.get(submission.checkpoint.origin)
            if log is None:
                raise unknown(submission.checkpoint.origin)
            try:
                judge(submission, log.verifier, log.seen)
            except Refused as refused:
                if log.seen is not None and refused.status == INCONSISTENT:
                    keep_evidence(refused, log, submission.note, _same_size(log, submission))
                raise
            return self.cosign(log, submission.note, submission.checkpoint)

    def cosign(self, log: LogMemory, note: str, checkpoint: Checkpoint) -> str:
        """Remember a checkpoint that was judged well; its cosignature's line. OSError."""
        seconds = max(1, self._clock(), log.time)
        text, _ = signatures_of(note)
        line = self.cosigner.cosign(text, seconds)
        log.accept(f"{text}\n{signature_lines(note, log.verifier)}{line}", checkpoint, seconds)
        return line


def signature_lines(note: str, verifier: Verifier) -> str:
    """The lines below a note that are by this key."""
    lines = {
        f"— {name} {base64.b64encode(id + data).decode()}\n"
        for name, id, data in signatures_of(note)[1]
        if (name, id) == verifier[:2]
    }
    return "".join(sorted(lines))


def keep_evidence(refused: Refused, log: LogMemory, note: str, fork: Fork | None) -> None:
    """Keep both checkpoints, and the fork file where there is one. OSError."""
    refused.evidence = log.keep_refused(note, None if fork is None else fork_text(fork))


def _same_size(log: LogMemory, submission: Submission) -> Fork | None:
    """Two heads of one size convict at once."""
    seen, new = log.seen, submission.checkpoint
    if log.note is None or seen is None or not 0 < seen.size == new.size or seen.root == new.root:
        return None
    return Fork(seen.size, side_at(log.note, seen, seen.size), side_at(submission.note, new, new.size))
