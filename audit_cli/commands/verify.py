"""`fairshoe-audit verify LOG`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import FINDINGS, FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, one_standard_input

from ._going_on import check_state, resume_option, resumed
from ._jobs import at_work, check_jobs, jobs_options
from ._log import files_of, log_argument, reading
from ._reading import before_options, checkpoint_option, key_option, logs_before, quorum_option, witness_option

FORMATS = ("text", "json", "jsonl")


@command(
    "verify",
    help="Replay a whole log and report what does not hold.",
    epilog="LOG is a log's directory, its log.jsonl, or - for standard input: then there is no checkpoint beside it.",
)
@log_argument
@key_option
@checkpoint_option
@before_options
@witness_option
@quorum_option
@click.option(
    "--format", "formats", type=click.Choice(FORMATS), multiple=True, help="Default text; repeatable, with --output."
)
@click.option(
    "--output",
    "paths",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Where the report goes, - for standard output; with several formats one for each, in order.",
)
@click.option("--all", "everything", is_flag=True, help="List every finding, not only groups of them.")
@jobs_options
@resume_option
@click.option("--require-complete", is_flag=True, help="Exit 1 also where anything could not be checked.")
def cli(
    log: Path,
    key: str | None,
    checkpoints: tuple[Path, ...],
    befores: tuple[Path, ...],
    before_keys: tuple[str, ...],
    witnesses: tuple[str, ...],
    quorum: int | None,
    formats: tuple[str, ...],
    paths: tuple[Path, ...],
    everything: bool,
    jobs: int | None,
    scheduler: str | None,
    state: Path | None,
    require_complete: bool,
) -> int:
    from ..evidence.cosigned import wanted_of
    from ..resume import Given
    from ..verify import verify
    from ._outputs import check_outputs, paired, write_outputs

    one_standard_input([log, key, *checkpoints, *befores, *before_keys, *witnesses])
    wanted = wanted_of(witnesses, quorum)
    before = logs_before(befores, before_keys)
    outputs = paired(formats, paths)
    sources = [file for each in (log, *befores) for file in files_of(each)]
    sources += [*checkpoints, *map(Path, (*([key] if key else []), *before_keys))]
    check_outputs(outputs, sources)
    check_state(state, outputs, sources)
    check_jobs(jobs, scheduler, whole=state is None)
    with reading(log) as progress:
        if state is not None:
            report = resumed(log, state, Given(key, checkpoints, before, wanted, everything), progress)
        else:
            with at_work(log, jobs, scheduler) as workers:
                report = verify(
                    log,
                    key=key,
                    remembered=checkpoints,
                    before=before,
                    wanted=wanted,
                    progress=progress,
                    everything=everything,
                    workers=workers,
                )
    write_outputs(report, outputs, everything=everything)
    return FINDINGS if report.failed or (require_complete and not report.complete) else FINE
