"""Options, output and exit code that `hand`, `refunds` and `receipt` have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from fairshoe.errors import InputError
from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE
from fairshoe.terminal.files import STDIN, check_writable, write_whole

if TYPE_CHECKING:
    from ..cases.outcome import Answer

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
ENDINGS = {".txt": "text", ".json": "json", ".jsonl": "jsonl"}
output_option = click.option(
    "--output", type=FILE, metavar="FILE", default=STDIN, help="Where it goes; - is standard output, the default."
)
complete_option = click.option(
    "--require-complete", is_flag=True, help="Exit 1 also where anything that it rests on could not be checked."
)


def format_option(*more: str) -> Callable[[Function], Function]:
    """Return the option of the formats that every command writes, and of `more`."""
    formats = click.Choice(("text", "json", "jsonl", *more))
    help = "json is one object, jsonl an object a line. An --output that ends in .json or .jsonl has that format."
    return click.option("--format", type=formats, default="text", show_default=True, help=help)


class Ending(NamedTuple):
    """Where an answer goes, in which format, and whether it must be complete."""

    format: str
    output: Path
    require_complete: bool

    def write(self, found: Answer) -> int:
        """Write what was found, and give the exit code. Raises InputError."""
        write_form(self.output, self.format, found.text, found.form)
        outcome = found.outcome
        return EXIT_OK if outcome.good and (outcome.complete or not self.require_complete) else EXIT_FINDINGS


def evidence_options(function: Function) -> Function:
    """Return the options by which the log as a whole is checked, and those that make a command's `ending`."""

    @wraps(function)
    def command(**words: Any) -> int:
        return cast(int, function(ending=Ending(*(words.pop(name) for name in Ending._fields)), **words))

    made: Any = command
    for option in (complete_option, output_option, format_option(), checkpoint_option, key_option):
        made = option(made)
    return cast(Function, made)


def check_output(output: Path, sources: list[Path]) -> None:
    """Refuse, before the audit, what could not be written after it. Raises InputError."""
    if output.suffix.lower() == ".pdf":
        remedy = "for a PDF, open a report's .html in a browser and print it"
        raise InputError("no command writes PDF", where=str(output), expected="another ending", remedy=remedy)
    if output != STDIN:
        check_writable(output, sources)


def format_of(output: Path, format: str) -> str:
    """Return the format of a file by its ending, else the one that was given."""
    return ENDINGS.get(output.suffix, format)


def render(format: str, text: str, form: Any, records: Sequence[Any] | None = None) -> str:
    """Return a result as one JSON value; its `records` as JSON, a line each, itself if it has none; or as text."""
    from ..verify.findings.formats import escaped_json

    if format == "json":
        return escaped_json(form, indent=1) + "\n"
    if format == "jsonl":
        return "".join(f"{escaped_json(each)}\n" for each in ([form] if records is None else records))
    return text


def write_form(output: Path, format: str, text: str, form: Any, records: Sequence[Any] | None = None) -> None:
    """Write a result in the format of the output, whole or not at all. Raises InputError."""
    write_output(render(format_of(output, format), text, form, records), output)


def write_output(text: str, output: Path) -> None:
    """Write it whole or not at all. Raises InputError."""
    if output == STDIN:
        print(text, end="")
    else:
        write_whole({output: text.encode("utf-8", "backslashreplace")})
