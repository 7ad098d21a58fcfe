"""`fairshoe play`: a table in the terminal."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from ..errors import InputError
from ..terminal import FINDINGS, FINE
from ..terminal.commands import FILE, FOLDER, command


@command("play", help="Play at a house's table, in the terminal. Needs fairshoe[play].")
@click.argument("url", metavar="URL")
@click.option("--table", default="", metavar="NAME", help="Sit down there at once, instead of choosing from a list.")
@click.option("--player", default=None, metavar="ID", help="Who you are at this house (default: your login's name).")
@click.option("--name", metavar="NAME", help="What the others see.")
@click.option("--amount", type=click.IntRange(1), default=1000, show_default=True, help="Chips to buy in with.")
@click.option("--books", type=FOLDER, metavar="DIR", help="Where seeds, tokens, receipts and hands are kept.")
@click.option("--ca", metavar="FILE", type=FILE, help="The CAs to trust (PEM), instead of the system's.")
def cli(
    url: str, table: str, player: str | None, name: str | None, amount: int, books: Path | None, ca: Path | None
) -> int:
    try:
        from ..playing.app import Playing
    except ModuleNotFoundError as error:
        remedy = "pip install 'fairshoe[play]'"
        raise InputError(f"{error.name} is not installed", where="play", remedy=remedy) from None
    from ..client import Client

    client = Client(url, ca=ca)
    folder = books or books_of(client.address)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    app = Playing(client, folder, player=player or login(), name=name, amount=amount, table=table)
    app.run()
    if app.refused:
        raise InputError(app.refused, where=url)
    for alarm in app.alarms:
        print(f"The house is wrong: {alarm}")
    print(f"What you keep is in {folder}: the same command goes on with it.")
    return FINDINGS if app.alarms else FINE


def books_of(address: str) -> Path:
    """A folder for a house's address, where a login keeps such things."""
    place = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    house = re.sub(r"[^a-z0-9.-]+", "_", address.split("://", 1)[-1].lower()).strip("_.")
    return Path(place).expanduser() / "fairshoe" / house


def login() -> str:
    """A login's name, as far as it is an id."""
    return re.sub(r"[^a-z0-9-]+", "-", (os.environ.get("USER") or "player").lower()).strip("-") or "player"
