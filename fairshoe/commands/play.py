"""`fairshoe play`: a table played in the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from ..terminal import EXIT_OK
from ..terminal.commands import FILE, FOLDER, command
from . import COMMANDS

EPILOG = (
    "Your seeds, token and receipts are in a book in --books, one for each table: after a crash start again, "
    "and the same seat goes on."
)


@command("play", help=COMMANDS["play"], epilog=EPILOG)
@click.argument("url", metavar="URL")
@click.option("--key", metavar="VKEY", help="The house's verifier key (or a file with it), known from elsewhere.")
@click.option("--ca", metavar="FILE", type=FILE, help="The CAs to trust (PEM), instead of the system's.")
@click.option("--books", metavar="DIR", type=FOLDER, help="Where the books of your seats are.")
def cli(url: str, key: str | None, ca: Path | None, books: Path | None) -> int:
    try:
        import textual as textual
    except ModuleNotFoundError:
        raise InputError("textual is not installed", remedy="pip install '.[play]'") from None
    from audit_cli.verify.evidence.head import read_house_key

    from ..client import Client
    from ..playing.screens import PlayApp

    folder = books or Path(click.get_app_dir("fairshoe")) / "seats"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    PlayApp(Client(url, ca=ca), folder, None if key is None else str(read_house_key(key))).run()
    return EXIT_OK
