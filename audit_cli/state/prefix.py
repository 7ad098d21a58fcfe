"""The entries that an earlier audit has checked: read once more, and not checked again."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..walk.audit import Audit

WITH_DIGESTS = b'"kind":"s'
"""In `shoe`, `seeds`, `seal`, and in `start`, which has none."""


def take_again(audit: Audit, line: bytes) -> None:
    """Note what may not come twice in a log; the books know the rest. `line` stood in a log that passed."""
    if WITH_DIGESTS not in line:
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
        case "seal":
            for seed in entry.get("seeds", {}).values():
                audit.hashes.add(sha256(bytes.fromhex(seed)).digest())
