"""`fairshoe verify`: does a published proof hold? Exit code 0 yes, 1 no, 2 not readable as a proof."""

from __future__ import annotations

from pathlib import Path

import click

from ..protocol.commitment import commitment_of_hex
from ..protocol.proof import Proof
from ..protocol.verify import StepFailed, Verified, verify
from ..terminal import EXIT_FINDINGS, EXIT_OK
from ..terminal.commands import FILE, command
from ..terminal.files import read_utf8
from ..terminal.screen import explain, json_text, printable
from . import COMMANDS

MAX_PROOF_BYTES = 1 << 26


@command("verify", help=COMMANDS["verify"])
@click.argument("proof", type=FILE)
@click.option("--commitment", metavar="C", help="The one that you saw before the deal; without it, no step 1.")
@click.option("--signature", metavar="HEX", help="Of the beacon's round; without it, no step 7.")
@click.option("--json", "as_json", is_flag=True, help="One object with the verdict and what was dealt.")
def cli(proof: Path, commitment: str | None, signature: str | None, as_json: bool) -> int:
    """PROOF is the proof's JSON file, or - for standard input."""
    if commitment is not None:
        commitment_of_hex(commitment)
    published = Proof.from_json(read_utf8(proof, MAX_PROOF_BYTES))
    try:
        found = verify(published, commitment=commitment, signature=signature)
    except StepFailed as error:
        if as_json:
            told = {"what": error.what, "where": error.where, "expected": error.expected, "remedy": error.remedy}
            print(json_text({"holds": False, "step": error.step, **told}))
        else:
            print(f"The proof does not hold: step {error.step} fails (docs/protocol.md, section 10).\n{explain(error)}")
        return EXIT_FINDINGS
    if as_json:
        body: dict[str, object] = {"holds": True, "remembered": found.remembered, **found._asdict()}
        print(json_text({name: value for name, value in body.items() if name != "not_checked" or value}))
    else:
        print("\n".join(map(printable, _report(published, found))))
    return EXIT_OK


def _report(proof: Proof, found: Verified) -> list[str]:
    lines = [f"The proof holds for the commitment {found.commitment}"]
    if not found.remembered:
        lines.append("Step 1 was not done, so it is only consistent in itself: --commitment takes the one that you saw")
    lines += [f"not checked: {what}" for what in found.not_checked]
    lines.append(f"shoe {proof.shoe}, cut at {proof.cut}")
    lines.append(f"deck of {len(proof.deck)} cards, hash {proof.deck.hash}")
    lines += [f"seed of {who}: {value.hex()}" for who, value in proof.seeds] or ["no client seeds"]
    if proof.beacon:
        lines.append(f"beacon {proof.beacon.chain}, round {proof.beacon.round}")
    for k, cards in enumerate(found.dealt):
        if k:
            record = proof.reshuffles[k - 1]
            cut = "not cut" if record.cut is None else f"cut at {record.cut}"
            gathered = " ".join(proof.deck.pick(record.gathered))
            lines.append(f"reshuffle {k}, {cut}, gathered {len(record.gathered)}: {gathered}")
        lines.append(f"dealt {len(cards)}: {' '.join(cards)}".rstrip())
    lines += [f"draw {name}: {value} of 0 to {proof.draws[name][0] - 1}" for name, value in found.draws.items()]
    lines.append("Compare all this with what you saw, above all the cards (docs/protocol.md section 10)")
    return lines
