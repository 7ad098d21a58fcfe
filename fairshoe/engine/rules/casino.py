"""casino: the permanent bank of the third source, lines 10-48. Clauses CA-01 … CA-36."""

from __future__ import annotations

from collections.abc import Mapping

from .. import steps
from ..hand import DOWN, Hand
from ..moves import DOUBLE, HIT_OR_STAND, SPLIT, STAND, Move
from ..round import Round, Steps
from ..table import Table
from .base import Rules, require_limits, require_range

INSERT_SPREAD = 16
"""CA-06: the insert card stands 60 + uniform(16) from the end."""


class Casino(Rules):
    """Options: `packs` (CA-02), `minimum` and `maximum` of a bet (CA-08), `insert` the least depth (CA-06)."""

    name = "casino"
    one_round = False  # CA-07; nor does it have `burns`: CA-10
    initial_cards = 2  # CA-09
    chairs = (1, 7)  # CA-01
    bet_unit = 2

    packs: int = 6
    minimum: int = 2
    maximum: int = 500
    insert: int = 60

    def __post_init__(self) -> None:
        require_range(self, "packs", 3, 8)
        require_limits(self, 2)
        deepest = self.cards // 2 - INSERT_SPREAD
        require_range(self, "insert", 60, deepest, f", half the shoe less {INSERT_SPREAD}")

    # The shoe (CA-05, CA-06, CA-07).

    def cut_range(self) -> tuple[int, int]:
        return 1, self.cards - 1

    def cutters(self, table: Table, last: int) -> list[int]:
        return table.chairs_after(last)[:1]  # CA-05: clockwise from the seat that cut last, at first the lowest

    def draws(self) -> dict[str, int]:
        return {"cut": self.cards, "insert": INSERT_SPREAD}

    def is_worn_out(self, position: int, present: int, draws: Mapping[str, int]) -> bool:
        size = self.cards  # CA-03, CA-06, CA-07
        return present < size or position >= size - (self.insert + draws["insert"])

    def handle_empty_shoe(self, round: Round) -> None:
        round.reshuffle(cut=False, burn=False)  # CA-07, CA-35

    # The round.

    def play(self, round: Round) -> Steps:
        steps.deal_initial_cards(round)  # CA-09
        dealer = round.dealer
        upcard = dealer.cards[0][0]
        if upcard == "A":  # CA-28
            for hand in round.hands:
                yield from steps.offer_insurance(round, hand, 1, hand.bet // 2)
        if upcard in "ATJQK":  # CA-15
            steps.settle_insurance(round, won=dealer.natural)  # CA-29, CA-30
            if dealer.natural:
                self._dealer_natural(round)
                return
        for hand in round.hands:
            if hand.natural:
                round.settle(hand, hand.bet * 3 // 2, "natural")  # CA-12
        for hand in list(round.hands):
            if not hand.outcome:
                yield from self._turn(round, hand)
        round.show(dealer)
        live = [hand for hand in round.hands if not hand.outcome]
        if live:  # CA-33
            steps.draw_to_17(round, dealer, hit_soft_17=False)  # CA-18, CA-19, CA-27
        for hand in live:
            round.show(hand)  # CA-26
            steps.compare(round, hand, dealer, tie_pays=True)  # CA-32

    def _dealer_natural(self, round: Round) -> None:
        round.show(round.dealer)
        for hand in round.hands:
            if hand.natural:
                round.settle(hand, 0, "push")  # CA-14
            else:
                round.settle(hand, -hand.bet, "lose")  # CA-13

    def _turn(self, round: Round, hand: Hand) -> Steps:
        moves: tuple[Move, ...] = HIT_OR_STAND  # CA-34: no surrender
        if round.can_afford(hand.seat, hand.bet):  # GE-11
            if 9 <= hand.total <= 11:  # CA-25
                moves += (DOUBLE,)
            if hand.pair_of_rank:  # CA-20
                moves += (SPLIT,)
        decision = yield round.decision_point(hand, moves, STAND)
        match decision.move:
            case "double":
                steps.double(round, hand, DOWN)  # CA-26
            case "split":
                yield from self._split(round, hand)
            case "hit":
                round.deal(hand)
                yield from steps.hit_or_stand(round, hand)  # CA-16
                steps.settle_bust(round, hand)  # CA-31

    def _split(self, round: Round, left: Hand) -> Steps:
        """CA-23: a 21 is a plain one; CA-24: neither hand is asked whether it splits again, or doubles."""
        right = round.split(left)
        for hand in (left, right):  # CA-21
            round.deal(hand)
            if hand.cards[0][0] != "A":  # CA-22
                yield from steps.hit_or_stand(round, hand)
                steps.settle_bust(round, hand)  # CA-31
