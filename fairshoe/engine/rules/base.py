"""What a rule set is. One file a set; its options are the fields of a frozen dataclass."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...errors import IllegalBet, InputError, RuleError
from ..cards import Cards
from ..hand import Hand
from ..moves import Ask, Decision
from ..table import HOUSE, Bet, Table

if TYPE_CHECKING:
    from ..round import Round, Steps


class BankMove(NamedTuple):
    """The table after `between`, and what happened: "" (nothing), rotation, change, gift or sale.

    Whatever happens to the bank, a first banker's draw included, ends the shoe in play (PO-11).
    """

    table: Table
    why: str
    price: int = 0


Banking = Generator[Ask, Decision, BankMove]

RULES: dict[str, type[Rules]] = {}
"""Every rule set by name."""

Option = int | bool | str


class Rules:
    """A rule set with its options. Subclasses are frozen dataclasses; defining one registers it."""

    name: ClassVar[str]
    one_round: ClassVar[bool] = True
    """A new shuffle for every round; else the shoe serves rounds until `worn`."""
    burns: ClassVar[bool] = False
    """The top card is shown and put aside after every shuffle (PO-06)."""
    bet_unit: ClassVar[int] = 1
    """A bet is a multiple of this, so that every payout is whole (GE-04)."""
    first_account: ClassVar[int] = HOUSE
    """The account that banks a fresh table."""

    packs: int

    @property
    def chairs(self) -> tuple[int, int]:
        """The fewest and the most chairs that may be taken for a round, a dealer's included."""
        return 1, 7

    @property
    def minimum(self) -> int:
        """The lowest bet; an option, or what the rules fix."""
        raise NotImplementedError

    @property
    def maximum(self) -> int:
        """The highest bet."""
        raise NotImplementedError

    def __init_subclass__(cls) -> None:
        RULES[cls.name] = cls

    @property
    def options(self) -> dict[str, Option]:
        """Every option with its value, as the log has it."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]

    # The shoe.

    @property
    def deck(self) -> str:
        return f"french:{self.packs}"

    @property
    def cards(self) -> int:
        return 52 * self.packs

    def cut_range(self) -> tuple[int, int] | None:
        """The lowest and highest cut a player may choose; None where the rules have no cut."""
        return None

    def cutter(self, table: Table, shoe: int) -> int:
        """The seat that cuts shoe number `shoe` (1, 2, …) of the table."""
        raise NotImplementedError

    def draws(self) -> dict[str, int]:
        """Named draws of every shoe: name → exclusive upper bound."""
        return {} if self.cut_range() is None else {"cut": self.cards}

    def worn(self, position: int, present: int, draws: Mapping[str, int]) -> bool:
        """Whether the shoe is done after a round that ended with the pointer at `position` of the present
        deck; that deck has `present` cards, fewer than the shoe after a reshuffle in the middle of a deal."""
        return True

    # The round.

    def stake(self, amount: int) -> int:
        """Chips that leave a purse for a wager of `amount`."""
        return amount

    def acting_order(self, table: Table) -> list[int]:
        """The seats in the order in which they act (GE-09); a round's bets stand in it."""
        return sorted(table.players)

    def forced_bets(self, table: Table) -> list[Bet] | None:
        """The bets of a round where the rules leave nobody a choice; None where everybody bets as they like."""
        return None

    def check(self, table: Table, bets: Sequence[Bet]) -> None:
        """Raise IllegalBet unless a round may be opened with these bets, in acting order."""
        if not bets:
            raise IllegalBet("no bet", where="bets", expected="at least one")
        last = 0
        for seat, amount, box in bets:
            if box <= last or box != seat or seat not in table.players or seat == table.bank:
                raise IllegalBet(f"box {box}", where="bets", expected="one bet a seat, in acting order")
            last = box
            if not self.minimum <= amount <= self.maximum or amount % self.bet_unit:
                self.check_amount(amount)
            if table.purse[seat] < self.stake(amount):
                raise IllegalBet(f"seat {seat} has {table.purse[seat]}", where="amount", expected="a covered bet")

    def check_amount(self, amount: int) -> None:
        if not self.minimum <= amount <= self.maximum:
            raise IllegalBet(f"{amount}", where="amount", expected=f"{self.minimum} to {self.maximum}")
        if amount % self.bet_unit:
            raise IllegalBet(f"{amount} is odd", where="amount", expected="an even bet, so that 3:2 pays whole units")

    def play(self, round: Round) -> Steps:
        """The round, from the deal to the settlement."""
        raise NotImplementedError

    def close(self, round: Round) -> Table:
        """The table after the round."""
        return round.table.after(round.purse)

    def exhausted(self, round: Round) -> None:
        """A card is needed and none is left."""
        raise RuleError("the shoe is empty", where="cards", remedy="this cannot happen by the rules")

    def total(self, hand: Hand) -> int:
        """What a hand counts under these rules."""
        return hand.total

    def soft(self, hand: Hand) -> bool:
        """Whether a hand is soft under these rules."""
        return hand.soft

    upcard: ClassVar[int | None] = 0
    """Which of the dealer's cards is the upcard that a player plays against; None: there is none."""

    def bank_hits(self, hand: Hand) -> bool:
        """ST-01: whether a hand that plays like the bank takes a card."""
        return hand.total < 17

    # The bank.

    def between(self, table: Table) -> Banking:
        """Settle who banks the next round. Runs before every shoe of one round, and before every round
        else; it comes to nothing when run on the table that it returned."""
        return BankMove(table, "")
        yield

    def first_bank(self, table: Table, cards: Cards) -> tuple[int, list[str]]:
        """Find the first banker by dealing from a shoe of its own (PO-04): the seat and the cards dealt."""
        raise NotImplementedError

    def needs_first_bank(self, table: Table) -> bool:
        """Whether `first_bank` must be played before anything else."""
        return False

    # Chips.

    def buy_in(self, table: Table, seat: int, amount: int) -> Table:
        """The table after a buy-in. Raises IllegalBet."""
        if amount < 1:
            raise IllegalBet(f"{amount}", where="amount", expected="at least 1")
        return table.after({seat: table.purse.get(seat, 0) + amount})

    def refund(self, table: Table, seat: int) -> Table:
        """The table after the house gave a seat its buy-in back, into the seat's own purse. Raises RuleError."""
        raise RuleError("a buy-in is not refunded", where="refund", remedy="cash out the seat's chips")

    def may_leave(self, table: Table, seat: int) -> bool:
        """Whether a seat may be left now, between rounds."""
        return True


def rules_of(name: str, options: Mapping[str, Any] | None = None) -> Rules:
    """The rule set `name` with these options, the rest at their defaults. Raises InputError."""
    if name not in RULES:
        raise InputError(f"no rule set {name!r}", where="rules", expected=", ".join(sorted(RULES)))
    cls = RULES[name]
    defaults = {f.name: f.default for f in fields(cls)}  # type: ignore[arg-type]
    for option, value in (options or {}).items():
        if option not in defaults:
            raise InputError(f"no option {option!r}", where=f"options.{option}", expected=", ".join(sorted(defaults)))
        if type(value) is not type(defaults[option]):
            wanted = type(defaults[option]).__name__
            raise InputError(f"{value!r}", where=f"options.{option}", expected=f"a value of type {wanted}")
    return cls(**(options or {}))


def require(ok: bool, option: str, expected: str) -> None:
    """For `__post_init__`: raise InputError unless `ok`."""
    if not ok:
        raise InputError("not allowed", where=f"options.{option}", expected=expected)


def check_turns(order: Sequence[int], bets: Sequence[Bet]) -> None:
    """Raise IllegalBet unless there are bets, at most one a seat, in the acting order (GE-09)."""
    if not bets:
        raise IllegalBet("no bet", where="bets", expected="at least one")
    turns = iter(order)
    for seat, _, box in bets:
        if box != seat or seat not in turns:
            raise IllegalBet(f"seat {seat}", where="bets", expected=f"one bet a seat, in the acting order {order}")


def lowest_seat_after(table: Table, turn: int) -> int:
    """The seat whose turn it is when turn 1, 2, … goes round the occupied chairs clockwise."""
    chairs = sorted(table.players)
    return chairs[(turn - 1) % len(chairs)]
