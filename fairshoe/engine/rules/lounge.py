"""lounge: a buy-in fills a pool, and every hand won draws a gift from it. Clauses LO-01 … LO-34."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...errors import IllegalBet, RuleError
from ..hand import DOWN, UP, Hand
from ..moves import DOUBLE, HIT, STAND
from ..round import Round, Steps
from ..steps import double, draw_to_17, hit_or_stand
from ..table import HOUSE, POOL, Bet, Table
from .base import Rules, require

BUY_IN = 10_000  # LO-02
TO_POOL, TO_HOUSE = 9_000, 1_000  # LO-03
MOST_CARDS = 5  # LO-21

STARTED = "started"
"""Memory: 1 after the first deal of the game."""
PAID, REFUNDED = 1, 2
"""Memory, under a seat's number: it paid the buy-in of this game; the house gave it back (LO-07)."""


@dataclass(frozen=True)
class Lounge(Rules):
    """Options: `packs` (LO-09), `gift` the fixed value of a gift (LO-05)."""

    name: ClassVar[str] = "lounge"
    one_round: ClassVar[bool] = True  # LO-10
    chairs: ClassVar[tuple[int, int]] = (1, 61)  # LO-09
    first_account: ClassVar[int] = POOL

    packs: int = 6
    gift: int = 1_000

    def __post_init__(self) -> None:
        require(6 <= self.packs <= 8, "packs", "6 to 8")
        require(0 < self.gift <= TO_POOL, "gift", f"1 to {TO_POOL}")

    # The game: buy-ins, rounds until the pool is empty, refunds of the house's mistakes.

    def acting_order(self, table: Table) -> list[int]:
        """The seats that paid for the present game: every one is dealt in."""
        return sorted(int(key) for key in table.memory if key != STARTED)

    def game_over(self, table: Table) -> bool:
        """LO-04: the pool has been used up."""
        return STARTED in table.memory and table.purse[POOL] == 0

    def buy_in(self, table: Table, seat: int, amount: int) -> Table:
        memory = {} if self.game_over(table) else dict(table.memory)
        if amount != BUY_IN:
            raise IllegalBet(f"{amount}", where="amount", expected=f"{BUY_IN}")
        if STARTED in memory:
            raise IllegalBet("the game has begun", where="buy-in", expected="a buy-in before its first deal")
        if str(seat) in memory:
            raise IllegalBet(f"seat {seat} has paid", where="buy-in", expected="one buy-in a player")
        memory[str(seat)] = PAID
        purse = table.purse
        return table.after(
            {seat: purse.get(seat, 0), POOL: purse[POOL] + TO_POOL, HOUSE: purse[HOUSE] + TO_HOUSE}, memory=memory
        )

    def refund(self, table: Table, seat: int) -> Table:
        """LO-07: before the first deal the seat is out of the game; afterwards it plays on."""
        memory = dict(table.memory)
        purse = table.purse
        if memory.get(str(seat)) != PAID:
            raise RuleError(f"seat {seat}", where="refund", expected="a buy-in that was not refunded")
        if STARTED in memory:
            memory[str(seat)] = REFUNDED
            return table.after({seat: purse[seat] + BUY_IN, HOUSE: purse[HOUSE] - BUY_IN}, memory=memory)
        del memory[str(seat)]
        paid_back = {seat: purse[seat] + BUY_IN, POOL: purse[POOL] - TO_POOL, HOUSE: purse[HOUSE] - TO_HOUSE}
        return table.after(paid_back, memory=memory)

    def may_leave(self, table: Table, seat: int) -> bool:
        """LO-09: who joined is dealt in until the game is over, absent or not."""
        return str(seat) not in table.memory or self.game_over(table)

    # The round.

    @property
    def minimum(self) -> int:
        return self.gift

    @property
    def maximum(self) -> int:
        return self.gift

    def stake(self, amount: int) -> int:
        """LO-05: the buy-in was the payment."""
        return 0

    def forced_bets(self, table: Table) -> list[Bet]:
        """LO-05, LO-09: one gift for every seat of the game."""
        return [Bet(seat, self.gift, seat) for seat in self.acting_order(table)]

    def check(self, table: Table, bets: Sequence[Bet]) -> None:
        super().check(table, bets)
        if self.game_over(table):
            raise IllegalBet("the pool is used up", where="bets", expected="a new game", remedy="buy in again")
        joined = self.acting_order(table)
        if [bet.seat for bet in bets] != joined:
            raise IllegalBet("not every seat of the game", where="bets", expected=f"one gift for each of {joined}")

    def play(self, round: Round) -> Steps:
        dealer = round.dealer
        for hand in round.hands:  # LO-08
            round.deal(hand)
            round.deal(hand)
        round.deal(dealer)
        round.deal(dealer, DOWN)
        for hand in round.hands:
            if not hand.natural:  # LO-28
                yield from self._turn(round, hand)
        round.show(dealer)  # LO-17
        live = round.live
        if not all(hand.natural for hand in live):  # LO-23
            draw_to_17(round, dealer, hit_soft_17=True, cards=MOST_CARDS)  # LO-18, LO-19, LO-21
        for hand in live:
            self._settle(round, hand)

    def _turn(self, round: Round, hand: Hand) -> Steps:
        moves = (HIT, STAND, DOUBLE) if hand.total <= 11 else (HIT, STAND)  # LO-14
        decision = yield round.choice(hand, moves, STAND)
        match decision.move:
            case "double":
                double(round, hand, UP)  # LO-15
            case "hit":
                round.deal(hand)
                yield from hit_or_stand(round, hand, cards=MOST_CARDS)  # LO-11, LO-34
                if hand.bust:
                    round.settle(hand, 0, "bust")  # LO-12, LO-24

    def _settle(self, round: Round, hand: Hand) -> None:
        dealer = round.dealer
        if dealer.natural:
            round.settle(hand, 0, "lose")  # LO-28, LO-29
        elif hand.natural:
            self._give(round, hand, "natural")  # LO-30
        elif dealer.bust or hand.total > dealer.total:
            self._give(round, hand, "win")  # LO-25, LO-26
        else:
            round.settle(hand, 0, "lose")  # LO-26, LO-27

    def _give(self, round: Round, hand: Hand, outcome: str) -> None:
        """LO-06: what the pool holds, and no more."""
        given = min(hand.bet, round.purse[POOL])
        hand.short = hand.bet - given
        round.settle(hand, given, outcome)

    def bank_hits(self, hand: Hand) -> bool:
        return hand.total < 17 or (hand.total == 17 and hand.soft)

    def close(self, round: Round) -> Table:
        return round.table.after(round.purse, memory={**round.table.memory, STARTED: 1})
