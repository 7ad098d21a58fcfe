"""A table between rounds: who sits where, who holds the bank, and chips: buying in, cashing out, passing chips on."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..errors import RuleError
from .moves import Ask, Decision

if TYPE_CHECKING:
    from .rules.base import Rules


HOUSE = 0
"""The account of the house; it starts at nothing and may go below."""
POOL = -1
"""The account of a pool (LO-03)."""
MAX_BET = 1 << 40
"""GE-14: the highest bet that a table may allow."""
MAX_CHIPS = 1 << 51
"""GE-14: an account with more chips, or with a debt of more, takes part in no round, and no move of chips brings one
there. A round moves an account by at most 2^11 times the highest bet, so that none ever passes 2^52."""


def account_name(account: int) -> str:
    """Return an account as the log writes it: its chair's number, `house` or `pool`."""
    return _NAMES.get(account) or str(account)


_NAMES = {HOUSE: "house", POOL: "pool"} | {chair: str(chair) for chair in range(1, 65)}


class Bet(NamedTuple):
    """A wager of `amount` by `seat`, on betting place `box` (the seat itself, but in `boxes`)."""

    seat: int
    amount: int
    box: int


class Table:
    """The state that a round starts from. Treated as immutable: every step gives a new one.

    `players`: names by occupied chair (1 …); `purse`: chips by account (a chair, HOUSE, POOL); `bank`: the account that
    banks next; `memory`: what the rule set remembers between rounds.
    """

    __slots__ = ("bank", "memory", "players", "purse", "rules")

    def __init__(
        self,
        rules: Rules,
        players: Mapping[int, str],
        purse: Mapping[int, int],
        bank: int = HOUSE,
        memory: Mapping[str, int] | None = None,
    ) -> None:
        self.rules = rules
        self.players = players
        self.purse = purse
        self.bank = bank
        self.memory: Mapping[str, int] = {} if memory is None else memory

    def __reduce__(self) -> tuple[type[Table], tuple[object, ...]]:
        """How it goes to another process; a compiled class does not say so by itself."""
        return Table, (self.rules, self.players, self.purse, self.bank, self.memory)

    def after(
        self,
        purse: Mapping[int, int],
        *,
        bank: int | None = None,
        memory: Mapping[str, int] | None = None,
    ) -> Table:
        """This table with some accounts changed, and perhaps another bank or memory."""
        return Table(
            self.rules,
            self.players,
            {**self.purse, **purse},
            self.bank if bank is None else bank,
            self.memory if memory is None else memory,
        )

    def chairs_after(self, chair: int, *, clockwise: bool = True) -> list[int]:
        """Return the occupied chairs in turn from the one beside `chair`; `chair`, if it is occupied, comes last."""
        if clockwise:
            return sorted(self.players, key=lambda other: (other <= chair, other))
        return sorted(self.players, key=lambda other: (other >= chair, -other))


class BankMove(NamedTuple):
    """The table after `between`, and what happened: "" (nothing), rotation, change, gift or sale; like a first banker's
    draw that ends the shoe in play (PO-11)."""

    table: Table
    why: str
    price: int = 0


BankSteps = Generator[Ask, Decision, BankMove]


def fresh_table(rules: Rules) -> Table:
    """A table that nobody has sat down at yet: no chips anywhere, and the bank with the account that starts with it."""
    bank = rules.first_account
    return Table(rules, {}, {HOUSE: 0, bank: 0}, bank)


def move_chips(
    table: Table,
    op: str,
    seat: int,
    player: str,
    amount: int,
    *,
    to: int | None = None,
    leaves: bool = False,
    game: int = 0,
    gifts: int = 0,
) -> Table:
    """Return the table after the chips moved. An account beyond its bound may only have come nearer (GE-14). RuleError.

    `op`: `buy-in` (takes a free chair), `cash-out` (`leaves`: all, and the chair), `transfer` to seat `to`, `refund` of
    the buy-in for game number `game`, less `gifts` (LO-07, LO-04), `share` of a pool that nobody plays for (LO-04). For
    the last two `player` sat in chair `seat` at the buy-in.
    """
    after = _apply_move(table, op, seat, player, amount, to, leaves, game, gifts)
    for account, chips in after.purse.items():
        if abs(chips) > max(MAX_CHIPS, abs(table.purse.get(account, 0))):
            raise RuleError(
                f"{account_name(account)} would have {chips}",
                where="amount",
                expected=f"accounts of at most {MAX_CHIPS} chips, and no greater debts",
                remedy="move fewer chips",
            )
    return after


def _apply_move(
    table: Table, op: str, seat: int, player: str, amount: int, to: int | None, leaves: bool, game: int, gifts: int
) -> Table:
    if (leaves and op != "cash-out") or (to is not None) != (op == "transfer") or (op != "refund" and (game or gifts)):
        raise RuleError(op, where="op", expected="`to` with a transfer, `leaves` with a cash-out, `game` with a refund")
    if op == "buy-in":
        return table.rules.buy_in(_seat_player(table, seat, player), seat, amount)
    if op == "refund":
        refunded = table.rules.refund(table, seat, player, game, gifts)
        _require_amount(amount, sum(table.purse[account] - refunded.purse[account] for account in (POOL, HOUSE)))
        return refunded
    if op == "share":
        shared, part = table.rules.pay_share(table, seat)
        _require_amount(amount, part)
        return shared
    if table.players.get(seat) != player:
        raise RuleError(f"{player} does not sit in chair {seat}", where="player", expected=table.players.get(seat, ""))
    if leaves:
        return _free_chair(table, seat, amount)
    if not 1 <= amount <= table.purse[seat]:
        raise RuleError(f"{amount}", where="amount", expected=f"1 to {table.purse[seat]}, what seat {seat} has")
    if op == "transfer" and to is not None:
        if to == seat or to not in table.players:
            raise RuleError(f"seat {to}", where="to", expected="another player's seat")
        return table.after({seat: table.purse[seat] - amount, to: table.purse[to] + amount})
    if op == "cash-out":
        return table.after({seat: table.purse[seat] - amount})
    raise RuleError(op, where="op", expected="buy-in, cash-out, transfer, refund or share")


def _require_amount(amount: int, owed: int) -> None:
    if amount != owed:
        raise RuleError(f"{amount}", where="amount", expected=str(owed))


def _seat_player(table: Table, seat: int, player: str) -> Table:
    """Return the table with the player in the chair, who may sit there already."""
    sitting = table.players.get(seat)
    if sitting == player:
        return table
    most = table.rules.chairs[1]
    if sitting is not None or not 1 <= seat <= most or player in table.players.values():
        raise RuleError(f"chair {seat} for {player}", where="seat", expected=f"a free chair of 1 to {most}, a new name")
    players = {**table.players, seat: player}
    return Table(table.rules, players, {**table.purse, seat: 0}, table.bank, table.memory)


def _free_chair(table: Table, seat: int, amount: int) -> Table:
    if not table.rules.may_leave(table, seat):
        raise RuleError(f"seat {seat} may not leave yet", where="leaves", expected="chips that are not below zero")
    if amount != table.purse[seat]:
        raise RuleError(f"{amount}", where="amount", expected=f"{table.purse[seat]}, all that seat {seat} has")
    return table.rules.leave_chair(table, seat)


def changed_accounts(before: Table, after: Table, seat: int) -> dict[int, int]:
    """Return the accounts that a `chips` entry states, with their chips: the changed ones and the seat's own."""
    accounts = {a: chips for a, chips in after.purse.items() if before.purse.get(a, 0) != chips}
    accounts[seat] = after.purse.get(seat, 0)
    return accounts
