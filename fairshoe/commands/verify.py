"""`fairshoe verify`: does a published proof hold? Exit code 0 yes, 1 no, 2 not readable as a proof."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..errors import InputError
from ..protocol.commitment import commitment_of_hex
from ..protocol.proof import Proof
from ..protocol.verify import StepFailed, Verified, verify
from ._line import Once, explain

NAME = "verify"
HELP = "check a proof that a house published at the reveal"
DOES_NOT_HOLD = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("proof", metavar="PROOF", help="the proof's JSON file, or - for standard input")
    add("--commitment", action=Once, metavar="C", help="the one that you saw before the deal; without it, no step 1")
    add("--json", action="store_true", help="one object with the verdict and what was dealt")


def run(args: argparse.Namespace) -> int:
    if args.commitment is not None:
        commitment_of_hex(args.commitment)
    remembered = args.commitment is not None
    proof = Proof.from_json(_text(args.proof))
    try:
        found = verify(proof, commitment=args.commitment)
    except StepFailed as error:
        if args.json:
            body = {"what": error.what, "where": error.where, "expected": error.expected, "remedy": error.remedy}
            print(json.dumps({"holds": False, "step": error.step, **body}, ensure_ascii=False))
        else:
            print(f"The proof does not hold: step {error.step} fails (docs/protocol.md, section 10).\n{explain(error)}")
        return DOES_NOT_HOLD
    if args.json:
        print(json.dumps({"holds": True, "remembered": remembered, **found._asdict()}, ensure_ascii=False))
    else:
        print("\n".join(_report(proof, found, remembered=remembered)))
    return 0


def _text(name: str) -> str:
    if name == "-":
        with open(0, "rb", closefd=False) as stdin:
            data = stdin.read()
    else:
        data = Path(name).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where="proof", expected="JSON in UTF-8") from None


def _report(proof: Proof, found: Verified, *, remembered: bool) -> list[str]:
    lines = [f"The proof holds for the commitment {found.commitment}"]
    if not remembered:
        lines.append("Step 1 was not done, so it is only consistent in itself: --commitment takes the one that you saw")
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
