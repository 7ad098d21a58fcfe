"""`fairshoe-audit refunds LOG`."""

from __future__ import annotations

from pathlib import Path

from fairshoe.terminal.commands import command, one_standard_input

from ._houses import house_key
from ._log import files_of, log_argument, reading
from ._reading import check_output, evidence_options, say


@command("refunds", help="List the buy-ins that the house owes back for rounds that it got wrong.")
@log_argument
@evidence_options
def cli(
    log: Path,
    key: str | None,
    checkpoints: tuple[Path, ...],
    format: str,
    output: Path,
    require_complete: bool,
) -> int:
    from ..cases.refunds import refunds_of

    one_standard_input([log, key, *checkpoints])
    check_output(output, [*files_of(log), *checkpoints, *([Path(key)] if key else [])])
    with reading(log) as progress:
        found = refunds_of(log, key=house_key(log, key), remembered=checkpoints, progress=progress)
    return say(
        found.outcome, found.text(), found.form(), format=format, output=output, require_complete=require_complete
    )
