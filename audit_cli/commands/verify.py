"""`fairshoe-audit verify LOG`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import FINDINGS, FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, one_standard_input

from ._log import files_of, log_argument, reading
from ._reading import checkpoint_option, key_option

FORMATS = ("text", "json", "jsonl", "sarif", "junit")


@command(
    "verify",
    help="Replay a whole log and report what does not hold.",
    epilog="LOG is a log's directory, its log.jsonl, or - for standard input: then there is no checkpoint beside it.",
)
@log_argument
@key_option
@checkpoint_option
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="VKEY",
    help="A witness whose cosignature the checkpoint needs, or a file with its key; repeatable.",
)
@click.option("--quorum", type=click.IntRange(1), metavar="N", help="Of how many of the witnesses; all if not given.")
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
@click.option("--require-complete", is_flag=True, help="Exit 1 also where anything could not be checked.")
@click.option("--sign", type=FILE, metavar="KEYFILE", help="Write FILE.note, signed with this key, beside each output.")
def cli(
    log: Path,
    key: str | None,
    checkpoints: tuple[Path, ...],
    witnesses: tuple[str, ...],
    quorum: int | None,
    formats: tuple[str, ...],
    paths: tuple[Path, ...],
    everything: bool,
    require_complete: bool,
    sign: Path | None,
) -> int:
    from ..evidence.cosigned import wanted_of
    from ..verify import verify
    from ._outputs import check_outputs, paired, write_outputs

    one_standard_input([log, key, *checkpoints, *witnesses])
    wanted = wanted_of(witnesses, quorum)
    outputs = paired(formats, paths)
    check_outputs(outputs, sign, [*files_of(log), *checkpoints, *([Path(key)] if key else [])])
    with reading(log) as progress:
        report = verify(log, key=key, remembered=checkpoints, wanted=wanted, progress=progress, everything=everything)
    write_outputs(report, outputs, sign, everything=everything)
    return FINDINGS if report.failed or (require_complete and not report.complete) else FINE
