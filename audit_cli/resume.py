"""`verify --resume FILE`: an audit goes on after the checkpoint that an earlier one ended at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fairshoe.errors import InputError
from fairshoe.terminal.files import is_stdin

from .evidence.before import Before
from .evidence.cosigned import Wanted
from .evidence.keys import verifier_given
from .evidence.remembered import RememberedCheckpoint
from .findings.report import Report
from .state.file import read, write
from .state.going_on import GoingOn, NotTheSame
from .verify import NOBODY, verify

Progress = Callable[[int], None] | None


class Given(NamedTuple):
    """What the reader gives with a log, as `verify` takes it."""

    key: str | None = None
    remembered: Sequence[Path | RememberedCheckpoint] = ()
    before: Sequence[Before] = ()
    wanted: Wanted = NOBODY
    everything: bool = False

    @property
    def bound(self) -> dict[str, Any]:
        """What must be the same in the audit that goes on. Raises InputError for a key that is none."""
        key = None if self.key is None else str(verifier_given(self.key))
        return {"key": key, "before": bool(self.before), "all": self.everything}

    def audit(self, log: Path, going_on: GoingOn, progress: Progress, *olds: RememberedCheckpoint) -> Report:
        """Audit a log that is also held against `olds`. Raises LogError, InputError, NotTheSame."""
        return verify(
            log,
            key=self.key,
            remembered=[*olds, *self.remembered],
            before=self.before,
            wanted=self.wanted,
            progress=progress,
            everything=self.everything,
            going_on=going_on,
        )


class Resumed(NamedTuple):
    """The report, and why nobody can go on from it, where that is so: then the file was left as it was."""

    report: Report
    why_not: str = ""


def resume(log: Path, file: Path, given: Given, progress: Progress = None) -> Resumed:
    """Audit a log, but for the entries that `file` says were audited before; the report is that of `verify`.

    Where the log does not begin with these it is audited from the start, and held against the checkpoint that covered
    them. A report that passes leaves its state in `file`. Raises LogError, InputError.
    """
    if is_stdin(log):
        what = "standard input cannot be read a second time"
        raise InputError(what, where="--resume", remedy="give the log as a file")
    kept = read(file, given.bound)
    going_on = GoingOn(kept, given.bound)
    try:
        report = given.audit(log, going_on, progress)
    except NotTheSame:
        going_on = GoingOn(None, given.bound)
        report = given.audit(log, going_on, progress, *([] if kept is None else [RememberedCheckpoint(kept.note)]))
    if report.failed:
        return Resumed(report, "nobody goes on from an audit that failed")
    if going_on.after is None:
        return Resumed(report, going_on.why)
    write(file, going_on.after)
    return Resumed(report)
