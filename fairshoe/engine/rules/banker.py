"""banker: one player against the banker, a new shuffle every round. Clauses BK-01 … BK-37."""

from __future__ import annotations

from .. import steps
from ..hand import UP, Hand
from ..moves import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from ..round import Round, Steps
from .base import Rules, require_limits, require_range


class Banker(Rules):
    """Options: `packs` (BK-01), `minimum` and `maximum` of a bet."""

    name = "banker"
    one_round = True  # BK-07: so each round's key is revealed, and BK-08 any audit
    initial_cards = 2  # BK-10
    chairs = (1, 1)  # BK-10
    bet_unit = 2

    packs: int = 6
    minimum: int = 2
    maximum: int = 500

    def __post_init__(self) -> None:
        require_range(self, "packs", 1, 8)
        require_limits(self, 2)

    def play(self, round: Round) -> Steps:
        steps.deal_initial_cards(round)  # BK-10
        hand = round.hands[0]
        banker = round.dealer
        if banker.cards[0][0] == "A":  # BK-32; declined it changes nothing: BK-36
            yield from steps.offer_insurance(round, hand, hand.bet // 2, hand.bet // 2)
        steps.settle_insurance(round, won=banker.natural)  # BK-12, BK-33, BK-34, BK-35
        if banker.natural and hand.natural:
            round.settle(hand, 0, "push")  # BK-15
        elif banker.natural:
            round.settle(hand, -hand.bet, "lose")  # BK-13
        elif hand.natural:
            round.settle(hand, hand.bet * 3 // 2, "natural")  # BK-14
        else:
            yield from self._turn(round, hand)
        round.show(banker)  # BK-18
        live = round.live
        if live:  # BK-21
            steps.draw_to_17(round, banker, hit_soft_17=True)  # BK-19, BK-20
        for hand in live:
            steps.compare(round, hand, banker, tie_pays=True)  # BK-02, BK-05, BK-06, BK-37

    def _turn(self, round: Round, hand: Hand) -> Steps:
        moves = [HIT, STAND, SURRENDER]  # BK-16, BK-25
        if round.can_afford(hand.seat, hand.bet):  # GE-11
            if 9 <= hand.total <= 11:  # BK-23; asked here alone: BK-24
                moves.append(DOUBLE)
            if hand.pair_of_value:  # BK-27
                moves.append(SPLIT)
        decision = yield round.decision_point(hand, tuple(moves), STAND)
        match decision.move:
            case "surrender":
                round.settle(hand, -hand.bet // 2, "surrender")  # BK-25
            case "double":
                steps.double(round, hand, UP)
            case "split":
                yield from steps.play_split(round, hand)  # BK-22, BK-26, BK-28, BK-29, BK-30
                self._settle_split_blackjacks(round)
            case "hit":
                round.deal(hand)
                yield from steps.hit_or_stand(round, hand, below=21)  # BK-17
                steps.settle_bust(round, hand)

    def _settle_split_blackjacks(self, round: Round) -> None:
        """BK-31: two cards of 21 after a split win against the banker's 21 too, but only 1:1."""
        for hand in round.hands:
            if hand.total == 21 and len(hand.cards) == 2:
                round.settle(hand, hand.bet, "natural")

    def bank_hits(self, hand: Hand) -> bool:
        return hand.total < 17 or (hand.total == 17 and hand.soft)
