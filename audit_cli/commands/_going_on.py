"""`--resume`: where an audit goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal.errors import complain
from fairshoe.terminal.files import check_writable, same_output
from fairshoe.terminal.options import FILE

if TYPE_CHECKING:
    from ..findings.report import Report
    from ..resume import Given
    from ._outputs import Output

resume_option = click.option(
    "--resume",
    "state",
    type=FILE,
    metavar="FILE",
    help="Go on after what an audit that passed left in FILE, and leave there what this one knows.",
)


def check_state(state: Path | None, outputs: Iterable[Output], sources: Iterable[Path]) -> None:
    """Refuse, before the audit, a state that could not be written after it. Raises UsageError, InputError."""
    from ._outputs import SCREEN

    if state is None:
        return
    files = [output.path for output in outputs if output.path != SCREEN]
    if same_output([state, *files]):
        raise click.UsageError("--resume and --output name the same file")
    check_writable(state, sources)


def resumed(log: Path, state: Path, given: Given, progress: Callable[[int], None]) -> Report:
    """The report of an audit that goes on after an earlier one."""
    from ..resume import resume

    report, why_not = resume(log, state, given, progress)
    if why_not:
        complain(f"fairshoe-audit: {state} is left as it was: {why_not}")
    return report
