"""`fairshoe-audit foreign`: hands of other houses, one by options or many from a file."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command

from . import COMMANDS
from ._reading import check_output, format_option, output_option, write_form


def _fields() -> list[click.Parameter]:
    """One option for each field of a hand."""
    from ..cases.foreign.table import COLUMNS

    return [click.Option([f"--{name.replace('_', '-')}"], default="", metavar="TEXT") for name in COLUMNS]


@command(
    "foreign",
    help=COMMANDS["foreign"],
    epilog="One hand by options, or FILE: CSV with a header, or lines of JSON, with the options' names as columns. "
    "Each answer is `follows`, `differs` or `not checked`, never `fair`. Exit code: 0 nothing differs, 1 something "
    "does, 2 not readable. The schemes and their grammar: docs/other-houses.md.",
    later=_fields,
)
@click.argument("file", type=FILE, required=False)
@format_option()
@output_option
def cli(file: Path | None, format: str, output: Path, **fields: str) -> int:
    from fairshoe.terminal.files import read_bytes
    from fairshoe.terminal.screen import progress

    from ..cases.foreign.check import DIFFERS, check_all
    from ..cases.foreign.formats import as_text
    from ..cases.foreign.scheme import ForeignHand
    from ..cases.foreign.table import MAX_BYTES, hands_in

    if (file is None) == (not any(fields.values())):
        raise click.UsageError("give one hand by its options, or a FILE of hands")
    check_output(output, [file] if file else [])
    hands = hands_in(read_bytes(file, MAX_BYTES)) if file else [ForeignHand(**fields)]
    with progress("checking hands", len(hands)) as done:
        answers = list(check_all(hands, done))
    forms = [answer.as_json() for answer in answers]
    write_form(output, format, "".join(f"{line}\n" for line in as_text(answers)), forms, forms)
    return EXIT_FINDINGS if any(DIFFERS in answer.answers().values() for answer in answers) else EXIT_OK
