"""`fairshoe-audit report LOG`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.errors import InputError
from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.files import STDIN, check_writable, is_stdin, same_output, write_whole

from ._houses import house_key
from ._log import files_of, log_argument, show_progress
from ._reading import checkpoint_option, complete_option, key_option, quorum_option, witness_option


@command(
    "report",
    help="Audit a log, count beside it what only numbers show, and write a report for people and for programs.",
    epilog="Exit code 0: nothing failed and no number needs an answer. 1: something does. 2: not readable as a log. "
    "An HTML report and the statistics need the extra `stats`.",
)
@log_argument
@click.option("--html", type=FILE, metavar="FILE", help="The report as one page that asks for nothing from elsewhere.")
@click.option("--json", "form", type=FILE, metavar="FILE", help="The same for programs; - is standard output.")
@click.option("--csv", type=FILE, metavar="FILE", help="Every settled hand, in CSV: docs/analysis.md.")
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
@click.option("--by", metavar="NAME", help="Who makes the report, for its cover.")
@key_option
@checkpoint_option
@witness_option
@quorum_option
@complete_option
def cli(
    log: Path,
    html: Path | None,
    form: Path | None,
    csv: Path | None,
    once: bool,
    profiles: tuple[str, ...],
    by: str | None,
    key: str | None,
    checkpoints: tuple[Path, ...],
    witnesses: tuple[str, ...],
    quorum: int | None,
    require_complete: bool,
) -> int:
    from ..report.hands_csv import write_hands
    from ..report.run import make
    from ..verify.evidence.witnesses import required_witnesses
    from ..verify.findings.formats import escaped_json

    if html is None and form is None and csv is None:
        raise click.UsageError("say where the report goes: --html FILE, --json FILE or --csv FILE")
    if csv is not None and is_stdin(log):
        raise click.UsageError("--csv reads the log a second time: name a file")
    one_standard_input([log, key, *checkpoints, *witnesses])
    wanted = required_witnesses(witnesses, quorum)
    sources = [*files_of(log), *checkpoints]
    files = [path for path in (html, form, csv) if path is not None and path != STDIN]
    if STDIN in (html, csv):
        raise InputError("an HTML report and a CSV are files", where="--html, --csv", expected="the name of a file")
    if same_output(files):
        raise click.UsageError("two outputs have the same name")
    for path in files:
        check_writable(path, sources)
    key = house_key(log, key)
    with show_progress(log) as progress:
        made = make(
            log,
            key=key,
            remembered=checkpoints,
            wanted=wanted,
            once=once,
            profiles=profiles,
            by=by,
            progress=progress,
        )
    contents: dict[Path, bytes] = {}
    if html is not None:
        contents[html] = made.html().encode()
    told = "" if form is None else escaped_json(made.as_json(), indent=1) + "\n"
    if form is not None and form != STDIN:
        contents[form] = told.encode("utf-8", "backslashreplace")
    if csv is not None:
        with show_progress(log) as progress:
            write_hands(log, csv, progress)
    write_whole(contents)
    if form == STDIN:
        print(told, end="")
    else:
        print(made.says)
    complete = made.audit.complete or not require_complete
    return EXIT_OK if made.good and complete else EXIT_FINDINGS
