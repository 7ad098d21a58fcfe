"""`fairshoe-audit prove LOG --round TABLE#N`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import one_standard_input

from ._log import check_there, files_of, log_argument, reading
from ._reading import check_output, key_option, output_option, write_output


@command(
    "prove",
    help="Make the proof file of one hand: what the house's key alone is enough to check.",
    epilog="`fairshoe-audit hand FILE --key VKEY` checks it and needs no log. The same checkpoint with the same "
    "cosignatures gives the same bytes, whoever makes it. What is in it: docs/proof.md. Exit code: 0 made, 2 not "
    "readable, or no such round.",
)
@log_argument
@click.option(
    "--round", "name", metavar="ID", required=True, help="TABLE#NUMBER, or NUMBER where only one table has it."
)
@key_option
@output_option
def cli(log: Path, name: str, key: str | None, output: Path) -> int:
    from fairshoe.log.hand_proof import proof_text

    from ..evidence.keys import verifier_given
    from ..proof.making import make

    one_standard_input([log, key])
    check_there(log)
    check_output(output, [*files_of(log), *([Path(key)] if key else [])])
    verifier = None if key is None else verifier_given(key)
    with reading(log) as progress:
        proof = make(log, name, verifier, progress)
    write_output(proof_text(proof), output)
    return FINE
