"""The interface of a rule set. One file a set; its options are its annotated attributes with their defaults."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, cast, dataclass_transform

from ...cards import PACKS
from ...errors import IllegalBet, InputError, RuleError
from ..cards import CardSource
from ..hand import Hand
from ..table import HOUSE, MAX_BET, MAX_CHIPS, BankMove, BankSteps, Bet, Table, account_name

if TYPE_CHECKING:
    from ..round import Round, Steps


RULES: dict[str, type[Rules]] = {}
"""Every rule set by name."""

Option = int | bool | str
OPTION_PROPERTIES = ("packs", "minimum", "maximum")
"""Properties of `Rules` that a rule set may have as options."""


@dataclass_transform(frozen_default=True)
class RuleSet(type):
    """The class of rule sets, frozen dataclasses of their options, each registered by its name. An option is an
    annotated default that `Rules` lacks."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        super().__init__(name, bases, namespace)
        if bases:
            made = cast("type[Rules]", cls)
            taken = set(dir(Rules)) - {*OPTION_PROPERTIES, *Rules.__annotations__}
            for option in cls.__annotations__:
                if option in taken and isinstance(namespace.get(option), Option):
                    raise InputError(
                        f"the option {option!r} has the name of a method of Rules",
                        where=f"class {name}",
                        expected="another name, so that the method stays",
                    )
            cls.__annotations__ = {
                option: annotation
                for option, annotation in cls.__annotations__.items()
                if option not in Rules.__annotations__ and isinstance(namespace.get(option), Option)
            }
            RULES[made.name] = dataclass(frozen=True)(made)


class Rules(metaclass=RuleSet):
    """A rule set with its options: a subclass, once it is defined."""

    name: ClassVar[str]
    pack: ClassVar[str] = "french"
    """The name of the pack that is played with, in `PACKS`."""
    one_round: ClassVar[bool] = True
    """A new shuffle for every round; else the shoe serves rounds until `is_worn_out`."""
    burns: ClassVar[bool] = False
    """The top card is shown and put aside after every shuffle (PO-06)."""
    bet_unit: ClassVar[int] = 1
    """A bet is a multiple of this, so that every payout is whole (GE-04)."""
    first_account: ClassVar[int] = HOUSE
    """The account that banks a fresh table."""
    bets_freely: ClassVar[bool] = True
    """Whether players choose their bets; else `forced_bets` are the bets."""
    takes_stakes: ClassVar[bool] = True
    """The chips of a wager leave the purse; else only what is won or lost moves."""
    boxes: ClassVar[tuple[int, ...]] = ()
    """Numbers of the boxes, if bets are placed on boxes: any seat may bet on several (BX-06)."""
    initial_cards: ClassVar[int] = 0
    """How many cards each hand and the dealer get before anything depends on a card: placers are asked for them at
    once."""
    closes_bets: ClassVar[bool] = False
    """The operator may close the betting by a word (BX-06)."""

    @property
    def packs(self) -> int:
        """Number of packs: an option, or fixed by the rules."""
        raise NotImplementedError

    @property
    def chairs(self) -> tuple[int, int]:
        """The fewest and the most chairs that may be taken for a round, a dealer's included."""
        return 1, 7

    @property
    def players_needed(self) -> int:
        """Number of players who must sit before the first round is dealt."""
        return self.chairs[0]

    @property
    def minimum(self) -> int:
        """The lowest bet; an option, or what the rules fix."""
        raise NotImplementedError

    @property
    def maximum(self) -> int:
        """The highest bet."""
        raise NotImplementedError

    @property
    def lowest_bet(self) -> int:
        """ST-00: the lowest bet that pays in whole units."""
        return -(-self.minimum // self.bet_unit) * self.bet_unit

    @property
    def options(self) -> dict[str, Option]:
        """Every option with its value, as the log has it."""
        return {part.name: getattr(self, part.name) for part in fields(cast(Any, self))}

    # The shoe.

    @property
    def deck(self) -> str:
        return f"{self.pack}:{self.packs}"

    @property
    def cards(self) -> int:
        return len(PACKS[self.pack]) * self.packs

    def cut_range(self) -> tuple[int, int] | None:
        """Return the lowest and highest cut a player may choose; None where the rules have no cut."""
        return None

    waits_for_cut: ClassVar[bool] = True
    """Whether the table waits for the cut; else it comes with a seed's hash or not at all."""

    def cutters(self, table: Table, last: int) -> list[int]:
        """Return the seats that may cut, in the order in which their cuts count. `last`: whose turn it was at the last
        sealed shoe, or 0."""
        raise NotImplementedError

    def draws(self) -> dict[str, int]:
        """Named draws of every shoe: name → exclusive upper bound."""
        return {} if self.cut_range() is None else {"cut": self.cards}

    def is_worn_out(self, position: int, present: int, draws: Mapping[str, int]) -> bool:
        """Whether the shoe must end after a round that ended at `position` of the present deck; after a reshuffle in a
        deal that deck has fewer cards than the shoe (CA-07, PO-09)."""
        return True

    # The round.

    def acting_order(self, table: Table) -> list[int]:
        """Return the seats in the order in which they act (GE-09); a round's bets stand in it."""
        return sorted(table.players)

    def forced_bets(self, table: Table, seats: Collection[int]) -> list[Bet] | None:
        """The bets of those of `seats` that play where the rules leave nobody a choice; None where all bet freely."""
        return None

    def partition_covered(self, table: Table, offered: Sequence[Bet]) -> tuple[list[Bet], list[Bet]]:
        """Return the offered bets in acting order: those that count, and those that find no cover."""
        return sorted(offered, key=lambda bet: bet.box), []

    def check_seat_bets(self, table: Table, bets: Sequence[Bet], others: Sequence[Bet]) -> None:
        """Raise IllegalBet unless a seat may offer these bets while `others` are offered."""
        self.check_round_bets(table, sorted(bets, key=lambda bet: bet.box))

    def check_enough_players(self, table: Table) -> None:
        """Raise IllegalBet if others must join before a round opens (LO-08); an open round is dealt all the same."""

    def check_round_bets(self, table: Table, bets: Sequence[Bet]) -> None:
        """Raise IllegalBet unless a round may be opened with these bets, in acting order."""
        if not bets:
            raise IllegalBet("no bet", where="bets", expected="at least one")
        check_account_bounds(table, bets)
        last = 0
        for seat, amount, box in bets:
            if box <= last or box != seat or seat not in table.players or seat == table.bank:
                raise IllegalBet(f"box {box}", where="bets", expected="one bet a seat, in acting order")
            last = box
            if not self.minimum <= amount <= self.maximum or amount % self.bet_unit:
                self.check_bet_amount(amount)
            if table.purse[seat] < (amount if self.takes_stakes else 0):
                raise IllegalBet(f"seat {seat} has {table.purse[seat]}", where="amount", expected="a covered bet")

    def check_bet_amount(self, amount: int) -> None:
        if not self.minimum <= amount <= self.maximum:
            raise IllegalBet(f"{amount}", where="amount", expected=f"{self.minimum} to {self.maximum}")
        if amount % self.bet_unit:
            raise IllegalBet(f"{amount} is odd", where="amount", expected="an even bet, so that 3:2 pays whole units")

    def play(self, round: Round) -> Steps:
        """Return the round, from the deal to the settlement."""
        raise NotImplementedError

    def close(self, round: Round) -> Table:
        """Return the table after the round."""
        return round.table.after(round.purse)

    def handle_empty_shoe(self, round: Round) -> None:
        """A card is needed and none is left."""
        raise RuleError("the shoe is empty", where="cards", remedy="this cannot happen by the rules")

    def total(self, hand: Hand) -> int:
        """Return a hand's points under these rules."""
        return hand.total

    def is_soft(self, hand: Hand) -> bool:
        """Whether a hand is soft under these rules."""
        return hand.soft

    upcard: ClassVar[int | None] = 0
    """Which of the dealer's cards is the upcard that a player plays against; None: there is none."""

    def bank_hits(self, hand: Hand) -> bool:
        """ST-01: whether a hand that plays like the bank takes a card."""
        return hand.total < 17

    # The bank.

    def settle_bank(self, table: Table) -> BankSteps:
        """Settle who banks the next round. Runs before every shoe of one round, and before every round
        else; it comes to nothing when run on the table that it returned."""
        return BankMove(table, "")
        yield

    def can_bank(self, table: Table, chair: int) -> bool:
        """Whether a chair could bank the next round."""
        return True

    def needs_first_bank(self, table: Table) -> bool:
        """Whether `draw_first_bank` must be played before anything else."""
        return False

    def bank_candidates(self, table: Table) -> list[int]:
        """Return the occupied chairs that may be dealt for a first banker."""
        return []

    def draw_first_bank(self, table: Table, cards: CardSource, chairs: Sequence[int]) -> tuple[int, list[str]]:
        """Find the first banker by dealing to `chairs` from a shoe of its own (PO-04): the seat and the cards dealt."""
        raise NotImplementedError

    def set_first_bank(self, table: Table, seat: int) -> Table:
        """Return the table after `draw_first_bank` fell to `seat`."""
        return table.after({}, bank=seat)

    # Chips.

    def buy_in(self, table: Table, seat: int, amount: int) -> Table:
        """Return the table after a buy-in. Raises IllegalBet."""
        if amount < 1:
            raise IllegalBet(f"{amount}", where="amount", expected="at least 1")
        return table.after({seat: table.purse.get(seat, 0) + amount})

    def refund(self, table: Table, seat: int, player: str, game: int, gifts: int = 0) -> Table:
        """Return the table after the house gave a buy-in back, less `gifts` (LO-04). `player` paid it in chair `seat`
        for game number `game`, and may have left since. Raises RuleError."""
        raise RuleError("a buy-in is not refunded", where="refund", remedy="cash out the seat's chips")

    def pay_share(self, table: Table, seat: int) -> tuple[Table, int]:
        """The table after the next payer's part of a pool that nobody plays for (LO-04), and the part. RuleError."""
        raise RuleError("there is no pool to share", where="share", remedy="cash out the seat's chips")

    def oust_bank(self, table: Table) -> Table:
        """The table after a shoe ended: whoever banks and cannot cover the lowest bet gives up the bank (PO-38)."""
        return table

    def next_share_seat(self, table: Table) -> int | None:
        """Return the seat whose payer is next to get a part of a pool that nobody plays for (LO-04)."""
        return None

    def has_running_game(self, table: Table) -> bool:
        """Whether a game has begun that a closed table plays to its end (LO-04)."""
        return False

    def has_unstarted_game(self, table: Table) -> bool:
        """Whether a game was paid for whose first deal was not made."""
        return False

    def export_memory(self, table: Table) -> tuple[dict[str, int], list[int]]:
        """Return what the rules remember between rounds, and apart from that the seats that have paid for a game."""
        return dict(table.memory), []

    def import_memory(self, memory: Mapping[str, int], paid: Sequence[int]) -> dict[str, int]:
        """A table's memory from what `export_memory` gives."""
        return dict(memory)

    def may_leave(self, table: Table, seat: int) -> bool:
        """Whether a seat may be left now, between rounds: not below zero (PO-38)."""
        return table.purse[seat] >= 0

    def leave_chair(self, table: Table, seat: int) -> Table:
        """Return the table after a chair was left; its chips are paid out."""
        players = {chair: name for chair, name in table.players.items() if chair != seat}
        purse = {account: chips for account, chips in table.purse.items() if account != seat}
        return Table(table.rules, players, purse, table.bank, table.memory)


def check_playable(rules: Rules) -> None:
    """Raise InputError if a new table's options leave no legal bet; a log may hold such a table."""
    if rules.lowest_bet > rules.maximum:
        raise InputError(
            f"{rules.maximum}",
            where="options.maximum",
            expected=f"at least {rules.lowest_bet}, the first multiple of {rules.bet_unit} from the minimum on",
        )


def rules_of(name: str, options: Mapping[str, Any] | None = None) -> Rules:
    """Return the rule set `name` with these options, the rest at their defaults. Raises InputError."""
    if name not in RULES:
        raise InputError(f"no rule set {name!r}", where="rules", expected=", ".join(sorted(RULES)))
    cls = RULES[name]
    defaults = {f.name: f.default for f in fields(cls)}
    for option, value in (options or {}).items():
        if option not in defaults:
            raise InputError(f"no option {option!r}", where=f"options.{option}", expected=", ".join(sorted(defaults)))
        if type(value) is not type(defaults[option]):
            wanted = type(defaults[option]).__name__
            raise InputError(f"{value!r}", where=f"options.{option}", expected=f"a value of type {wanted}")
    return cls(**(options or {}))


def require_value(rules: Rules, option: str, *values: Option) -> None:
    """Raise InputError unless the option has one of these values. For `__post_init__`."""
    if getattr(rules, option) not in values:
        raise InputError(f"{getattr(rules, option)}", where=f"options.{option}", expected=", ".join(map(str, values)))


def require_range(rules: Rules, option: str, low: int, high: int, bound: str = "") -> None:
    """Raise InputError unless `low` ≤ the option's value ≤ `high`; `bound` says what `high` is. For `__post_init__`."""
    if not low <= getattr(rules, option) <= high:
        raise InputError(f"{getattr(rules, option)}", where=f"options.{option}", expected=f"{low} to {high}{bound}")


def require_limits(rules: Rules, lowest: int) -> None:
    """Raise InputError unless `lowest` ≤ `minimum` ≤ `maximum` ≤ 2^40 (GE-14). For `__post_init__`."""
    require_range(rules, "maximum", lowest, MAX_BET)
    require_range(rules, "minimum", lowest, rules.maximum, ", the maximum")


def check_account_bounds(table: Table, bets: Sequence[Bet]) -> None:
    """Raise IllegalBet where an account that takes part in the round is out of bounds (GE-14)."""
    purse = table.purse
    if min(purse.values()) >= -MAX_CHIPS and max(purse.values()) <= MAX_CHIPS:
        return
    for account in (table.bank, *[bet.seat for bet in bets]):
        chips = purse.get(account, 0)
        if abs(chips) > MAX_CHIPS:
            raise IllegalBet(
                f"{account_name(account)} has {chips}",
                where="bets",
                expected=f"accounts of at most {MAX_CHIPS} chips, and no greater debts",
                remedy="cash the chips out; where it is the house's account, play at another table",
            )


def partition_by_cover(table: Table, offered: Sequence[Bet], times: int) -> tuple[list[Bet], list[Bet]]:
    """Split bets as `partition_covered` does, if a bet may cost `times` itself and the bank is a chair (CH-05, PO-38).

    In acting order a bet counts while `times` the sum of those that count is within the bank's purse, and `times`
    itself within its owner's; else it is skipped. Raises IllegalBet if a seat does not act.
    """
    turns = {seat: turn for turn, seat in enumerate(table.rules.acting_order(table))}
    stray = [bet.seat for bet in offered if bet.seat not in turns]
    if stray:
        raise IllegalBet(f"seat {stray[0]}", where="bets", expected=f"bets of the seats {list(turns)}")
    cover = table.purse[table.bank]
    fit: list[Bet] = []
    uncovered: list[Bet] = []
    for bet in sorted(offered, key=lambda bet: turns[bet.seat]):
        cost = times * bet.amount
        if cost <= cover and cost <= table.purse[bet.seat]:
            cover -= cost
            fit.append(bet)
        else:
            uncovered.append(bet)
    return fit, uncovered


def check_bets_against_bank(table: Table, bets: Sequence[Bet], participants: int, times: int) -> None:
    """Raise IllegalBet unless a round may open with these bets against a chair as bank: fewer than `participants`, at
    most one a seat, in acting order (GE-09), within the limits and covered (`partition_by_cover`)."""
    if not bets:
        raise IllegalBet("no bet", where="bets", expected="at least one")
    order = table.rules.acting_order(table)
    turns = iter(order)
    for seat, _, box in bets:
        if box != seat or seat not in turns:
            raise IllegalBet(f"seat {seat}", where="bets", expected=f"one bet a seat, in the acting order {order}")
    check_account_bounds(table, bets)
    if len(bets) >= participants:
        raise IllegalBet(f"{len(bets)} players", where="bets", expected=f"at most {participants - 1}")
    for bet in bets:
        table.rules.check_bet_amount(bet.amount)
    _, uncovered = partition_by_cover(table, bets, times)
    if uncovered:
        seat, amount, _ = uncovered[0]
        raise IllegalBet(
            f"seat {seat} bets {amount} and has {table.purse[seat]}, the bank {table.purse[table.bank]}",
            where="amount",
            expected=f"{times} times the bet in the seat's purse, {times} times the sum of the bets in the bank's",
        )
