"""Bounds that no honest log meets, so that time and memory stay linear in a log's bytes. See docs/log.md."""

from __future__ import annotations

MOST_PACKS = 8
"""The N of a named deck, such as `french:N`; a larger one stands in `deck` entries."""
MOST_ROSTER = 64
"""Contributors that are followed; the protocol knows no more."""
MOST_WAIVERS = 1_024
"""Waivers in one shoe."""
MOST_DEBTS = 128
"""Players of one table who owe a seed."""
MOST_RESHUFFLES = 1_024
"""`reshuffle` entries of one round that are kept."""
FREE_CARDS, CARDS_AN_ENTRY = 1 << 23, 256
"""Cards that are put in order for a log, and as many more for each of its entries up to there."""
