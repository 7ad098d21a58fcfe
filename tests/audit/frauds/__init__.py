"""Frauds of a house that holds the signing key and rewrites what follows: one case each, by what they touch."""

from . import (
    bank,
    betting,
    cards,
    chairs,
    chips,
    contributions,
    cuts,
    decisions,
    delays,
    joined,
    lounge,
    openings,
    rosters,
    shoes,
    voids,
)

__all__ = [
    "bank",
    "betting",
    "cards",
    "chairs",
    "chips",
    "contributions",
    "cuts",
    "decisions",
    "delays",
    "joined",
    "lounge",
    "openings",
    "rosters",
    "shoes",
    "voids",
]
