"""`--resume`, `--follow`, `--subset`: where an audit begins, where it goes on, and which shoes it looks at."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairshoe.terminal.errors import complain
from fairshoe.terminal.files import check_writable, same_output
from fairshoe.terminal.options import FILE

if TYPE_CHECKING:
    from ..findings.report import Report
    from ..resume import Given
    from ..subset import Subset
    from ._outputs import Output

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--resume",
        "state",
        type=FILE,
        metavar="FILE",
        help="Go on after what an audit that passed left in FILE, and leave there what this one knows.",
    ),
    click.option("--follow", is_flag=True, help="Go on as the log grows, at each newer checkpoint, until Ctrl-C."),
    click.option("--subset", metavar="N/T", help="Look at the cards of share N of T of the shoes only."),
    click.option(
        "--subset-seed", metavar="TEXT", help="What chooses the shares: your own dice, in place of the log's root."
    ),
)


def going_on_options(function: Function) -> Function:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def subset_given(text: str | None, seed: str | None) -> Subset | None:
    """The share that is asked for. Raises UsageError, InputError."""
    from ..subset import subset_of

    if text is None and seed is not None:
        raise click.UsageError("--subset-seed goes with --subset")
    return None if text is None else subset_of(text, seed)


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


def followed(
    log: Path, state: Path | None, given: Given, outputs: list[Output], progress: Callable[[int], None]
) -> Report:
    """The last report of an audit that goes on as the log grows; on standard output a line for each checkpoint."""
    from ..findings.verdict import verdict
    from ..follow import Follower
    from ..formats._escaped import escaped_json
    from ._outputs import SCREEN

    for option, value in (("--before", given.before), ("--witness", given.wanted.parameters())):
        if value:
            raise click.UsageError(f"--follow does not go with {option}: audit the log once without --follow")
    format = next((output.format for output in outputs if output.path == SCREEN), "text")
    if format not in ("text", "jsonl"):
        raise click.UsageError(f"--follow writes a line for each checkpoint: give an --output for --format {format}")

    def tell(report: Report) -> None:
        log, says = report.log, verdict(report)
        if format == "text":
            line = f"{log.size:,} entries to {log.last}: {says}"
        else:
            about = {"type": "checkpoint", **log._asdict(), "failed": report.failed, "complete": report.complete}
            line = escaped_json({**about, "says": says})
        print(line, flush=True)

    def say(what: str) -> None:
        print(f"fairshoe-audit: {what}", file=sys.stderr, flush=True)

    return Follower(log, given, state, tell, say, progress).run()
