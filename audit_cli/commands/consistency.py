"""`fairshoe-audit consistency OLD NEW LOG`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.log.note import base64_of
from fairshoe.terminal import EXIT_FINDINGS, EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.screen import printable

from . import COMMANDS
from ._reading import check_output, format_option, output_option, write_form


@command(
    "consistency",
    help=COMMANDS["consistency"],
    epilog="OLD and NEW are checkpoints, or directories with one; LOG is a log's directory, its log.jsonl or - for "
    "standard input. Exit code: 0 it has both, 1 it has not, 2 not readable.",
)
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.argument("log")
@click.option("--key", metavar="VKEY", help="The house's verifier key, or a file with it: signatures are checked then.")
@format_option()
@output_option
def cli(old: Path, new: Path, log: str, key: str | None, format: str, output: Path) -> int:
    from ..verify.evidence.head import read_house_key
    from ..verify.evidence.histories import HistoriesDiffer, consistency, read_checkpoint

    one_standard_input([old, new, log, key])
    check_output(output, [old, new, Path(log)])
    verifier = None if key is None else read_house_key(key)
    first, second = read_checkpoint(old, None), read_checkpoint(new, None)
    sizes = second.checkpoint.size, first.checkpoint.size
    proof, differs = [], []
    try:
        proof = [*map(base64_of, consistency(first, second, log, verifier))]
    except HistoriesDiffer as error:
        differs = [*map(str, error.sentences)]
    lines = [printable(f"FAIL: {each}") for each in differs]
    if not differs:
        lines = [f"PASS: the log of {sizes[0]:,} entries extends the one of {sizes[1]:,}", *proof]
    if verifier is None:
        lines.append("Not checked: the signatures, for want of the house's key (--key).")
    form = {"verdict": "fail" if differs else "pass", "differs": differs, "old": sizes[1], "new": sizes[0]}
    form |= {"proof": proof, "signatures_checked": verifier is not None}
    write_form(output, format, "".join(f"{line}\n" for line in lines), form)
    return EXIT_FINDINGS if differs else EXIT_OK
