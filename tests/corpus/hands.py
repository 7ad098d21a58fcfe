"""Proof files of single hands (docs/proof.md), and what is said of each with the house's key."""

from __future__ import annotations

import json
from pathlib import Path

from tests.audit.telling import said

from .case import Form

FOLDER = Path(__file__).parents[1] / "data" / "hands"
OUTCOMES = FOLDER / "outcomes.json"
KEY = FOLDER / "log.vkey"


def outcome(file: Path) -> Form:
    """The `outcome` of a proof file, and the `exit` code: PASS, PASS so far, FAIL, CANNOT SAY; `refused` where it is no
    proof that the house signed, or an entry is of a version that is not known yet."""
    told = said("hand", file, "--key", KEY)
    return {"outcome": told.first.partition(":")[0] if told.out else "refused", "exit": told.code}


def outcomes() -> dict[str, Form]:
    """Every proof of the corpus by its name: what it `shows`, and what is said of it."""
    forms: dict[str, Form] = json.loads(OUTCOMES.read_text(encoding="utf-8"))
    return forms
