"""`fairshoe keys`: the key under which a data directory keeps its secrets, and the tokens of operators and readers."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal import EXIT_OK
from ..terminal.commands import FILE, command
from . import COMMANDS
from ._settings import data_options

cli = click.Group("keys", help=COMMANDS["keys"], no_args_is_help=False)
ABOUT = (
    "Lock everything that is encrypted with the master key in the file NEW, which is made if it is not there, while "
    "the service is stopped. Then put NEW in the place of master.key (or of FAIRSHOE_MASTER_KEY), and keep the old one "
    "as long as there is a backup from its time. It is done whole or not at all."
)


@command("rotate", help=ABOUT, later=data_options)
@click.argument("new", metavar="NEW", type=FILE)
def rotate_command(new: Path, data: Path, database: str) -> int:
    from ..service.house import rotate

    count = rotate(data, new, database)
    print(f"{count} secrets are locked anew." if count else "It was done before.")
    print(f"Put {new} in the place of the old master key before the service starts, and keep the old one for backups.")
    return EXIT_OK


@command("token", help="Make a new token; the old one of that role is worth nothing from then on.", later=data_options)
@click.option(
    "--role",
    type=click.Choice(["operator", "reader"]),
    default="operator",
    help="reader: for whoever watches the service and changes nothing.",
)
def token_command(role: str, data: Path, database: str) -> int:
    from ..service.house import open_existing_house
    from ..service.tokens import renew

    house = open_existing_house(data, database)
    try:
        print(renew(house.database, role))
    finally:
        house.close()
    return EXIT_OK


cli.add_command(rotate_command)
cli.add_command(token_command)
