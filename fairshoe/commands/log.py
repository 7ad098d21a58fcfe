"""`fairshoe log`: what an operator does with the log besides serving it."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from ..terminal import FINE
from ..terminal.commands import command
from ..terminal.options import FOLDER
from ..terminal.progress import progress
from ..terminal.style import printable
from ._settings import setting_option

cli = click.Group("log", help="Publish the log: export.", no_args_is_help=False)
ABOUT = (
    "Write the log as tiles (c2sp.org/tlog-tiles) into a directory for any web server that serves files, or only what "
    "is new of it. The house may be playing meanwhile: what is written is what one signed checkpoint covers."
)


@command("export", help=ABOUT)
@click.argument("directory", metavar="DIR", type=FOLDER)
@setting_option("data")
@click.option("--log", type=FOLDER, metavar="LOG", help="A copy of a log to take instead, such as one that was pulled.")
def export_command(directory: Path, data: Path, log: Path | None) -> int:
    from ..log.checkpoint import checkpoint_of
    from ..log.export import export
    from ._publishing import of_copy, of_service

    if log is not None and click.get_current_context().get_parameter_source("data") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--data or --log, not both")
    source = of_service(data) if log is None else of_copy(log)
    with source as (note, verifier, lines), progress("exporting", checkpoint_of(note).size) as done:
        exported = export(directory, note, verifier, lines, done)
    origin, size, _ = exported.checkpoint
    print(printable(f"{directory} holds {size:,} entries of {origin} as tiles, {exported.new:,} new."))
    return FINE


cli.add_command(export_command)
