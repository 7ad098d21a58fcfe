"""`fairshoe-audit report LOG…`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairshoe.errors import InputError
from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, FOLDER, command, one_standard_input
from fairshoe.terminal.files import STDIN, check_writable, is_stdin, make_folder, same_output, write_whole
from fairshoe.terminal.screen import complain, printable

from . import COMMANDS
from ._houses import key_of_house
from ._log import count_workers, files_of, show_progress, unpack_log
from ._reading import checkpoint_option, cluster_option, complete_option, jobs_option, quorum_option, witness_option

if TYPE_CHECKING:
    from fairshoe.log.note import Signer

    from ..desk.report import DeskReport
    from ..report.run import ReportResult

MAX_PLACES = 20

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@command(
    "report",
    help=COMMANDS["report"],
    epilog="Exit code 0: nothing failed and no number needs an answer. 1: something does. 2: not readable as a log. "
    "An HTML report and the statistics need the extra `stats`.",
)
@click.argument("logs", metavar="LOG...", type=FILE, nargs=-1, required=True)
@click.option("--html", type=FILE, metavar="FILE", help="The report as one page that asks for nothing from elsewhere.")
@click.option("--json", "form", type=FILE, metavar="FILE", help="The same for programs; - is standard output.")
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
    help="Go on after what the last report's audits that passed left in DIR, and leave there what these know.",
)
@click.option("--number", default="", metavar="TEXT", help="The report's number, for its cover.")
@click.option("--date", default="", metavar="YYYY-MM-DD", help="The report's date, for its cover.")
@click.option("--by", default="", metavar="NAME", help="Who makes the report, for its cover.")
@click.option(
    "--sign", type=FILE, metavar="KEYFILE", help="Sign the JSON as --by; the key is made if the file is not there."
)
@click.option("--check", type=FILE, metavar="FILE", help="Hold a signed report's JSON against the logs again.")
@click.option("--reviewer", metavar="VKEY", help="The key of who signed it, or a file with it: for --check.")
@click.option(
    "--key", "keys", multiple=True, metavar="VKEY", help="A house's verifier key, or a file with it; repeatable."
)
@jobs_option
@cluster_option
@checkpoint_option
@witness_option
@quorum_option
@complete_option
def cli(
    logs: tuple[Path, ...],
    html: Path | None,
    form: Path | None,
    csv: Path | None,
    tables: Path | None,
    register: Path | None,
    last: Path | None,
    once: bool,
    profiles: tuple[str, ...],
    states: Path | None,
    number: str,
    date: str,
    by: str,
    sign: Path | None,
    check: Path | None,
    reviewer: str | None,
    keys: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    checkpoints: tuple[Path, ...],
    witnesses: tuple[str, ...],
    quorum: int | None,
    require_complete: bool,
) -> int:
    from fairshoe.log.signer_file import signer_in

    from ..desk.exceptions import csv_of, read_exceptions
    from ..desk.previous import read_report
    from ..desk.report import desk_report
    from ..desk.states import state_files
    from ..report.cover import Cover
    from ..report.hands_csv import write_hands
    from ..report.run import make
    from ..verify.evidence.witnesses import required_witnesses

    outputs = [path for path in (html, form, csv, register) if path is not None]
    if not (outputs or tables or check):
        raise click.UsageError("say where the report goes: --html, --json, --csv, --tables or --exceptions")
    if (check is None) != (reviewer is None):
        raise click.UsageError("--check FILE and --reviewer VKEY go together")
    if sign is not None and not (by and form):
        raise click.UsageError("--sign signs the file of --json, in the name of --by")
    if date and not _DAY.fullmatch(date):
        raise InputError(f"{date!r} is no day", where="--date", expected="YYYY-MM-DD")
    _check_several(logs, csv or register or last or states, csv, checkpoints)
    if states is not None and (jobs not in (None, 1) or cluster is not None):
        raise click.UsageError("--jobs and --cluster audit a whole log: not with --resume")
    one_standard_input([*logs, *keys, *checkpoints, *witnesses])
    wanted = required_witnesses(witnesses, quorum)
    if STDIN in (html, csv, register):
        raise InputError("only the JSON goes to standard output", where="--html, --csv", expected="the name of a file")
    files = [path for path in outputs if path != STDIN]
    if same_output(files):
        raise click.UsageError("two outputs have the same name")
    for path in files:
        check_writable(path, [*(file for log in logs for file in files_of(log)), *checkpoints])
    known = {} if register is None else read_exceptions(register)
    before = None if last is None else read_report(last)
    signer = None if sign is None else signer_in(sign, by, "a reviewer's")
    cover = Cover(number, date, by, "" if signer is None else str(signer.verifier))
    if check is not None:
        cover = Cover.of_json(read_report(check)["cover"])
    results: list[ReportResult] = []
    with ExitStack() as unpacked:
        folders = [unpacked.enter_context(unpack_log(log)) for log in logs]
        kept = [None] * len(logs) if states is None else state_files(states, folders)
        for log, state in zip(folders, kept, strict=True):
            with show_progress(log) as progress, count_workers(log, 1 if state else jobs, cluster) as workers:
                result = make(
                    log,
                    workers=workers,
                    state=state,
                    key=key_of_house(log, keys, alone=len(logs) == 1),
                    remembered=checkpoints,
                    wanted=wanted,
                    once=once,
                    profiles=profiles,
                    cover=cover if len(logs) == 1 else None,
                    progress=progress,
                )
            results.append(result)
            if result.why_not:
                complain(f"fairshoe-audit: {state} is left as it was: {result.why_not}")
        report = desk_report(results, folders, cover, known, before)
        if csv is not None:
            with show_progress(folders[0]) as progress:
                write_hands(folders[0], csv, progress)
    told = "" if form is None else _json_text(report.as_json(), signer)
    contents = {html: report.html()} if html is not None else {}
    contents |= {form: told} if form not in (None, STDIN) else {}
    contents |= {register: csv_of(report.exceptions)} if register is not None else {}
    if tables is not None:
        contents |= {tables / name: text for name, text in report.tables()}
        make_folder(tables)
    write_whole({path: text.encode("utf-8", "backslashreplace") for path, text in contents.items()})
    print(told if form == STDIN else f"{report.says}\n", end="")
    if check is not None and reviewer is not None and not _holds(check, reviewer, report):
        return EXIT_FINDINGS
    if check is not None:
        return EXIT_OK
    return EXIT_OK if report.good and (report.complete or not require_complete) else EXIT_FINDINGS


def _check_several(logs: Sequence[Path], again: Path | None, csv: Path | None, checkpoints: Sequence[Path]) -> None:
    """Refuse what cannot be done with several logs, or with standard input. `again`: reads a log twice. UsageError."""
    if any(map(is_stdin, logs)) and again:
        raise click.UsageError("--csv, --exceptions, --previous and --resume read the log a second time: name a file")
    if len(logs) > 1 and csv:
        raise click.UsageError("--csv writes the hands of one log")
    if len(logs) > 1 and checkpoints:
        raise click.UsageError("--checkpoint is of one log: give it with that log alone, to verify")


def _json_text(form: dict[str, Any], signer: Signer | None) -> str:
    """Return the report for programs, as a signed note if there is a signer."""
    from ..verify.findings.formats import escaped_json

    text = escaped_json(form, indent=1) + "\n"
    if signer is None:
        return text
    complain(f"fairshoe-audit: signed; whoever checks it needs the key {signer.verifier}")
    return signer.sign(text)


def _holds(file: Path, reviewer: str, report: DeskReport) -> bool:
    """Whether a signed report says what was found again just now; tells where it does not. VerificationError."""
    from ..desk.signature import check_report

    places = check_report(file, reviewer, report.as_json())
    print(f"{file} is signed by that key, and says what its logs say." if not places else f"{file} differs:")
    for place in places[:MAX_PLACES]:
        print(f"  {printable(place)}")
    return not places
