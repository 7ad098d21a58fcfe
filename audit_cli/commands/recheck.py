"""`fairshoe-audit recheck FILE LOG…`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command
from fairshoe.terminal.screen import printable

from . import COMMANDS
from ._reading import check_output, format_option, output_option, write_form
from ._reports import GivenLogs, logs_options

MAX_PLACES = 20


@command(
    "recheck",
    help=COMMANDS["recheck"],
    epilog="FILE is the JSON that `fairshoe-audit report --sign` wrote, LOG... its logs, in the report's order. Exit "
    "code: 0 it is signed by that key and says what its logs say, 1 something differs, 2 not readable or not signed.",
)
@click.argument("file", type=FILE)
@logs_options
@click.option("--reviewer", required=True, metavar="VKEY", help="The key of who signed it, or a file with it.")
@format_option()
@output_option
def cli(file: Path, given: GivenLogs, reviewer: str, format: str, output: Path) -> int:
    from ..desk.signature import AS_SIGNED, differing, read_signed
    from ..report.cover import Cover
    from ..verify.program import program_hash

    given.check(None, None)
    check_output(output, [file, *given.files])
    signed = read_signed(file, reviewer)
    options, cover = signed["options"], Cover.of_json(signed["cover"])
    names = [log["name"] for log in signed["logs"]]
    with given.reported(options["once"], options["standards"], cover, names=names) as (folders, results):
        places = differing(signed, cover, results, folders)
    same = signed["cover"]["program"] == program_hash()
    lines = [f"{file} is signed by that key, and says what its logs say." if not places else f"{file} differs:"]
    lines += [f"  {place}" for place in places[:MAX_PLACES]]
    if len(places) > MAX_PLACES:
        lines.append(
            f"  and {len(places) - MAX_PLACES:,} more: are the logs in the report's order, and with its --key?"
        )
    lines.append(f"Taken as signed, since it stands in no log: {', '.join(AS_SIGNED)}.")
    if places and not same:
        lines.append(f"Another program made it: {signed['cover']['tool']}, SHA-256 {signed['cover']['program']}.")
    form = {"verdict": "differs" if places else "same", "differs": places, "as_signed": AS_SIGNED, "same_program": same}
    write_form(output, format, "".join(f"{printable(line)}\n" for line in lines), form)
    return EXIT_FINDINGS if places else EXIT_OK
