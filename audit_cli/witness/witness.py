"""Cosigning: what was judged well is remembered on disk, and only then said."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from fairshoe.errors import FairshoeError
from fairshoe.log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from fairshoe.log.cosignature import Cosigner
from fairshoe.log.note import Verifier, signatures_of

from ..evidence.forks import Fork
from .judge import judge, unknown
from .memory import LogMemory, Memory
from .refused import UNSIGNED, Refused
from .shelf import Head
from .submission import Submission, notes_in


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
                if refused.status != UNSIGNED:
                    keep_evidence(refused, log, submission.note, submission.checkpoint)
                raise
            return self.cosign(log, submission.note, submission.checkpoint)

    def keep_malformed(self, refused: Refused, body: bytes) -> None:
        """Keep the head of a submission that is none, where the house signed it. OSError."""
        for note in notes_in(body):
            with self._turn, suppress(FairshoeError):
                log = self.memory.logs.get(checkpoint_of(note).origin)
                if log is not None:
                    keep_evidence(refused, log, note, open_checkpoint(note, log.verifier))

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


def keep_evidence(
    refused: Refused, log: LogMemory, note: str, checkpoint: Checkpoint, fork: Fork | None = None
) -> None:
    """Keep a head that the house signed, unless it is the one that was cosigned last, and the fork file where there is
    one. OSError."""
    if checkpoint == log.seen:
        return
    text, _ = signatures_of(note)
    cosigned = None if log.note is None or log.seen is None else Head(log.seen, log.note)
    head = Head(checkpoint, f"{text}\n{signature_lines(note, log.verifier)}")
    refused.evidence, convicts = log.shelf.keep(head, cosigned, fork)
    refused.convicts = refused.convicts or convicts
