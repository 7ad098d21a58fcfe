"""The words that fields may have, for the description of the API."""

from __future__ import annotations

from ...ceremony.phases import PHASES
from ...engine.rules import RULES

RULE_SETS = tuple(sorted(RULES))
PHASE_NAMES = tuple(PHASES)
MOVES = (
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insure",
    "decline",
    "continue",
    "stop",
    "reveal",
    "accept",
    "refuse",
    "give",
    "sell",
    "agree",
)
"""Every move of every rule set: which of them are legal now, `moves` says."""
CHIP_MOVES = ("buy-in", "cash-out", "transfer")
CHIP_WISHES = (*CHIP_MOVES, "leave")
REFUNDS = ("round", "unfinished")
FAULTS = ("caller", "player", "house", "machine")
ABOUT = ("round", "bank")
DECIDED_BY = ("table",)
