"""`fairshoe-audit refunds LOG`."""

from __future__ import annotations

from pathlib import Path

from fairshoe.terminal.commands import command, one_standard_input

from . import COMMANDS
from ._houses import house_key
from ._log import files_of, log_argument, show_progress
from ._reading import Ending, check_output, evidence_options


@command("refunds", help=COMMANDS["refunds"])
@log_argument
@evidence_options
def cli(log: Path, key: str | None, checkpoints: tuple[Path, ...], ending: Ending) -> int:
    from ..cases.refunds import audit_refunds

    one_standard_input([log, key, *checkpoints])
    check_output(ending.output, [*files_of(log), *checkpoints, *([Path(key)] if key else [])])
    with show_progress(log) as progress:
        found = audit_refunds(log, key=house_key(log, key), remembered=checkpoints, progress=progress)
    return ending.write(found)
