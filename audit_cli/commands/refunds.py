"""`fairshoe-audit refunds LOG`."""

from __future__ import annotations

from pathlib import Path

from fairshoe.terminal.commands import command, one_standard_input

from . import COMMANDS
from ._houses import house_key
from ._log import files_of, log_argument, show_progress
from ._reading import check_output, evidence_options, write_result


@command("refunds", help=COMMANDS["refunds"])
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
    from ..cases.refunds import audit_refunds

    one_standard_input([log, key, *checkpoints])
    check_output(output, [*files_of(log), *checkpoints, *([Path(key)] if key else [])])
    with show_progress(log) as progress:
        found = audit_refunds(log, key=house_key(log, key), remembered=checkpoints, progress=progress)
    return write_result(
        found.outcome, found.text(), found.form(), format=format, output=output, require_complete=require_complete
    )
