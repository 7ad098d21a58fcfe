"""All that is counted while a log is audited; what two parts of a log counted adds up."""

from __future__ import annotations

import json
from typing import Any

from ..luck.busts import Busts
from ..luck.house import Luck
from ..luck.watch import LuckWatcher
from ..measures.watch import Measures
from ..statistics.collected import Collected
from ..statistics.watch import ShuffleWatcher
from ..walk.audit import Audit
from ..walk.state import Shoe
from ..walk.watching import Watcher

_ROUND = b'"kind":"round"'


class Counting(Watcher):
    """Given to `verify` as its `watch`. `unknown`: void shoes whose order stays unknown for want of a seed; `unordered`
    are revealed ones without an order."""

    def __init__(self) -> None:
        super().__init__()
        self.measures = Measures()
        self.luck = Luck()
        self.busts = Busts()
        self.shuffles = Collected()
        self._luck = LuckWatcher(self.luck.add, self.busts.add)
        self._shuffles = ShuffleWatcher(self.shuffles)
        self._unknown = self._unordered = 0

    @property
    def unknown(self) -> int:
        return self._unknown + self._luck.unknown

    @property
    def unordered(self) -> int:
        return self._unordered + self._shuffles.unordered

    def before(self, audit: Audit, shoe: Shoe | None) -> None:
        self.measures.before(audit, shoe)
        self._luck.before(audit, shoe)

    def after(self, audit: Audit, shoe: Shoe | None, line: bytes) -> None:
        if audit.entry is None and audit.followed and shoe is not None and _ROUND in line:
            audit.entry = json.loads(line)  # once for all who look
        self.measures.after(audit, shoe, line)
        self._luck.after(audit, shoe, line)
        self._shuffles.after(audit, shoe, line)

    def __getstate__(self) -> dict[str, Any]:
        """What adds up, and nothing of the log that is being read."""
        counted = {name: getattr(self, name) for name in ("measures", "luck", "busts", "shuffles")}
        return counted | {"_unknown": self.unknown, "_unordered": self.unordered}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Counting.__init__(self)
        self.__dict__.update(state)

    def merge(self, other: Counting) -> None:
        """Add what was counted of other tables of the log."""
        self.measures.merge(other.measures)
        self.luck.merge(other.luck)
        self.busts.merge(other.busts)
        self.shuffles.merge(other.shuffles)
        self._unknown += other.unknown
        self._unordered += other.unordered
