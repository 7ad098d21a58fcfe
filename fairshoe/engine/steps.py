"""Steps that games share. A rule file composes them; none of them knows which game it is in."""

from __future__ import annotations

from .hand import DOWN, Hand
from .moves import DECLINE, HIT_OR_STAND, STAND, Move
from .round import Round, Steps


def deal_initial_cards(round: Round) -> None:
    """Deal one card up to each hand and the dealer; again, the dealer's second down (CA-09, BK-10, BX-08)."""
    for hand in round.hands:
        round.deal(hand)
    round.deal(round.dealer)
    for hand in round.hands:
        round.deal(hand)
    round.deal(round.dealer, DOWN)


def offer_insurance(round: Round, hand: Hand, low: int, high: int) -> Steps:
    """One decision: a side bet of `low` to `high`, or none (CA-28, BK-32, BX-30)."""
    high = min(high, round.purse[hand.seat])
    if high >= low:
        offer = (Move("insure", low, high), DECLINE)
        decision = yield round.decision_point(hand, offer, DECLINE)
        if decision.amount:
            round.insure(hand, decision.amount)


def settle_insurance(round: Round, won: bool) -> None:
    """Insurance pays 2:1 (BK-34, CA-29, BX-30), or is lost (BK-35, CA-30, BX-31)."""
    for hand in round.hands:
        if hand.insured:  # else there is nothing but the bet: BK-36
            round.settle_insurance(hand, 2 * hand.insured if won else -hand.insured)


def hit_or_stand(round: Round, hand: Hand, *, below: int = 22, cards: int = 99) -> Steps:
    """Ask until the owner stands, or the hand totals `below` or more, or holds `cards` cards."""
    while hand.total < below and len(hand.cards) < cards:
        decision = yield round.decision_point(hand, HIT_OR_STAND, STAND)
        if decision.move == STAND.name:
            return
        round.deal(hand)


def play_split(round: Round, first: Hand) -> Steps:
    """Part a pair; deal each hand a card at once; aces stand, else the first is played, then the second.

    A hand of 21 stands (BK-28, BK-30, BX-14, BX-17, BX-19). No second split, double or surrender (BK-24, BK-26, BK-29,
    BX-22). If both are bust both are lost (BK-22).
    """
    second = round.split(first)
    round.deal(first)
    round.deal(second)
    for hand in (first, second):
        if hand.cards[0][0] != "A":
            yield from hit_or_stand(round, hand, below=21)
            settle_bust(round, hand)


def double(round: Round, hand: Hand, face: int) -> None:
    """An equal second bet and exactly one card."""
    round.wager(hand, hand.bet)
    hand.doubled = True
    round.deal(hand, face)


def draw_to_17(round: Round, hand: Hand, *, hit_soft_17: bool, cards: int = 99) -> None:
    """The dealer's forced draws: below 17, and on soft 17 where the rules say so."""
    while len(hand.cards) < cards:
        total = hand.total
        if total > 17 or (total == 17 and not (hit_soft_17 and hand.soft)):
            return
        round.deal(hand)


def settle_bust(round: Round, hand: Hand) -> None:
    """A bust hand loses at once, whatever the dealer does later (BK-17, CA-31, BX-25, BX-33)."""
    if hand.hard > 21:
        round.settle(hand, -hand.bet, "bust")


def compare(round: Round, hand: Hand, dealer: Hand, *, tie_pays: bool) -> None:
    """Settle a standing hand against the dealer's final hand, 1:1; a tie is a push, or lost."""
    total, other = hand.total, dealer.total
    if other > 21 or total > other:
        round.settle(hand, hand.bet, "win")
    elif total == other and tie_pays:
        round.settle(hand, 0, "push")
    else:
        round.settle(hand, -hand.bet, "lose")
