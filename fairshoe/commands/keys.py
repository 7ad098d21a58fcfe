"""`fairshoe keys`: the keys under which a data directory keeps its secrets."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal import FINE
from ..terminal.commands import command
from ..terminal.style import printable
from .serve import data_option

cli = click.Group("keys", help="Exchange the master key: rotate.", no_args_is_help=False)
ABOUT = (
    "Make a new master key and lock everything that is encrypted with it, while the service is stopped. Where the key "
    "is in FAIRSHOE_MASTER_KEY, the new one is taken from FAIRSHOE_NEW_MASTER_KEY. A crash at any moment leaves a "
    "directory that starts."
)


@command("rotate", help=ABOUT)
@data_option
def rotate_command(data: Path) -> int:
    from ..service.relocking import rotate

    print(printable(rotate(data)))
    return FINE


cli.add_command(rotate_command)
