"""Whether the service can do its work now, and what keeps it from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..errors import FairshoeError
from ..log.times import HOUR, SECOND
from .clock import NOTICED
from .sequencer import Sequencer
from .store.condition import trouble
from .store.database import Database


class Check(NamedTuple):
    """One thing that must be right; `what` is empty where it is."""

    name: str
    what: str


class Health:
    """What a monitor asks for. `silent` gives the seconds since the ticker last came around."""

    def __init__(self, sequencer: Sequencer, database: Database, silent: Callable[[], float]) -> None:
        self._sequencer = sequencer
        self._database = database
        self._silent = silent

    def checks(self) -> list[Check]:
        found = trouble(self._database)
        return [
            Check("storage", "" if found is None else str(found)),
            Check("head", self._head() if found is None else ""),
            Check("clock", self._clock()),
            Check("limits", self._ticker()),
        ]

    def _head(self) -> str:
        """The newest checkpoint has to be written beside the database."""
        try:
            self._sequencer.heads.cover(self._sequencer.log_size())
        except (FairshoeError, OSError) as error:
            return f"the newest checkpoint cannot be kept: {error}"
        return ""

    def _clock(self) -> str:
        clock = self._sequencer.outages.clock
        if not clock.lost:
            return ""
        side = "forward" if clock.off > 0 else "back"
        return f"the machine's clock was set {side} by {abs(clock.off) / HOUR:.1f} hours, and is not followed"

    def _ticker(self) -> str:
        if self._silent() < NOTICED / SECOND:
            return ""
        return f"no command was answered, and no limit looked at, for {self._silent():.0f} seconds"
