"""By how many processes a log is audited, and where they are."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal.files import is_stdin, size_of

from ._log import files_of

if TYPE_CHECKING:
    from ..sharing import Workers

jobs_option = click.option(
    "--jobs",
    metavar="N|ADDRESS",
    help="Tables are shared out among N processes, one a core if not given; or among the workers of the Dask scheduler "
    "at ADDRESS, such as tcp://10.0.0.5:8786.",
)


def check_jobs(jobs: str | None, *, whole: bool) -> None:
    """`whole`: the log is audited from its beginning. Raises UsageError."""
    if jobs is not None and ":" not in jobs and not (jobs.isascii() and jobs.isdigit() and 0 < int(jobs) < 1 << 16):
        raise click.UsageError(f"--jobs {jobs[:80]!r} is neither a number from 1 on nor a scheduler's address")
    if not whole and jobs not in (None, "1"):
        raise click.UsageError("--jobs audits a whole log: not with --resume")


def at_work(log: Path, jobs: str | None) -> AbstractContextManager[Workers | None]:
    """Who audits the log; None where one process does it in one pass. Raises InputError."""
    if jobs is not None and ":" in jobs:
        from ..workers import cluster

        return cluster(jobs)
    size = 0 if is_stdin(log) else size_of(files_of(log)[0]) or 0
    if jobs == "1" or not size:
        return nullcontext()
    from ..workers import LEAST, cores, processes

    many = min(int(jobs or cores()), size // LEAST)
    return processes(many) if many > 1 else nullcontext()
