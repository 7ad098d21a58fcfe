"""`fairshoe-audit placed FILE LOG`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.screen import printable

from . import COMMANDS
from ._log import log_argument


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
def cli(file: Path, log: Path, key: str, other: Path | None) -> int:
    from ..cases.placement import audit_placement
    from ..verify.evidence.head import read_house_key

    one_standard_input([file, log, key, other])
    found = audit_placement(file, log, read_house_key(key), other)
    for fault in found.faults:
        print(printable(str(fault)))
    left = f"; {found.left:,} not signed by whom they should be, or of no shoe of this log" if found.left else ""
    word = "DIFFERS" if any(fault.by for fault in found.faults) else "CANNOT SAY" if found.faults else "AGREES"
    print(f"{word}: {found.held:,} questions and notes were held against the log{left}")
    return EXIT_FINDINGS if found.faults else EXIT_OK
