"""What the players were told, held against the log that there is at the end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from audit_cli.verify import verify
from fairshoe.log.checkpoint import open_checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.note import Verifier
from fairshoe.log.tree import Tree
from fairshoe.service.house import open_house
from tests.long.patrons import Move, Patrons

AUDIT = "import sys; from audit_cli.main import main; sys.exit(main())"


def log_of(data: Path, copy: Path) -> tuple[list[bytes], Verifier]:
    """The whole log of a data directory, written to `copy` as well. Raises Unusable."""
    house = open_house(data)
    lines = list(house.sequencer.log_lines(0, house.sequencer.log_size()))
    write_log(copy, lines, house.sequencer.signer)
    house.database.close()
    return lines, house.sequencer.signer.verifier


def audit_faults(copy: Path) -> list[str]:
    return [f"audit: {finding}" for finding in verify(copy).findings if finding.severity == "fail"]


def checkpoint_faults(lines: Sequence[bytes], verifier: Verifier, notes: Sequence[str]) -> list[str]:
    """Of each signed head that somebody kept the log must be the same entries, or more."""
    kept = {(head.size, head.root) for head in (open_checkpoint(note, verifier) for note in notes)}
    wanted, faults, tree = dict(kept), [], Tree()
    if len(wanted) < len(kept):
        faults.append("two heads of one size were signed")
    for line in [*lines, None]:
        if tree.size in wanted and wanted.pop(tree.size) != tree.root:
            faults.append(f"checkpoint of {tree.size} entries: others are there now")
        if line is not None:
            tree.append(line)
    return faults + [f"checkpoint of {size} entries: the log has {len(lines)}" for size in wanted]


def chips_faults(lines: Sequence[bytes], patrons: Sequence[Patrons]) -> list[str]:
    """Each acknowledged move of chips stands in the log once, and no other does."""
    logged: Counter[Move] = Counter()
    sitting: dict[tuple[str, int], str] = {}
    for entry in map(json.loads, lines):
        if entry["kind"] == "chips" and entry["op"] in ("buy-in", "cash-out"):
            place, left = (entry["table"], entry["seat"]), "leaves" in entry
            player = sitting.setdefault(place, entry.get("player", ""))
            logged["leave" if left else entry["op"], player, 0 if left else entry["amount"]] += 1
            if left:
                del sitting[place]
    told: Counter[Move] = sum((each.chips for each in patrons), Counter())
    moves = told | logged
    return [
        f"told {told[move]} times, in the log {logged[move]}: {move}" for move in moves if told[move] != logged[move]
    ]


def receipt_faults(copy: Path, patrons: Sequence[Patrons]) -> list[str]:
    """The auditor's word on each player's receipts."""
    faults = []
    for path in (path for each in patrons for path in each.receipts):
        words = [sys.executable, "-c", AUDIT, "receipt", str(path), str(copy)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            faults.append(f"{path.name}: {done.stdout}{done.stderr}"[:2_000])
    return faults
