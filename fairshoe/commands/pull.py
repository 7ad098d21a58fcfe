"""`fairshoe pull`: a copy of a house's log, and what is new of it. Exit code 1 if the house's log does not hold."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal import EXIT_FINDINGS, EXIT_OK
from ..terminal.commands import FILE, FOLDER, command
from ..terminal.screen import complain, explain, printable, progress
from . import COMMANDS

EPILOG = "The entries are those of one signed checkpoint, however much is played meanwhile."


@command("pull", help=COMMANDS["pull"], epilog=EPILOG)
@click.argument("url", metavar="URL")
@click.argument("directory", metavar="DIR", type=FOLDER)
@click.option("--key", metavar="VKEY", help="The house's verifier key (or a file with it), known from elsewhere.")
@click.option("--ca", metavar="FILE", type=FILE, help="The CAs to trust (PEM), instead of the system's.")
@click.option(
    "--witnesses",
    type=click.IntRange(1, 999),
    metavar="N",
    help="Take only what at least N witnesses cosigned; verify --witness checks whose.",
)
def cli(url: str, directory: Path, key: str | None, ca: Path | None, witnesses: int | None) -> int:
    from audit_cli.verify.evidence.head import read_house_key

    from ..client import Client
    from ..errors import VerificationError
    from ..pull.pull import pull

    client = Client(url, ca=ca)
    verifier = None if key is None else read_house_key(key)
    try:
        pulled = pull(client, directory, progress, verifier, witnesses=witnesses or 0)
    except VerificationError as error:
        complain(explain(error, fault=error.fault))
        return EXIT_FINDINGS
    finally:
        client.close()
    lines = [f"{directory} holds {pulled.checkpoint.size:,} entries of {pulled.checkpoint.origin}, {pulled.new:,} new."]
    if pulled.first_use:
        lines.append(f"The key was believed as the service showed it: {pulled.verifier}")
        lines.append("Compare it with the house's key as you know it from elsewhere.")
    print("\n".join(map(printable, lines)))
    return EXIT_OK
