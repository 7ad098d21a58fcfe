"""`fairshoe token`: tokens of the operator and of readers, made, listed and revoked while the service runs."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal.commands import command
from .serve import data_option

MOST_DAYS = 36_500


@command("token", help="Make a new operator's token; the old one is worth nothing from then on.")
@click.option(
    "--role",
    type=click.Choice(["operator", "reader"]),
    default="operator",
    help="reader: one more token, for whoever watches the service and changes nothing.",
)
@click.option("--expires", type=click.IntRange(1, MOST_DAYS), metavar="DAYS", help="After so many days it ends.")
@click.option("--list", "listing", is_flag=True, help="List the tokens of operators and readers, by their names.")
@click.option("--revoke", metavar="NAME", help="Make the token of that name worth nothing.")
@data_option
def cli(role: str, expires: int | None, listing: bool, revoke: str | None, data: Path) -> int:
    from ..errors import InputError
    from ..service.granting import Granting
    from ..service.house import DATABASE_FILE, open_house

    if not (data / DATABASE_FILE).exists():
        raise InputError("no data here", where=str(data), remedy="name the directory with --data")
    granting = Granting(open_house(data).database)
    if listing:
        for line in granting.listed():
            print(line)
    elif revoke is not None:
        granting.revoke(revoke)
    else:
        print(granting.renew_operator(expires) if role == "operator" else granting.reader(expires))
    return 0
