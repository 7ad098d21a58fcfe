"""`fairshoe-audit prove LOG --round TABLE#N`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from fairshoe.terminal import EXIT_OK
from fairshoe.terminal.commands import FILE, command, one_standard_input
from fairshoe.terminal.files import STDIN

from . import COMMANDS
from ._log import check_there, files_of, show_progress
from ._reading import check_output, key_option, output_option, write_output


@command(
    "prove",
    help=COMMANDS["prove"],
    epilog="`fairshoe-audit hand FILE --key VKEY` checks it and needs no log. The same checkpoint with the same "
    "cosignatures gives the same bytes, whoever makes it. What is in it: docs/proof.md. --page FILE makes the page "
    "instead, one file that asks nobody for anything: with the hand in it, of a log or of a proof file in LOG's place, "
    "or empty where there is no LOG; --key is then shown as what the file says, and compared with the key that the "
    "reader holds. Its SHA-256 without a hand stands in docs/verify-page.md. Exit code: 0 made, 2 not readable, or no "
    "such round.",
)
@click.argument("log", type=FILE, required=False)
@click.option("--round", "name", metavar="ID", help="TABLE#NUMBER.")
@click.option("--page", type=FILE, metavar="FILE", help="Write the page that checks a hand in a browser; - prints it.")
@key_option
@output_option
def cli(log: Path | None, name: str | None, page: Path | None, key: str | None, output: Path) -> int:
    from fairshoe.page import fill_page
    from fairshoe.page import page as empty

    from ..verify.evidence.head import read_house_key

    if page is not None and output != STDIN:
        raise click.UsageError("--page or --output, not both")
    if log is None:
        if page is None or name is not None or key is not None:
            raise click.UsageError("give a LOG and its --round; --page alone makes a page without a hand")
        check_output(page, [])
        write_output(empty(), page)
        return EXIT_OK
    one_standard_input([log, key])
    check_there(log)
    check_output(page or output, [*files_of(log), *([Path(key)] if key else [])])
    if page is None and output == STDIN and sys.stdout is not None and sys.stdout.isatty():
        raise click.UsageError("a proof is a file of some kilobytes: give --output FILE, or pipe it")
    proof = _proof(log, name, key, page is not None)
    if page is None:
        write_output(proof, output)
    else:
        write_output(fill_page(proof.encode(), "" if key is None else str(read_house_key(key))), page)
    return EXIT_OK


def _proof(log: Path, name: str | None, key: str | None, shown: bool) -> str:
    """Return the proof of a log's round; or the one in LOG's place, where it is to be `shown`."""
    from fairshoe.log.hand_proof import MAX_PROOF, proof_of, proof_text
    from fairshoe.terminal.files import read_bytes

    from ..cases.hand.parts import make
    from ..verify.evidence.head import read_house_key
    from ..verify.evidence.histories import is_proof

    if shown and is_proof(log):
        data = read_bytes(log, MAX_PROOF)
        proof_of(data)
        return data.decode()
    if name is None:
        raise click.UsageError("say which hand: --round TABLE#NUMBER")
    with show_progress(log) as progress:
        return proof_text(make(log, name, None if key is None else read_house_key(key), progress))
