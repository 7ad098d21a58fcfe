"""After a finding a table follows what the log says, so that one change is reported once."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.table import Table
from fairshoe.log.canonical import Entry
from fairshoe.record.forms import account_of


def logged_chips(table: Table, chips: Any) -> Table:
    """The table with the logged chips of those accounts that it has."""
    purse: dict[int, int] = {}
    for name, amount in chips.items() if type(chips) is dict else ():
        account = account_of(name)
        if account is not None and account in table.purse and type(amount) is int:
            purse[account] = amount
    return table.after(purse)


def logged_seat(table: Table, entry: Entry) -> Table:
    """The table with the logged player in the chair, or without, where that does not clash."""
    seat, player = entry["seat"], entry["player"]
    players, purse = dict(table.players), dict(table.purse)
    if entry.get("leaves"):
        players.pop(seat, None)
        if seat != table.bank:
            purse.pop(seat, None)
    elif entry["op"] == "buy-in" and player not in players.values() and seat <= table.rules.chairs[1]:
        players[seat] = player
        purse.setdefault(seat, 0)
    return Table(table.rules, players, purse, table.bank, table.memory)


def logged_table(table: Table, entry: Entry) -> Table:
    """The table with the logged chips and what the rules remember, as a `shoe` says them, where they can be so."""
    table = logged_chips(table, entry.get("chips"))
    memory = table.rules.recalled(entry.get("memory", {}), entry.get("paid", ()))
    if memory.keys() == table.memory.keys() and all(value >= 0 for value in memory.values()):
        return table.after({}, memory=memory)
    return table


def logged_bank(table: Table, entry: Entry) -> Table:
    """The table with the bank where the log says, if somebody sits there."""
    if entry["to"] in table.players:
        table = table.after({}, bank=entry["to"], memory={})
    return logged_chips(table, entry.get("chips"))
