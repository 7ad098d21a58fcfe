"""Options, output and exit code that `hand`, `refunds` and `receipt` have in common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE
from fairshoe.terminal.files import STDIN, check_writable, write_whole

if TYPE_CHECKING:
    from ..cases.outcome import Outcome

Function = TypeVar("Function", bound=Callable[..., Any])

key_option = click.option(
    "--key", metavar="VKEY", help="The house's verifier key, or a file with it, known from elsewhere."
)
checkpoint_option = click.option(
    "--checkpoint",
    "checkpoints",
    type=FILE,
    multiple=True,
    metavar="OLD",
    help="A remembered checkpoint, or an earlier copy of the log with one; repeatable.",
)
witness_option = click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="VKEY",
    help="A witness whose cosignature the checkpoint needs, or a file with its key; repeatable.",
)
quorum_option = click.option(
    "--quorum", type=click.IntRange(1), metavar="N", help="Of how many of the witnesses; all if not given."
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 999),
    metavar="N",
    help="Tables are shared out among N processes, one a core if not given.",
)
cluster_option = click.option(
    "--cluster",
    metavar="tcp://HOST:8786",
    help="Tables are shared out among the workers of a Dask cluster, which read the log from the same path.",
)
format_option = click.option("--format", type=click.Choice(("text", "json")), default="text", show_default=True)
output_option = click.option(
    "--output", type=FILE, metavar="FILE", default=STDIN, help="Where it goes; - is standard output, the default."
)
complete_option = click.option(
    "--require-complete", is_flag=True, help="Exit 1 also where anything that it rests on could not be checked."
)


def evidence_options(function: Function) -> Function:
    """Return the options by which the log as a whole is checked, and those of the output."""
    for option in (complete_option, output_option, format_option, checkpoint_option, key_option):
        function = option(function)
    return function


def check_output(output: Path, sources: list[Path]) -> None:
    """Refuse, before the audit, what could not be written after it. Raises InputError."""
    if output != STDIN:
        check_writable(output, sources)


def write_output(text: str, output: Path) -> None:
    """Write it whole or not at all. Raises InputError."""
    if output == STDIN:
        print(text, end="")
    else:
        write_whole({output: text.encode("utf-8", "backslashreplace")})


def write_result(
    outcome: Outcome,
    text: str,
    form: Any,
    *,
    format: str,
    output: Path,
    require_complete: bool,
) -> int:
    """Write what was found, as text or as JSON, and give the exit code. Raises InputError."""
    from ..verify.findings.formats import escaped_json

    write_output(text if format == "text" else escaped_json(form, indent=1) + "\n", output)
    return EXIT_OK if outcome.good and (outcome.complete or not require_complete) else EXIT_FINDINGS
