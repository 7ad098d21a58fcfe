"""`verify --follow`: the audit of a log that grows goes on whenever a newer checkpoint stands beside it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from fairshoe.errors import InputError, LogError

from .evidence.remembered import RememberedCheckpoint, remembered_of
from .findings.report import Report
from .growing import Growing
from .resume import Given, Progress
from .state.file import read, write
from .state.following import Following, Place
from .state.going_on import NotTheSame

EVERY = 0.5
"""So many seconds pass between two looks."""
COPYING = 10.0
"""For so many seconds a file may be shorter than it was: somebody may just be copying it."""
KEPT_EVERY = 60.0
"""The state is written at the end, and at a checkpoint when so many seconds have passed."""


class Follower:
    """Audits what is new. `tell` is given the report at each checkpoint, `say` what else the reader should know."""

    def __init__(
        self,
        log: Path,
        given: Given,
        file: Path | None,
        tell: Callable[[Report], None],
        say: Callable[[str], None],
        progress: Progress = None,
    ) -> None:
        self.log = log
        self.given = given._replace(remembered=[_checkpoint(old) for old in given.remembered])
        self.file = file
        self.tell = tell
        self.say = say
        self.progress = progress
        self.report: Report | None = None
        self._growing = Growing(log)
        bound = given.bound
        self._kept = None if file is None else read(file, bound)
        self._place: Place | None = None
        self._done = -1
        self._short: float | None = None
        self._written = time.monotonic()

    def run(self) -> Report:
        """Follow the log until it fails or somebody interrupts. Raises LogError, InputError; KeyboardInterrupt where
        there was no report yet."""
        with _terminated_as_interrupted():
            try:
                while not self.look():
                    time.sleep(EVERY)
            except KeyboardInterrupt:
                if self.report is None:
                    raise
        if self.report is None:
            raise KeyboardInterrupt
        self._write(0.0)
        return self.report

    def look(self) -> bool:
        """Audit what is new, if there is anything; whether the log failed."""
        signed = self._growing.signed()
        if self._growing.is_another():
            self._place, self._done = None, -1
            self.say("the file was replaced or cut: it is compared with what was audited")
        known = 0 if self._kept is None else self._kept.size
        if not signed or signed == self._done:
            return False
        lines = self._growing.lines()
        if lines >= signed or (lines < known and self._is_short()):
            self._short = None
            self._audit()
            self._done = signed
        return self.report is not None and self.report.failed

    def _is_short(self) -> bool:
        """Whether entries that were audited are missing for some time already."""
        now = time.monotonic()
        if self._short is None:
            self._short = now
        return now - self._short > COPYING

    def _audit(self) -> None:
        following = Following(self._kept, self.given.bound, self.given.subset, self._place)
        try:
            report = self.given.audit(self.log, following, self.progress)
        except NotTheSame:
            following = Following(None, self.given.bound, self.given.subset)
            olds = [] if self._kept is None else [RememberedCheckpoint(self._kept.note)]
            report = self.given.audit(self.log, following, self.progress, *olds)
        if not report.failed and following.after is not None:
            self._kept, self._place = following.after, following.place
        self.report = report
        self.tell(report)
        if report.failed:
            return
        if following.after is None:
            raise LogError(f"cannot go on: {following.why}", where=str(self.log), remedy="use verify without --follow")
        self._write(KEPT_EVERY)

    def _write(self, seconds: float) -> None:
        """Write the state, if the last time is so long ago."""
        if self.file is not None and self._kept is not None and time.monotonic() - self._written >= seconds:
            write(self.file, self._kept)
            self._written = time.monotonic()


def _checkpoint(old: Path | RememberedCheckpoint) -> RememberedCheckpoint:
    """What the log is held against, again and again. Raises InputError, LogError."""
    found = remembered_of(old) if isinstance(old, Path) else old
    if not isinstance(found, RememberedCheckpoint):
        raise InputError("a copy of a log", where=str(old), expected="a checkpoint, with --follow")
    return found


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM is heard as Ctrl-C is."""

    def heard(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
