"""The entries that an earlier audit has checked: read once more, and not checked again."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..walk.audit import Audit

WITH_DIGESTS = (b'"kind":"shoe"', b'"kind":"seeds"', b'"kind":"opened"')


def take_again(audit: Audit, line: bytes) -> None:
    """Note what may not come twice in a log; the books know the rest. `line` stood in a log that passed."""
    if not any(mark in line for mark in WITH_DIGESTS):
        return
    entry = json.loads(line)
    match entry["kind"]:
        case "shoe":
            audit.commitments.add(bytes.fromhex(entry["commitment"]))
            if entry["shoe"] not in audit.names:
                audit.names.add(entry["shoe"], of_table=False)
        case "seeds":
            for digest in entry["hashes"].values():
                audit.hashes.add(bytes.fromhex(digest))
        case "opened":  # no hash stands for a sole player's
            audit.hashes.add(sha256(bytes.fromhex(entry["seed"])).digest())
