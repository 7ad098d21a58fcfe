"""`fairshoe-audit verify LOG`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.files import STDIN, check_writable
from fairshoe.terminal.screen import colourful, complain, printable

from . import COMMANDS
from ._houses import house_key, remember, remember_option
from ._log import count_workers, files_of, log_argument, show_progress, unpack_log
from ._reading import (
    check_output,
    checkpoint_option,
    cluster_option,
    format_of,
    format_option,
    jobs_option,
    key_option,
    output_option,
    quorum_option,
    witness_option,
    write_output,
)


@command(
    "verify",
    help=COMMANDS["verify"],
    epilog="LOG is a log's directory, its log.jsonl (or log.jsonl.gz), a tar archive of the directory, such as the "
    "log.tar that a house serves, or - for standard input: then there is no checkpoint beside it. Of a house far away "
    "get the log first, with `fairshoe pull`.",
)
@log_argument
@key_option
@remember_option
@checkpoint_option
@witness_option
@quorum_option
@click.option(
    "--notes",
    type=FILE,
    metavar="FILE",
    help="What the house answers to whoever hands a placer's answer in, and placers to GET /shoes/C2, a line each: "
    "whether a table whose round is open waits for its placer.",
)
@format_option()
@output_option
@click.option(
    "--openings",
    type=FILE,
    metavar="FILE",
    help="What binds the cards of shoes with a placer whose keys are not out; without it the openings.jsonl of LOG, if "
    "there is one. `fairshoe pull` keeps it.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say the verdict alone, in one line.")
@jobs_option
@cluster_option
@click.option(
    "--resume",
    "state",
    type=FILE,
    metavar="FILE",
    help="Go on after what an audit that passed left in FILE, and leave there what this one knows.",
)
def cli(
    log: Path,
    key: str | None,
    remember_key: bool,
    checkpoints: tuple[Path, ...],
    witnesses: tuple[str, ...],
    quorum: int | None,
    notes: Path | None,
    format: str,
    output: Path,
    openings: Path | None,
    quiet: bool,
    jobs: int | None,
    cluster: str | None,
    state: Path | None,
) -> int:
    from ..verify.evidence.openings import find_openings
    from ..verify.evidence.witnesses import required_witnesses
    from ..verify.findings.formats import FORMATS as RENDER
    from ..verify.findings.wording import one_line
    from ..verify.resume import AuditInputs, resume

    one_standard_input([log, key, notes, *checkpoints, *witnesses])
    check_output(output, [*files_of(log), *checkpoints])
    wanted = required_witnesses(witnesses, quorum)
    if state is not None:
        if jobs not in (None, 1) or cluster is not None:
            raise click.UsageError("--jobs and --cluster audit a whole log: not with --resume")
        check_writable(state, files_of(log))
    why_not = ""
    with unpack_log(log) as folder:
        key = house_key(folder, key)
        given = AuditInputs(key, checkpoints, wanted, format == "jsonl", notes, openings or find_openings(folder))
        with show_progress(folder) as progress:
            if state is None:
                with count_workers(folder, jobs, cluster, log) as workers:
                    report = given.audit(folder, progress, workers=workers)
            else:
                report, why_not, _ = resume(folder, state, given, progress)
        if remember_key and not report.failed:
            remember(folder, key)
    if why_not:
        complain(f"fairshoe-audit: {state} is left as it was: {why_not}")
    if quiet:
        text = f"{printable(one_line(report))}\n"
    else:
        text = RENDER[format_of(output, format)](report, colour=output == STDIN and colourful(sys.stdout))
    write_output(text, output)
    return EXIT_FINDINGS if report.failed else EXIT_OK
