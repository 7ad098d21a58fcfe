"""Chips between rounds: buying in, cashing out, passing chips on, refunds. Who sits where follows from them."""

from __future__ import annotations

from ..errors import RuleError
from .table import Table


def move_chips(
    table: Table, op: str, seat: int, player: str, amount: int, *, to: int | None = None, leaves: bool = False
) -> Table:
    """The table after the chips moved. Raises RuleError.

    `op`: `buy-in` (takes the chair where it is free), `cash-out` (`leaves`: of everything, and frees
    the chair), `transfer` to the seat `to`, `refund` of the buy-in (LO-07).
    """
    if (leaves and op != "cash-out") or (to is not None) != (op == "transfer"):
        raise RuleError(op, where="op", expected="`to` with a transfer, `leaves` with a cash-out")
    if op == "buy-in":
        return table.rules.buy_in(_seated(table, seat, player), seat, amount)
    if table.players.get(seat) != player:
        raise RuleError(f"{player} does not sit in chair {seat}", where="player", expected=table.players.get(seat, ""))
    if op == "refund":
        refunded = table.rules.refund(table, seat)
        if refunded.purse[seat] - table.purse[seat] != amount:
            raise RuleError(f"{amount}", where="amount", expected=str(refunded.purse[seat] - table.purse[seat]))
        return refunded
    if leaves:
        return _left(table, seat, amount)
    if not 1 <= amount <= table.purse[seat]:
        raise RuleError(f"{amount}", where="amount", expected=f"1 to {table.purse[seat]}, what seat {seat} has")
    if op == "transfer" and to is not None:
        if to == seat or to not in table.players:
            raise RuleError(f"seat {to}", where="to", expected="another player's seat")
        return table.after({seat: table.purse[seat] - amount, to: table.purse[to] + amount})
    if op == "cash-out":
        return table.after({seat: table.purse[seat] - amount})
    raise RuleError(op, where="op", expected="buy-in, cash-out, transfer or refund")


def _seated(table: Table, seat: int, player: str) -> Table:
    """The table with the player in the chair, who may sit there already."""
    sitting = table.players.get(seat)
    if sitting == player:
        return table
    most = table.rules.chairs[1]
    if sitting is not None or not 1 <= seat <= most or player in table.players.values():
        raise RuleError(f"chair {seat} for {player}", where="seat", expected=f"a free chair of 1 to {most}, a new name")
    players = {**table.players, seat: player}
    return Table(table.rules, players, {**table.purse, seat: 0}, table.bank, table.memory)


def _left(table: Table, seat: int, amount: int) -> Table:
    if not table.rules.may_leave(table, seat):
        raise RuleError(f"seat {seat} may not leave yet", where="leaves", expected="the end of the game")
    if amount != table.purse[seat]:
        raise RuleError(f"{amount}", where="amount", expected=f"{table.purse[seat]}, all that seat {seat} has")
    players = {chair: name for chair, name in table.players.items() if chair != seat}
    purse = {account: chips for account, chips in table.purse.items() if account != seat}
    return Table(table.rules, players, purse, table.bank, table.memory)


def changed_accounts(before: Table, after: Table, seat: int) -> dict[int, int]:
    """What a `chips` entry states: the accounts that changed and the seat's own, with their chips afterwards."""
    accounts = {a: chips for a, chips in after.purse.items() if before.purse.get(a, 0) != chips}
    accounts[seat] = after.purse.get(seat, 0)
    return accounts
