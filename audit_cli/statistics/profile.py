"""How sure a result must be, and the power that 'could have been shown' means."""

from __future__ import annotations

from typing import NamedTuple

LEVEL = 0.01
"""The level, of a single test, at which the smallest bias is stated."""
POWER = 0.9
"""The chance with which that bias would have been found at that level."""


class Profile(NamedTuple):
    """The chance that an honest set of shoes has any finding, over all tests together."""

    name: str
    level: float


PROFILES = {each.name: each for each in (Profile("99 %", 0.01), Profile("95 %", 0.05))}
