"""A table between rounds: who sits where, whose chips lie where, who holds the bank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .rules.base import Rules

HOUSE = 0
"""The account of the house; it starts at nothing and may go below."""
POOL = -1
"""The account of a pool (LO-03)."""
MOST_BET = 1 << 40
"""GE-14: the highest bet that a table may allow."""
MOST_CHIPS = 1 << 51
"""GE-14: an account with more chips, or with a debt of more, takes part in no round, and no move of chips brings one
there. A round moves an account by at most 2^11 times the highest bet, so that none ever passes 2^52."""


def account_name(account: int) -> str:
    """How an account is written in the log: its chair's number, `house` or `pool`."""
    return _NAMES.get(account) or str(account)


_NAMES = {HOUSE: "house", POOL: "pool"} | {chair: str(chair) for chair in range(1, 65)}


class Bet(NamedTuple):
    """A wager of `amount` by `seat`, on betting place `box` (the seat itself, but in `boxes`)."""

    seat: int
    amount: int
    box: int


class Table:
    """The state that a round starts from. Treated as immutable: every step gives a new one.

    `players` maps an occupied chair (1 …) to its player's name, `purse` an account (a chair, HOUSE,
    POOL) to its chips; `bank` is the account that banks the next round; `memory` is what the rule
    set remembers between rounds.
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

    def chairs_from(self, chair: int, *, clockwise: bool = True) -> list[int]:
        """The occupied chairs in turn from the one beside `chair`; `chair`, if it is occupied, comes last."""
        if clockwise:
            return sorted(self.players, key=lambda other: (other <= chair, other))
        return sorted(self.players, key=lambda other: (other >= chair, -other))


def fresh_table(rules: Rules) -> Table:
    """A table that nobody has sat down at yet: no chips anywhere, and the bank with the account that starts with it."""
    bank = rules.first_account
    return Table(rules, {}, {HOUSE: 0, bank: 0}, bank)
