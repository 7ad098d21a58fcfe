"""lounge: a buy-in fills a pool, and every hand won draws a gift from it. Clauses LO-01 … LO-34."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...errors import IllegalBet, RuleError
from ..hand import DOWN, UP, Hand
from ..moves import DOUBLE, HIT, STAND
from ..round import Round, Steps
from ..steps import double, draw_to_17, hit_or_stand
from ..table import HOUSE, POOL, Bet, Table
from .base import Rules, require_range

BUY_IN = 10_000  # LO-02
TO_POOL, TO_HOUSE = 9_000, 1_000  # LO-03
MAX_CARDS = 5  # LO-21

GAME = "game"
"""Memory: the number of the running game, or of the last one; 1, 2, …"""
STARTED = "started"
"""Memory: 1 after the first deal of the game. Under its number a seat that paid for the game has 1."""


class Lounge(Rules):
    """Options: `packs` (LO-09), `gift` the fixed value of a gift (LO-05), `fewest` seats that must have joined before
    the first deal (LO-08)."""

    name = "lounge"
    one_round = True  # LO-10
    initial_cards = 2  # LO-08
    chairs = (1, 61)  # LO-09
    first_account = POOL
    bets_freely = False  # LO-05; what players bet among themselves is no matter of the engine: LO-32
    takes_stakes = False  # LO-05: the buy-in was the payment

    packs: int = 6
    gift: int = 1_000
    fewest: int = 1

    def __post_init__(self) -> None:
        require_range(self, "packs", 6, 8)
        require_range(self, "gift", 1, TO_POOL)
        require_range(self, "fewest", 1, self.chairs[1])

    @property
    def players_needed(self) -> int:
        return self.fewest

    # The game: buy-ins, rounds until the pool is empty, refunds of the house's mistakes.

    def payers(self, table: Table) -> list[int]:
        """Return the seats that paid for the game, left or not."""
        return sorted(int(key) for key in table.memory if key not in (GAME, STARTED))

    def export_memory(self, table: Table) -> tuple[dict[str, int], list[int]]:
        return {key: table.memory[key] for key in (GAME, STARTED) if key in table.memory}, self.payers(table)

    def import_memory(self, memory: Mapping[str, int], paid: Sequence[int]) -> dict[str, int]:
        return {**memory, **{str(seat): 1 for seat in paid}}

    def acting_order(self, table: Table) -> list[int]:
        """Return the seats that have joined the running game: they paid for it, and sit."""
        return [] if self.game_over(table) else [seat for seat in self.payers(table) if seat in table.players]

    def game_over(self, table: Table) -> bool:
        """LO-04: no game runs: the pool is used up or shared out, or nobody has paid yet."""
        return not self.payers(table) or table.purse[POOL] == 0

    def left_by_all(self, table: Table) -> bool:
        """LO-04: every chair of the running game was left, and its pool is to be shared."""
        return not self.game_over(table) and not self.acting_order(table)

    def next_share_seat(self, table: Table) -> int | None:
        return self.payers(table)[0] if self.left_by_all(table) else None

    def has_unstarted_game(self, table: Table) -> bool:
        return STARTED not in table.memory and not self.game_over(table)

    def has_running_game(self, table: Table) -> bool:
        return STARTED in table.memory and not self.game_over(table)

    def awaits_players(self, table: Table) -> bool:
        """Whether fewer seats have joined than the first deal needs (LO-08)."""
        return STARTED not in table.memory and len(self.acting_order(table)) < self.fewest

    def buy_in(self, table: Table, seat: int, amount: int) -> Table:
        memory = dict(table.memory)
        if amount != BUY_IN:
            raise IllegalBet(f"{amount}", where="amount", expected=f"{BUY_IN}")
        if self.game_over(table):
            memory = {GAME: memory.get(GAME, 0) + 1}
        elif STARTED in memory:  # LO-02
            raise IllegalBet("the game has begun", where="buy-in", expected="a buy-in before its first deal")
        elif str(seat) in memory:
            raise IllegalBet(f"chair {seat} was paid for", where="buy-in", expected="one buy-in a chair and game")
        elif self.left_by_all(table):
            raise IllegalBet("the game was left by all", where="buy-in", expected="its pool to be shared first")
        memory[str(seat)] = 1
        purse = table.purse
        return table.after(
            {seat: purse.get(seat, 0), POOL: purse[POOL] + TO_POOL, HOUSE: purse[HOUSE] + TO_HOUSE}, memory=memory
        )

    def refund(self, table: Table, seat: int, player: str, game: int, gifts: int = 0) -> Table:
        """LO-07: before the first deal the payer is out of the game; afterwards the pool is untouched. The memory knows
        who paid for the present game only; the caller knows whether it was refunded before. `gifts` count against the
        refund of an unfinished game (LO-04)."""
        memory, purse = dict(table.memory), table.purse
        present = memory.get(GAME, 0)
        if not 1 <= game <= present:
            raise RuleError(f"game {game}", where="refund", expected=f"a game of 1 to {present}")
        payers = self.payers(table) if game == present else []
        if payers and (seat not in payers or table.players.get(seat, player) != player):
            raise RuleError(f"{player} in chair {seat}", where="refund", expected=f"a payer of the chairs {payers}")
        if not 0 <= gifts < BUY_IN:
            raise RuleError(f"gifts of {gifts}", where="refund", expected=f"0 to {BUY_IN - 1}")
        owed = BUY_IN - gifts
        back = {seat: purse[seat] + owed} if table.players.get(seat) == player else {}
        if payers and STARTED not in memory:
            if gifts:
                raise RuleError("gifts before the first deal", where="refund", expected="the whole buy-in")
            del memory[str(seat)]
            return table.after({**back, POOL: purse[POOL] - TO_POOL, HOUSE: purse[HOUSE] - TO_HOUSE}, memory=memory)
        return table.after({**back, HOUSE: purse[HOUSE] - owed})

    def pay_share(self, table: Table, seat: int) -> tuple[Table, int]:
        """LO-04: the payers of a game that all have left get equal parts, the first the remainder too."""
        payers = self.payers(table)
        if not self.left_by_all(table) or seat != payers[0]:
            raise RuleError(f"seat {seat}", where="share", expected="the next payer of a game that was left by all")
        pool, count = table.purse[POOL], len(payers)
        part = pool // count + pool % count
        memory = {key: value for key, value in table.memory.items() if key != str(seat)}
        if part == pool:
            memory = {GAME: memory[GAME]}
        return table.after({POOL: pool - part}, memory=memory), part

    # The round.

    @property
    def minimum(self) -> int:
        return self.gift

    @property
    def maximum(self) -> int:
        return self.gift

    def forced_bets(self, table: Table, seats: Collection[int]) -> list[Bet]:
        """LO-05, LO-09: one gift for each of `seats` that has joined the game; none while others must join (LO-08)."""
        joined = [] if self.awaits_players(table) else self.acting_order(table)
        return [Bet(seat, self.gift, seat) for seat in joined if seat in seats]

    def check_enough_players(self, table: Table) -> None:
        if self.awaits_players(table):
            raise IllegalBet(
                f"{len(self.acting_order(table))} joined the game",
                where="bets",
                expected=f"at least {self.fewest} before its first deal",
                remedy="wait until others buy in",
            )

    def check_round_bets(self, table: Table, bets: Sequence[Bet]) -> None:
        super().check_round_bets(table, bets)
        joined = self.acting_order(table)
        if not {bet.seat for bet in bets} <= set(joined):
            raise IllegalBet(
                "a seat that has not joined", where="bets", expected=f"seats of {joined}", remedy="buy in for a game"
            )

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
            draw_to_17(round, dealer, hit_soft_17=True, cards=MAX_CARDS)  # LO-16, LO-18, LO-19, LO-20, LO-21
        for hand in live:
            self._settle(round, hand)

    def _turn(self, round: Round, hand: Hand) -> Steps:
        # LO-14 by LO-13's total; LO-33: no split, and nowhere insurance or surrender
        moves = (HIT, STAND, DOUBLE) if hand.total <= 11 else (HIT, STAND)
        decision = yield round.decision_point(hand, moves, STAND)
        match decision.move:
            case "double":
                double(round, hand, UP)  # LO-15, LO-22
            case "hit":
                round.deal(hand)
                yield from hit_or_stand(round, hand, cards=MAX_CARDS)  # LO-11, LO-34
                if hand.bust:
                    round.settle(hand, 0, "bust")  # LO-12, LO-24

    def _settle(self, round: Round, hand: Hand) -> None:
        dealer = round.dealer
        if dealer.natural:
            round.settle(hand, 0, "lose")  # LO-28, LO-29
        elif hand.natural:
            self._give(round, hand, "natural")  # LO-30
        elif dealer.bust or hand.total > dealer.total:
            self._give(round, hand, "win")  # LO-01, LO-25, LO-26
        else:
            round.settle(hand, 0, "lose")  # LO-26, LO-27

    def _give(self, round: Round, hand: Hand, outcome: str) -> None:
        """LO-31, LO-06: the gift of a hand that won: what the pool holds, and no more."""
        given = min(hand.bet, round.purse[POOL])
        hand.short = hand.bet - given
        round.settle(hand, given, outcome)

    def bank_hits(self, hand: Hand) -> bool:
        return hand.total < 17 or (hand.total == 17 and hand.soft)

    def close(self, round: Round) -> Table:
        return round.table.after(round.purse, memory={**round.table.memory, STARTED: 1})
