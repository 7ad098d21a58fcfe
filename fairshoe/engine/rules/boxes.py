"""boxes: seven boxes against the operator, whose hidden card nobody looks at. Clauses BX-01 … BX-35."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import IllegalBet
from .. import steps
from ..hand import UP, Hand
from ..moves import DOUBLE, HIT, SPLIT, STAND
from ..round import Round, Steps
from ..table import Bet, Table
from .base import Rules, check_account_bounds, require_limits, require_range

BOXES = range(1, 8)
"""BX-06: seven boxes; a player may hold several."""
DOUBLE_ASKED, SPLIT_ASKED = DOUBLE._replace(prompt=True), SPLIT._replace(prompt=True)
"""The table asks the player about these: BX-16, BX-21."""


class Boxes(Rules):
    """Options: `packs` (BX-04), `minimum` and `maximum` of the bet on a box."""

    name = "boxes"
    one_round = True  # BX-05
    initial_cards = 2  # BX-08
    chairs = (1, 7)
    bet_unit = 2
    boxes = tuple(BOXES)
    closes_bets = True  # BX-06

    packs: int = 8
    minimum: int = 2
    maximum: int = 500

    def __post_init__(self) -> None:
        require_range(self, "packs", 4, 8)
        require_limits(self, 2)

    def check_round_bets(self, table: Table, bets: Sequence[Bet]) -> None:
        """BX-06, BX-07: at least one box, from box 1 to box 7, each seat's bets covered together."""
        if not bets:
            raise IllegalBet("no bet", where="bets", expected="at least one")
        check_account_bounds(table, bets)
        last = 0
        staked: dict[int, int] = {}
        for seat, amount, box in bets:
            if box not in BOXES:
                raise IllegalBet(f"box {box}", where="box", expected="a box from 1 to 7")
            if box == last:
                raise IllegalBet(f"box {box} is taken", where="box", expected="a box that nobody has bet on")
            if box < last:
                raise IllegalBet(f"box {box} after box {last}", where="bets", expected="bets from box 1 to box 7")
            if seat not in table.players:
                raise IllegalBet(f"seat {seat}", where="bets", expected="a seat that is taken")
            last = box
            self.check_bet_amount(amount)
            staked[seat] = staked.get(seat, 0) + amount
        for seat, amount in staked.items():
            if table.purse[seat] < amount:
                raise IllegalBet(f"seat {seat} has {table.purse[seat]}", where="amount", expected=f"at least {amount}")

    def check_seat_bets(self, table: Table, bets: Sequence[Bet], others: Sequence[Bet]) -> None:
        """BX-06: a box that somebody else has is taken."""
        self.check_round_bets(table, sorted([*bets, *others], key=lambda bet: bet.box))

    def play(self, round: Round) -> Steps:
        steps.deal_initial_cards(round)  # BX-08
        operator = round.dealer
        if operator.cards[0][0] == "A":  # BX-30
            for hand in round.hands:
                yield from steps.offer_insurance(round, hand, hand.bet // 2, hand.bet // 2)
        for hand in list(round.hands):
            if not hand.natural:
                yield from self._turn(round, hand)
        round.show(operator)  # BX-09
        steps.settle_insurance(round, won=operator.natural)  # BX-30, BX-31, BX-32
        live = round.live
        if not all(hand.natural for hand in live):  # BX-34
            steps.draw_to_17(round, operator, hit_soft_17=False)  # BX-11, BX-12
        for hand in live:
            self._settle(round, hand)

    def _turn(self, round: Round, hand: Hand) -> Steps:
        moves = [HIT, STAND]  # BX-10; BX-35: no surrender
        if round.can_afford(hand.seat, hand.bet):  # GE-11
            moves.append(DOUBLE_ASKED if hand.total == 11 else DOUBLE)  # BX-20, BX-21
            if hand.pair_of_value:  # BX-15, BX-16
                moves.append(SPLIT_ASKED if hand.cards[0][0] in "8A" else SPLIT)
        decision = yield round.decision_point(hand, tuple(moves), STAND)
        match decision.move:
            case "double":
                steps.double(round, hand, UP)
                steps.settle_bust(round, hand)  # BX-25
            case "split":
                yield from steps.play_split(round, hand)  # BX-17, BX-18, BX-19, BX-22
            case "hit":
                round.deal(hand)
                yield from steps.hit_or_stand(round, hand, below=21)  # BX-14
                steps.settle_bust(round, hand)  # BX-25, BX-33

    def _settle(self, round: Round, hand: Hand) -> None:
        operator = round.dealer
        if hand.natural and operator.natural:
            round.settle(hand, 0, "push")  # BX-32
        elif operator.natural:
            round.settle(hand, -hand.bet, "lose")  # BX-23, BX-29
        elif hand.natural:
            round.settle(hand, hand.bet * 3 // 2, "natural")  # BX-24
        else:
            steps.compare(round, hand, operator, tie_pays=True)  # BX-03, BX-26, BX-27, BX-28
