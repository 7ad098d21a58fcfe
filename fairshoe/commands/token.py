"""`fairshoe token`: a new operator's token when the old one is lost."""

from __future__ import annotations

from pathlib import Path

from ..terminal.commands import command
from .serve import data_option


@command("token", help="Make a new operator's token; the old one is worth nothing from then on.")
@data_option
def cli(data: Path) -> int:
    from ..errors import InputError
    from ..service.house import DATABASE_FILE, open_house, renew_operator

    if not (data / DATABASE_FILE).exists():
        raise InputError("no data here", where=str(data), remedy="name the directory with --data")
    print(renew_operator(open_house(data)))
    return 0
