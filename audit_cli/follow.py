"""After a finding the state follows what the log says, so that one change is reported once."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.table import HOUSE, POOL, Table
from fairshoe.log.canonical import Entry

from .state import Shoe, TableState

_ACCOUNTS = {"house": HOUSE, "pool": POOL}


def account_of(name: str) -> int | None:
    if name in _ACCOUNTS:
        return _ACCOUNTS[name]
    return int(name) if name.isascii() and name.isdigit() and len(name) < 4 else None


def follow_chips(state: TableState, chips: Any) -> None:
    """Take over the logged chips of accounts that exist."""
    purse: dict[int, int] = {}
    for name, amount in chips.items() if type(chips) is dict else ():
        account = account_of(name)
        if account is not None and account in state.table.purse and type(amount) is int:
            purse[account] = amount
    state.table = state.table.after(purse)


def follow_seat(state: TableState, entry: Entry) -> None:
    """Take over who sits in the chair, where that does not clash."""
    table = state.table
    seat, player = entry["seat"], entry["player"]
    players, purse = dict(table.players), dict(table.purse)
    if entry.get("leaves"):
        players.pop(seat, None)
        purse.pop(seat, None)
    elif entry["op"] == "buy-in" and player not in players.values():
        players[seat] = player
        purse.setdefault(seat, 0)
    state.table = Table(table.rules, players, purse, table.bank, table.memory)


def follow_round(state: TableState, shoe: Shoe, entry: Entry) -> None:
    """Take over a round's chips and the pointer after it, as far as they make sense."""
    follow_chips(state, entry.get("chips"))
    pos, cards = entry.get("pos"), entry.get("cards")
    if type(pos) is int and type(cards) is list and not entry.get("reshuffled"):
        shoe.position = pos + len(cards)
