"""`fairshoe serve`: the service."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import click

from ..terminal.commands import command
from ..terminal.options import FOLDER

DATA = "fairshoe-data"

data_option = click.option(
    "--data", type=FOLDER, default=DATA, metavar="DIR", help=f"The data directory (default {DATA})."
)


@command("serve", help="Run the service: tables, shoes and rounds over HTTP.")
@click.option("--host", default="127.0.0.1", help="The address to listen on (default 127.0.0.1).")
@click.option("--port", default="8000", help="The port to listen on, 0 for any (default 8000).")
@click.option(
    "--clock-is-right",
    is_flag=True,
    help="Start although the machine's clock is more than an hour off the log's last entry.",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="URL=VKEY",
    help="A witness (C2SP tlog-witness) to have cosign each new checkpoint, with its verifier key; repeatable.",
)
@data_option
def cli(host: str, port: str, clock_is_right: bool, witnesses: tuple[str, ...], data: Path) -> int:
    from ..protocol.text import parse_decimal
    from ..service.house import open_house
    from ..service.server import Server
    from ..service.witnesses import witness_of

    number = parse_decimal(port, "--port", high=65_535)
    named = [witness_of(each) for each in witnesses]
    house = open_house(data)
    if house.token is not None:
        print(f"The operator's token, shown this once: {house.token}", flush=True)
    server = Server(house, host, number, clock_is_right=clock_is_right, witnesses=named)
    print(f"fairshoe listens on {server.address} (documentation: {server.address}/docs)", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run()
    return 0
