"""What a report is made from."""

from __future__ import annotations

from typing import NamedTuple

from ..findings.report import Report
from .counting import Counting

JUDGING = 5
"""So many sections ask by numbers: outcomes, shuffles, luck, busts, behaviour."""


class Profile(NamedTuple):
    """How sure a report has to be before it says that chance does not explain something: `level` is the chance that an
    honest log gives it any such reason at all. `once`: the reader looks once, at a time that was chosen before."""

    name: str
    level: float
    once: bool = False

    @property
    def share(self) -> float:
        """The level of one section, for all its tests together."""
        return self.level / JUDGING


PROFILES = {profile.name: profile for profile in (Profile("99", 0.01), Profile("95", 0.05))}


class Facts(NamedTuple):
    """The audit, what was counted beside it, and how sure the reader wants to be."""

    audit: Report
    counted: Counting
    profile: Profile
