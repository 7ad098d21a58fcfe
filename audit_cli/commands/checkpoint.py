"""`fairshoe-audit checkpoint FILE --key VKEY`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.terminal import FINDINGS, FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, one_standard_input
from fairshoe.terminal.style import printable

from ._reading import check_output, format_option, output_option, quorum_option, witness_option, write_output

if TYPE_CHECKING:
    from ..evidence.alone import Alone


@command(
    "checkpoint",
    help="Check who signed and cosigned a checkpoint, without its log.",
    epilog="FILE is a checkpoint, a directory with one, a proof of a hand, or - for standard input. What the log has "
    "is for `verify` to say. Exit code: 0 signed, and cosigned by as many as are wanted; 1 not; 2 not readable.",
)
@click.argument("file", type=FILE)
@click.option("--key", metavar="VKEY", required=True, help="The house's verifier key, or a file with it.")
@witness_option
@quorum_option
@format_option
@output_option
def cli(file: Path, key: str, witnesses: tuple[str, ...], quorum: int | None, format: str, output: Path) -> int:
    from ..evidence.alone import check_alone
    from ..evidence.cosigned import wanted_of
    from ..evidence.keys import verifier_given

    one_standard_input([file, key, *witnesses])
    check_output(output, [file, Path(key)])
    found = check_alone(file, verifier_given(key), wanted_of(witnesses, quorum))
    text = json.dumps(found.form, indent=1) + "\n" if format == "json" else _text(found)
    write_output(text, output)
    return FINDINGS if found.wrong else FINE


def _text(found: Alone) -> str:
    return "".join(f"{printable(line)}\n" for line in found.lines)
