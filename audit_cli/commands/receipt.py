"""`fairshoe-audit receipt FILE [LOG]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal.commands import FILE, command, one_standard_input

from ._houses import house_key
from ._log import files_of, reading
from ._reading import check_output, evidence_options, say

if TYPE_CHECKING:
    from ..receipts.run import Held


@command(
    "receipt",
    help="Say whether the log agrees with the receipts that a player kept.",
    epilog="FILE is a receipt, or a file of them. Without LOG the house's signatures are checked, for which --key is "
    "needed, and what each receipt says is listed. Exit code: 0 the log agrees with all that it has come to, 1 one "
    "differs, is missing or is refused, 2 not readable.",
)
@click.argument("file", type=FILE)
@click.argument("log", type=FILE, required=False)
@evidence_options
def cli(
    file: Path,
    log: Path | None,
    key: str | None,
    checkpoints: tuple[Path, ...],
    format: str,
    output: Path,
    require_complete: bool,
) -> int:
    sources = [] if log is None else files_of(log)
    one_standard_input([file, *([] if log is None else [log]), key, *checkpoints])
    check_output(output, [file, *sources, *checkpoints, *([Path(key)] if key else [])])
    found = _alone(file, key, checkpoints) if log is None else _held(file, log, key, checkpoints)
    return say(found.outcome, found.text, found.form, format=format, output=output, require_complete=require_complete)


def _held(file: Path, log: Path, key: str | None, checkpoints: tuple[Path, ...]) -> Held:
    from ..receipts.run import decide

    with reading(log) as progress:
        return decide(file, log, key=house_key(log, key), remembered=checkpoints, progress=progress)


def _alone(file: Path, key: str | None, checkpoints: tuple[Path, ...]) -> Held:
    from ..receipts.run import alone

    if key is None:
        raise click.UsageError("without a log the house's key is needed: give --key, or the log")
    if checkpoints:
        raise click.UsageError("--checkpoint is held against a log: give the log too")
    return alone(file, key)
