"""`fairshoe token`: a new operator's token when the old one is lost."""

from __future__ import annotations

import argparse
from pathlib import Path

from .serve import add_data

NAME = "token"
HELP = "make a new operator's token; the old one is worth nothing from then on"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    from ..errors import InputError
    from ..service.house import DATABASE_FILE, open_house, renew_operator

    directory = Path(args.data)
    if not (directory / DATABASE_FILE).exists():
        raise InputError("no data here", where=str(directory), remedy="name the directory with --data")
    print(renew_operator(open_house(directory)))
    return 0
