"""How a table stands between two entries: all that the audit of the entries after them rests on."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from typing import Any

from fairshoe.ceremony.book import BuyIn, Chair
from fairshoe.ceremony.policy import PATIENCE
from fairshoe.engine.rules import Rules
from fairshoe.engine.table import Table
from fairshoe.protocol.deck import Deck

from ..state.payments import Payments
from ..walk.state import Shoe, TableState

MOST_SEATS = 64


@dataclass
class Standing:
    """A table, and its shoes in play."""

    state: TableState
    shoes: list[Shoe]

    def packed(self) -> bytes:
        """To be sent to another process; one object that stands in two places does so there again."""
        paid = Payments()
        for each in _present(self.state):
            paid.add(each)
        self.state.paid = paid
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)

    def digest(self) -> bytes:
        """The same for two standings from which every later entry is judged alike, and for no others.

        Whatever a standing has is in it, so that no field can be forgotten; what nothing can depend on any more is made
        alike before: see `_alike`.
        """
        return sha256(repr(_plain([_alike(self.state), _present(self.state), self.shoes])).encode()).digest()


def unpacked(data: bytes) -> Standing:
    standing: Standing = pickle.loads(data)
    return standing


def _present(state: TableState) -> list[BuyIn]:
    """The payments into the present game: of an older one a refund would be a finding here, and is left to one pass."""
    game = state.book.table.memory.get("game")
    if game is None:
        return []
    payers = ((seat, state.paid.payer(game, seat)) for seat in range(1, MOST_SEATS + 1))
    found = (state.paid.get(game, seat, player) for seat, player in payers if player is not None)
    return [paid for paid in found if paid is not None]


def _alike(state: TableState) -> TableState:
    """A copy without what no later entry can show.

    `started` is told anew whenever the table is looked at. Where no round is open, whether it is legal, what was
    checked of it and its reshuffles are set by the next `open`. Of limits that a chair let pass only the first PATIENCE
    count; when it last acted counts only from the closing on. Payments into games before the present one: see
    `_present`.
    """
    book = state.book
    chairs = {seat: _chair(chair, book.closed) for seat, chair in book.chairs.items()}
    alike = replace(state, book=replace(book, chairs=chairs, started=""))
    if book.open is None:
        alike.legal, alike.checked, alike.reshuffles, alike.unlisted = True, None, [], 0
    return alike


def _chair(chair: Chair, closed: str) -> Chair:
    return replace(chair, lapsed=min(chair.lapsed, PATIENCE), acted=max(chair.acted, closed) if closed else "")


def _plain(value: Any) -> Any:
    """A value as text may show it, whole. Maps keep their order, but for chips and the rules' memory: these are only
    ever asked by name, or written down sorted."""
    if value is None or type(value) in (str, int, bool, bytes):
        return value
    if isinstance(value, TableState | Shoe):
        named = {field.name: getattr(value, field.name) for field in fields(value)}
        named.pop("table" if isinstance(value, Shoe) else "paid")  # these stand beside
        return type(value).__name__, _plain(named)
    if isinstance(value, Table):
        purse, memory = sorted(value.purse.items()), sorted(value.memory.items())
        return "Table", _plain([value.rules, value.players, purse, value.bank, memory])
    if isinstance(value, Rules):
        return value.name, _plain(value.options)
    if isinstance(value, Deck):
        return value.hash
    if isinstance(value, list | tuple):
        return type(value).__name__, [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return [(_plain(name), _plain(item)) for name, item in value.items()]
    if is_dataclass(value):
        return type(value).__name__, [(field.name, _plain(getattr(value, field.name))) for field in fields(value)]
    raise TypeError(f"a standing has a {type(value).__name__}, which nobody has said how to compare")
