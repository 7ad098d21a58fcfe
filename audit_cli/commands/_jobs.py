"""By how many processes a log is audited, and where they are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairshoe.terminal.files import is_stdin, size_of

from ._log import files_of

if TYPE_CHECKING:
    from ..parts.run import Workers

Function = TypeVar("Function", bound=Callable[..., Any])


def jobs_options(function: Function) -> Function:
    for option in (
        click.option(
            "--scheduler", metavar="ADDRESS", help="Have the workers of this Dask scheduler share out the tables."
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1),
            metavar="N",
            help="Tables are shared out among N processes; one a core if not given.",
        ),
    ):
        function = option(function)
    return function


def check_jobs(jobs: int | None, scheduler: str | None, *, whole: bool) -> None:
    """`whole`: the log is audited from its beginning. Raises UsageError."""
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs is of this machine, and --scheduler knows its own workers")
    if not whole and (scheduler is not None or (jobs or 1) > 1):
        raise click.UsageError("--jobs and --scheduler audit a whole log: not with --resume")


def at_work(log: Path, jobs: int | None, scheduler: str | None) -> AbstractContextManager[Workers | None]:
    """Who audits the log; None where one process does it in one pass. Raises InputError."""
    if scheduler is not None:
        from ..parts.workers import cluster

        return cluster(scheduler)
    size = 0 if is_stdin(log) else size_of(files_of(log)[0]) or 0
    if jobs == 1 or not size:
        return nullcontext()
    from ..parts.workers import LEAST, cores, processes

    many = min(jobs or cores(), size // LEAST)
    return processes(many) if many > 1 else nullcontext()
