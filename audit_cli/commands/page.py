"""`fairshoe-audit page > verify.html`."""

from __future__ import annotations

from pathlib import Path

import click

from fairshoe.terminal import FINE
from fairshoe.terminal.commands import command
from fairshoe.terminal.options import FILE, one_standard_input

from ._reading import check_output, key_option, output_option, write_output


@command(
    "page",
    help="Make the page that checks a hand in a browser: one file, which asks nobody for anything.",
    epilog="Save it, open it from the disk, and give it a proof file. With PROOF, which `prove` makes, the hand is in "
    "it already; --key is then shown as what the file says, and compared with the key that the reader holds. Its "
    "SHA-256 without a hand stands in docs/verify-page.md.",
)
@click.argument("proof", type=FILE, required=False)
@key_option
@output_option
def cli(proof: Path | None, key: str | None, output: Path) -> int:
    from fairshoe.log.hand_proof import MOST_PROOF, proof_of
    from fairshoe.page import filled, page
    from fairshoe.terminal.files import read_bytes

    from ..evidence.keys import verifier_given

    if proof is None:
        if key is not None:
            raise click.UsageError("--key belongs to a hand: give its PROOF as well")
        check_output(output, [])
        write_output(page(), output)
        return FINE
    one_standard_input([proof, key])
    check_output(output, [proof, *([Path(key)] if key else [])])
    verifier = "" if key is None else str(verifier_given(key))
    data = read_bytes(proof, MOST_PROOF)
    proof_of(data)
    write_output(filled(data, verifier), output)
    return FINE
