"""`fairshoe-audit key NAME FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE


@command(
    "key",
    help="Make a private key to sign reports with, or a witness's.",
    epilog="NAME stands in every signature: who you are, such as audit.example.org. FILE is written so that nobody "
    "else may read it, and never over another. What is printed is the verifier key: publish that.",
)
@click.argument("name")
@click.argument("file", type=FILE)
@click.option("--witness", is_flag=True, help="A key to cosign checkpoints with, for nothing else.")
def cli(name: str, file: Path, witness: bool) -> int:
    from ..evidence.private_keys import new_key, new_witness

    print(new_witness(name, file) if witness else new_key(name, file))
    return FINE
