"""Every fraud that is planted for the auditor, as the proof of its round shows it."""

from __future__ import annotations

import json
from importlib import import_module
from pkgutil import iter_modules

import pytest

from audit_cli.hand.parts import ProofRefused
from audit_cli.registry import CATALOGUE
from fairshoe.errors import InputError

from . import frauds
from .planting import FRAUDS, Fraud
from .proofs import checked, file_of
from .walk import full

for _info in iter_modules(frauds.__path__):
    import_module(f"{frauds.__name__}.{_info.name}")

WHOLE_LOG = {
    "bank-not-settled": "how the bank came to its seat",
    "bet-illegal": "balances: whether a bet was covered",
    "bet-without-seed": "that nobody left a chair and came back",
    "bets-not-forced": "who had joined",
    "chips-differ": "balances",
    "cover-differs": "balances",
    "limit-early": "since when a limit ran",
    "number-gap": "which numbers there are",
    "position-differs": "where the round before ended",
    "seats-unaccounted": "who else sat there",
    "shoe-not-retired": "whether the shoe was worn before",
    "step-out-of-order": "what stood between the entries",
    "table-closed": "what stood between the entries",
}
"""Findings about a round that a proof may miss, and what they rest on: docs/proof.md says so."""


def rounds(case: Fraud) -> list[tuple[list[bytes], str]]:
    """The logs and rounds of which the audit has the planted finding."""
    lines = list(case.plant().lines)
    found = [each for each in full(lines).findings if each.code == case.code and each.round is not None]
    opened = [json.loads(line) for line in lines if b'"kind":"open"' in line]
    known = {f"{entry['shoe'].rpartition('/')[0]}#{entry['round']}" for entry in opened}
    names = dict.fromkeys(f"{each.table}#{each.round}" for each in found)
    return [(lines, name) for name in names if name in known][:2]


@pytest.mark.parametrize("case", FRAUDS, ids=lambda case: case.name)
def test_a_fraud_in_a_round_does_not_pass(case: Fraud) -> None:
    for lines, name in rounds(case):
        try:
            word = checked(file_of(lines, name)).outcome.word
        except (ProofRefused, InputError):
            continue
        if CATALOGUE[case.code].severity == "fail" and case.code not in WHOLE_LOG:
            assert word in ("FAIL", "CANNOT SAY"), word
