"""`fairshoe-audit receipt FILE LOG`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from fairshoe.terminal.commands import FILE, command, one_standard_input

from . import COMMANDS
from ._houses import house_key
from ._log import files_of, log_argument, show_progress
from ._reading import Ending, check_output, evidence_options


@command(
    "receipt",
    help=COMMANDS["receipt"],
    epilog="FILE has a receipt on each line, as the client writes it; or it is the evidence or the seat that a "
    "table's page saves. Exit code: 0 the log agrees with all that it has come to, 1 one differs, is missing or "
    "is refused, 2 not readable.",
)
@click.argument("file", type=FILE)
@log_argument
@evidence_options
def cli(file: Path, log: Path, key: str | None, checkpoints: tuple[Path, ...], ending: Ending) -> int:
    from ..cases.receipts.run import decide
    from ..verify.evidence.browser_file import is_saved, unpack

    one_standard_input([file, log, key, *checkpoints])
    check_output(ending.output, [file, *files_of(log), *checkpoints, *([Path(key)] if key else [])])
    with show_progress(log) as progress, unpack(file) if is_saved(file) else nullcontext() as saved:
        if saved is not None:
            file, checkpoints = saved.receipts, (*checkpoints, *([saved.checkpoint] if saved.checkpoint else []))
        found = decide(file, log, key=house_key(log, key), remembered=checkpoints, progress=progress)
    return ending.write(found)
