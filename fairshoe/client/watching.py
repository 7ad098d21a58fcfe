"""What a seat has seen of its table, and what the house is held to by it and by receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errand import Errand
from .receipts import Keeper
from .requests import Request

if TYPE_CHECKING:
    from .client import Form


class Watching:
    """`seen` is the table as the seat saw it last, all of whose steps since then are known. `place` are table, seat and
    player. Without a `keeper` there are no receipts, and nothing is checked."""

    def __init__(self, place: Form, state: Form, errand: Errand, keeper: Keeper | None) -> None:
        self.place = place
        self.seen = state
        self.keeper = keeper
        self._errand = errand

    def answered(self, request: Request, state: Form, *, sat: bool = False) -> None:
        """The request was answered by `state`: keep its receipt; `sat`: the chair was taken by it. Raises WrongReceipt;
        the request is done all the same."""
        seen = {} if sat else self._known(state)
        self._errand.bets = None
        try:
            if self.keeper is not None:
                self.keeper.keep(self.place, request.what, request.fields, state, seen)
        finally:
            self._errand.answered(done=True)

    def looked(self, state: Form) -> None:
        """While a request is not answered nothing is held against the table: what it did is not known. Raises
        WrongReceipt."""
        if self.keeper is not None and self._errand.waiting is None and state["log"] >= self.seen.get("log", 0):
            self._known(state)
            self.keeper.look(self.place, state)

    def _known(self, state: Form) -> Form:
        """The table as it was seen last, if all that this seat has done since is known; `state` is seen from now on."""
        seen, self.seen = {} if self._errand.lost else self.seen, state
        self._errand.lost = False
        return seen
