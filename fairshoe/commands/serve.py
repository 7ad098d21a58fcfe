"""`fairshoe serve`: the service."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

NAME = "serve"
HELP = "run the service: tables, shoes and rounds over HTTP"
DATA = "fairshoe-data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", default="8000", help="the port to listen on, 0 for any (default 8000)")
    parser.add_argument(
        "--clock-is-right",
        action="store_true",
        help="start although the machine's clock is more than an hour off the log's last entry",
    )
    add_data(parser)


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", default=DATA, metavar="DIR", help=f"the data directory (default {DATA})")


def run(args: argparse.Namespace) -> int:
    from ..protocol.text import parse_decimal
    from ..service.house import open_house
    from ..service.server import Server

    port = parse_decimal(args.port, "--port", high=65_535)
    house = open_house(Path(args.data))
    if house.token is not None:
        print(f"The operator's token, shown this once: {house.token}", flush=True)
    server = Server(house, args.host, port, clock_is_right=args.clock_is_right)
    print(f"fairshoe listens on {server.address} (documentation: {server.address}/docs)", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server.run()
    return 0
