"""Proof files of hands: how large they are for each game, and how long checking takes, to checking their signature."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from itertools import zip_longest

from audit_cli.proof.run import answer
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.hand_proof import proof_over, proof_text
from fairshoe.log.tree import Leaves
from fairshoe.record.hand_entries import HandEntries, round_of
from tests.audit.proofs import GAMES
from tests.house import SIGNER, House, Seating

from .timing import compared

ENTRIES = 70_000
HANDS = 200
"""Of each game."""
SPARED = 50
"""The last hands, whose shoes may not be revealed yet."""
REPEATS = 3


def tables(least: int) -> House:
    """A log of so many entries or a few more, of a table of each game with three seats, banker with its one."""
    house = House()
    seatings = [
        Seating(house, rules, rules, (1,) if rules == "banker" else (1, 2, 3), chips=1_000_000) for rules in GAMES
    ]
    for _ in zip_longest(*(seating.steps(1 << 30) for seating in seatings)):
        if len(house.lines) >= least:
            break
    return house


def run() -> None:
    lines = tables(ENTRIES).lines
    leaves = Leaves()
    leaves.extend(lines)
    note = Checkpoint(SIGNER.verifier.name, len(lines), leaves.root(len(lines))).signed(SIGNER)
    print(f"proof files in a log of {len(lines):,} entries, {HANDS} hands of each game; to check: in signatures")
    print("| game | entries | bytes, median | least to most | of them paths | to check |")
    print("|---|---|---|---|---|---|")
    for rules in GAMES:
        _row(rules, lines, note, leaves)


def _row(rules: str, lines: list[bytes], note: str, leaves: Leaves) -> None:
    own = [(place, line) for place, line in enumerate(lines) if f'"{rules}'.encode() in line]
    opened = [json.loads(line)["round"] for _, line in own if b'"kind":"open"' in line]
    files = [_file(f"{rules}#{number}", own, note, leaves) for number in opened[-HANDS - SPARED : -SPARED]]
    forms = list(map(json.loads, files))
    counts = [len(form["entries"]) for form in forms]
    paths = sum(len(json.dumps(each["path"], separators=(",", ":"))) for form in forms for each in form["entries"])
    sizes = sorted(map(len, files))
    *_, ratio = compared(
        lambda: [answer(data, SIGNER.verifier) for data in files],
        lambda: [open_checkpoint(note, SIGNER.verifier) for _ in files],
        REPEATS,
    )
    print(
        f"| {rules} | {min(counts)} to {max(counts)} | {statistics.median(sizes):,.0f} "
        f"| {sizes[0]:,} to {sizes[-1]:,} | {paths / sum(sizes):.0%} | {ratio:.0f} |"
    )


def _file(name: str, own: Iterable[tuple[int, bytes]], note: str, leaves: Leaves) -> bytes:
    hand = HandEntries(*round_of(name))
    for place, line in own:
        hand.take(place, line)
    return proof_text(proof_over(name, note, hand.lines, leaves.node)).encode()
