"""`fairshoe-audit placed FILE LOG`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.screen import printable

from . import COMMANDS
from ._log import files_of, log_argument
from ._reading import check_output, format_option, output_option, write_form


@command(
    "placed",
    help=COMMANDS["placed"],
    epilog="FILE has questions and notes, as the placer answers to GET (or a list of such answers), or is a house's "
    "placed.jsonl: both keep them. Give what both keep: one side's file alone convicts nobody for what is missing in "
    "it, only signatures that contradict each other do. Of each shoe the first step that differs is told. Exit code: 0 "
    "the log agrees with all of them, 1 something differs, 2 not readable.",
)
@click.argument("file", type=FILE)
@log_argument
@click.option("--key", metavar="VKEY", required=True, help="The house's verifier key, or a file with it.")
@click.option("--other", type=FILE, metavar="FILE", help="The questions and notes of the other side.")
@format_option()
@output_option
def cli(file: Path, log: Path, key: str, other: Path | None, format: str, output: Path) -> int:
    from ..cases.placement import audit_placement
    from ..verify.evidence.head import read_house_key

    one_standard_input([file, log, key, other])
    check_output(output, [file, *files_of(log), *([other] if other else [])])
    found = audit_placement(file, log, read_house_key(key), other)
    left = f"; {found.left:,} not signed by whom they should be, or of no shoe of this log" if found.left else ""
    word = "DIFFERS" if any(fault.by for fault in found.faults) else "CANNOT SAY" if found.faults else "AGREES"
    lines = [*map(str, found.faults), f"{word}: {found.held:,} questions and notes were held against the log{left}"]
    form = {"verdict": word.lower(), "faults": [fault._asdict() for fault in found.faults], "held": found.held}
    text = "".join(f"{printable(line)}\n" for line in lines)
    write_form(output, format, text, {**form, "left": found.left})
    return EXIT_FINDINGS if found.faults else EXIT_OK
