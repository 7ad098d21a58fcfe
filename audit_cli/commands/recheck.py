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
    epilog="FILE is the JSON that `fairshoe-audit report --sign` wrote, LOG... its logs. Exit code: 0 it is "
    "signed by that key and says what its logs say, 1 something differs or a log is missing, 2 not readable or signed.",
)
@click.argument("file", type=FILE)
@logs_options
@click.option("--reviewer", required=True, metavar="VKEY", help="The key of who signed it, or a file with it.")
@format_option()
@output_option
def cli(file: Path, given: GivenLogs, reviewer: str, format: str, output: Path) -> int:
    from ..desk.signature import AS_SIGNED, differing, log_places, read_signed
    from ..report.cover import Cover
    from ..verify.program import program_hash

    given.check(None, None)
    check_output(output, [file, *given.files])
    signed = read_signed(file, reviewer)
    options, cover = signed["options"], Cover.of_json(signed["cover"])
    names = [log["name"] for log in signed["logs"]]
    with given.reported(options["once"], options["standards"], cover, count=len(names)) as (folders, results):
        places = log_places(signed, results, folders)
        differs = differing(signed, cover, places)
    missing = [name for place, name in enumerate(names) if place not in places]
    same = signed["cover"]["program"] == program_hash()
    agrees = "differs from its logs:" if differs else f"says what {'these' if missing else 'its'} logs say."
    lines = [f"{file} is signed by that key, and {agrees}", *(f"  {place}" for place in differs[:MAX_PLACES])]
    if len(differs) > MAX_PLACES:
        lines.append(f"  and {len(differs) - MAX_PLACES:,} more")
    if missing:
        lines.append(f"Not checked, since not given: {', '.join(missing)}; nor what it says of all logs together.")
    lines.append(f"Taken as signed, since it stands in no log: {', '.join(AS_SIGNED)}.")
    if differs and not same:
        told = f"{signed['cover']['tool']}, SHA-256 {signed['cover']['program']}"
        lines.append(f"It says that another program made it: {told}.")
    verdict = "differs" if differs else "incomplete" if missing else "same"
    form = {"verdict": verdict, "differs": differs, "missing": missing, "as_signed": AS_SIGNED, "same_program": same}
    write_form(output, format, "".join(f"{printable(line)}\n" for line in lines), form)
    return EXIT_FINDINGS if differs or missing else EXIT_OK
