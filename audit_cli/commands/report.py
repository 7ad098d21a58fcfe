"""`fairshoe-audit report LOG…`."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairshoe.errors import InputError
from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, FOLDER, command
from fairshoe.terminal.files import STDIN, make_folder, same_output, write_whole
from fairshoe.terminal.screen import complain

from . import COMMANDS
from ._log import show_progress
from ._reading import check_output, complete_option, format_of, format_option, render
from ._reports import GivenLogs, logs_options

if TYPE_CHECKING:
    from fairshoe.log.note import Signer

    from ..desk.report import DeskReport


@command(
    "report",
    help=COMMANDS["report"],
    epilog="Exit code 0: nothing failed and no number needs an answer. 1: something does. 2: not readable as a log. "
    "An HTML report and the statistics need the extra `stats`.",
)
@logs_options
@format_option("html")
@click.option(
    "--output",
    "outputs",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Where it goes; repeatable, with endings such as .html and .json; - is standard output, the default.",
)
@click.option("--csv", type=FILE, metavar="FILE", help="Every settled hand of a log, in CSV: docs/analysis.md.")
@click.option("--tables", type=FOLDER, metavar="DIR", help="Every table of the page in CSV, in a directory.")
@click.option(
    "--exceptions",
    "register",
    type=FILE,
    metavar="FILE",
    help="What was found, asked or not checked, and what people decided of it: a CSV file, read and written again.",
)
@click.option("--previous", "last", type=FILE, metavar="FILE", help="The last report's JSON, to set beside this one.")
@click.option(
    "--reviewer", metavar="VKEY", help="The key of who signed the last report, or a file with it; else that of --sign."
)
@click.option(
    "--once",
    is_flag=True,
    help="You look once, at a time chosen before; without it the tests of luck hold however often somebody looks.",
)
@click.option(
    "--standard",
    "profiles",
    multiple=True,
    metavar="NAME|FILE",
    help="A standard's profile that comes along, or one of your own; repeatable; all that come along if not given.",
)
@click.option(
    "--resume",
    "states",
    type=FOLDER,
    metavar="DIR",
    help="Go on after what the last report's audits that passed left in DIR, and leave there what these know; not with "
    "--jobs or --cluster.",
)
@click.option("--number", default="", metavar="TEXT", help="The report's number, for its cover.")
@click.option("--date", default="", metavar="YYYY-MM-DD", help="The report's date, for its cover.")
@click.option("--by", default="", metavar="NAME", help="Who makes the report, for its cover.")
@click.option(
    "--sign", type=FILE, metavar="KEYFILE", help="Sign the JSON as --by; the key is made if the file is not there."
)
@complete_option
def cli(
    given: GivenLogs,
    format: str,
    outputs: tuple[Path, ...],
    csv: Path | None,
    tables: Path | None,
    register: Path | None,
    last: Path | None,
    reviewer: str | None,
    once: bool,
    profiles: tuple[str, ...],
    states: Path | None,
    number: str,
    date: str,
    by: str,
    sign: Path | None,
    require_complete: bool,
) -> int:
    from fairshoe.log.signer_file import signer_in

    from ..desk.exceptions import csv_of, read_exceptions
    from ..desk.previous import read_report
    from ..desk.report import ReportOptions, desk_report
    from ..desk.signature import read_signed
    from ..report.cover import Cover, is_day
    from ..report.hands_csv import write_hands
    from ..report.standards import included_profiles

    forms = {path: "html" if path.suffix == ".html" else format_of(path, format) for path in outputs or (STDIN,)}
    given.check(csv or register or last, states)
    if len(given.logs) > 1 and csv:
        raise click.UsageError("--csv writes the hands of one log")
    if sign is not None and not (by and "json" in forms.values()):
        raise click.UsageError("--sign signs the JSON, in the name of --by: give both")
    if reviewer is not None and last is None:
        raise click.UsageError("--reviewer is for --previous: give both")
    if date and not is_day(date):
        raise InputError(f"{date!r} is no day", where="--date", expected="YYYY-MM-DD")
    files = [path for path in (*outputs, csv, register) if path is not None]
    if same_output(files):
        raise click.UsageError("two outputs have the same name")
    if STDIN in (csv, register):
        raise InputError("this goes to no screen", where="--csv, --exceptions", expected="the name of a file")
    if register is not None and register.suffix != ".csv":
        raise InputError("a table of exceptions is a CSV file", where=str(register), expected="a name with .csv")
    for path in files:
        check_output(path, given.files)
    known = {} if register is None else read_exceptions(register)
    signer = None if sign is None else signer_in(sign, by, "a reviewer's")
    before = None if last is None else read_report(last)
    if signer is not None and before is not None and before["cover"].get("signer") == str(signer.verifier):
        reviewer = reviewer or str(signer.verifier)
    if last is not None and reviewer is not None:
        before = read_signed(last, reviewer)
    cover = Cover(number, date, by, "" if signer is None else str(signer.verifier))
    options = ReportOptions(once, profiles or included_profiles())
    with given.reported(once, options.standards, cover, states) as (folders, results):
        report = desk_report(results, folders, cover, options, known, before=before, checked=reviewer is not None)
        if csv is not None:
            with show_progress(folders[0]) as progress:
                write_hands(folders[0], csv, progress)
    contents = {path: _rendered(report, form, signer) for path, form in forms.items() if form != "html"}
    jsons = [text for path, text in contents.items() if forms[path] == "json"]
    page = report.html(sha256(jsons[0].encode()).hexdigest() if jsons else "") if "html" in forms.values() else ""
    contents |= {path: page for path, form in forms.items() if form == "html"}
    told = contents.pop(STDIN, f"{report.says}\n")
    if register is not None:
        contents[register] = csv_of(report.exceptions)
    if tables is not None:
        make_folder(tables)
        contents |= {tables / name: text for name, text in report.tables()}
    write_whole({path: text.encode("utf-8", "backslashreplace") for path, text in contents.items()})
    print(told, end="")
    if signer is not None:
        complain(f"fairshoe-audit: signed; whoever checks it needs the key {signer.verifier}")
    return EXIT_OK if report.good and (report.complete or not require_complete) else EXIT_FINDINGS


def _rendered(report: DeskReport, form: str, signer: Signer | None) -> str:
    """Return the report in one format, the JSON as a signed note if there is a signer."""
    text = render(form, report.text(), report.as_json(), report.records())
    return signer.sign(text) if signer is not None and form == "json" else text
