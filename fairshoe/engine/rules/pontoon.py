"""pontoon: the changing bank of the third source, lines 66-101. Clauses PO-01 … PO-39."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle

from ...errors import IllegalBet, RuleError
from ..cards import CardSource
from ..hand import DOWN, UP, VALUE, Hand
from ..moves import DOUBLE, HIT, HIT_OR_STAND, SPLIT, STAND, Ask, Move
from ..round import Round, Steps
from ..steps import compare, double
from ..table import HOUSE, MAX_CHIPS, BankMove, BankSteps, Bet, Table
from .base import Rules, check_bets_against_bank, partition_by_cover, require_limits, require_range, require_value

BLACK_JACKS = ("Js", "Jc")
THREE_CARDS: dict[tuple[int, ...], tuple[int, str]] = {(7, 7, 7): (3, "7-7-7"), (6, 7, 8): (2, "8-7-6")}
"""PO-28, PO-29: the values of three cards → what they pay, and their name."""
CHARLIE_CARDS = 5
"""PO-25: from five cards on, 21 or less is paid at once."""
MAX_LOSS = 2
"""PO-38: the most that a bet can cost its owner, in bets: a double, a split, a dealer's natural."""

ENTITLED = "entitled"
"""Memory: the seat whose natural won the bank, until it has accepted or passed the bank on."""
ACCEPT = Move("accept")
REFUSE = Move("refuse")


class Pontoon(Rules):
    """Options: `minimum` and `maximum` of a bet (PO-12), `participants` at most, the dealer included (PO-01)."""

    name = "pontoon"
    one_round = False
    initial_cards = 2  # PO-13
    burns = True  # PO-06
    upcard = 1
    waits_for_cut = False  # PO-05

    packs: int = 1
    minimum: int = 1
    maximum: int = 5
    participants: int = 7

    def __post_init__(self) -> None:
        require_value(self, "packs", 1)  # PO-02
        require_limits(self, 1)
        require_range(self, "participants", 2, 14)

    @property
    def chairs(self) -> tuple[int, int]:
        return 2, self.participants

    # The shoe.

    def cut_range(self) -> tuple[int, int]:
        return 0, self.cards - 1  # PO-05

    def cutters(self, table: Table, last: int) -> list[int]:
        """PO-05: any player but the dealer; the nearest to the dealer's right counts."""
        return [chair for chair in table.chairs_after(table.bank, clockwise=False) if chair != table.bank]

    def is_worn_out(self, position: int, present: int, draws: Mapping[str, int]) -> bool:
        return position == present or present < self.cards  # PO-09: reached at the end of a deal, or in it

    def handle_empty_shoe(self, round: Round) -> None:
        round.reshuffle(cut=True, burn=True)  # PO-07, PO-08

    # The round.

    def acting_order(self, table: Table) -> list[int]:
        return [chair for chair in table.chairs_after(table.bank) if chair != table.bank]

    def partition_covered(self, table: Table, offered: Sequence[Bet]) -> tuple[list[Bet], list[Bet]]:
        return partition_by_cover(table, offered, MAX_LOSS)  # PO-38

    def check_round_bets(self, table: Table, bets: Sequence[Bet]) -> None:
        if table.bank not in table.players:
            raise IllegalBet("nobody holds the bank", where="bets", expected="a dealer", remedy="find the first banker")
        check_bets_against_bank(table, bets, self.participants, MAX_LOSS)

    def play(self, round: Round) -> Steps:
        dealer = round.dealer
        for down in (True, False):  # PO-13
            for hand in (*round.hands, dealer):
                round.deal(hand, hand.seat if down else UP)
        if dealer.natural:
            round.show(dealer)
            for hand in round.hands:
                round.show(hand)
                round.settle(hand, -hand.bet if hand.natural else -2 * hand.bet, "lose")  # PO-14, PO-15
            return
        for hand in round.hands:
            if hand.natural:
                round.show(hand)
                round.settle(hand, 2 * hand.bet, "natural")  # PO-16
        for hand in round.live:
            yield from self._turn(round, hand)  # PO-17
        round.show(dealer)
        if round.live:
            while not dealer.bust and round.drawable:  # PO-19, PO-10
                decision = yield Ask(dealer.seat, -1, HIT_OR_STAND, STAND)
                if decision.move == STAND.name:
                    break
                round.deal(dealer)
        for hand in round.live:
            round.show(hand)
            compare(round, hand, dealer, tie_pays=False)  # PO-20, PO-21, PO-31, PO-32

    def _turn(self, round: Round, hand: Hand) -> Steps:
        drawable = round.drawable
        if not drawable:  # PO-10, GE-12
            return
        moves = [HIT, STAND]  # PO-17; PO-39: no surrender, and nowhere insurance
        if 9 <= hand.total <= 11:  # PO-22 as CA-25
            moves.append(DOUBLE)
        if hand.pair_of_rank and drawable > 1:  # PO-22 as CA-20
            moves.append(SPLIT)
        decision = yield round.decision_point(hand, tuple(moves), STAND)
        match decision.move:
            case "double":
                double(round, hand, DOWN)  # CA-26; three cards of which none is a bonus: PO-30
            case "split":
                yield from self._split(round, hand)
            case "hit":
                yield from self._draw(round, hand)

    def _split(self, round: Round, left: Hand) -> Steps:
        right = round.split(left)
        round.show(left)  # PO-23; the right one's card was public
        for hand in (left, right):  # CA-21
            if hand.cards[0][0] == "A":  # CA-22
                round.deal(hand)
            else:  # PO-30: with a bonus of its own
                yield from self._draw(round, hand, awaited=1 if hand is left else 0)

    def _draw(self, round: Round, hand: Hand, awaited: int = 0) -> Steps:
        """One card, and as many more as the owner likes; `awaited` cards are kept for another hand (PO-10)."""
        while True:
            round.deal(hand)
            self._settle_early(round, hand)
            if closed(hand) or round.drawable <= awaited:
                return
            decision = yield round.decision_point(hand, HIT_OR_STAND, STAND)
            if decision.move == STAND.name:
                return

    def _settle_early(self, round: Round, hand: Hand) -> None:
        """Settle what the card just drawn decides: a bust, a bonus (PO-24) or its next tier."""
        times, name = (-1, "bust") if hand.bust else bonus(hand)  # PO-18
        if times and hand.live:
            round.show(hand)
            round.settle(hand, times * hand.bet, name)
        elif times > 0:
            round.raise_payout(hand, times * hand.bet, name)  # PO-27: a bust keeps the tier that was reached

    # The bank.

    def _entitled(self, round: Round) -> int | None:
        """PO-33, PO-35, PO-36: the seat that deals next, if that changes."""
        if round.dealer.natural:
            return None
        return next((hand.seat for hand in round.hands if hand.natural), None)

    def close(self, round: Round) -> Table:
        seat = self._entitled(round)
        return round.table.after(round.purse, memory=None if seat is None else {ENTITLED: seat})

    def settle_bank(self, table: Table) -> BankSteps:
        """PO-34, PO-37: the entitled seat accepts the bank, gives or sells it; the recipient agrees to the price."""
        seat = table.memory.get(ENTITLED)
        if seat is None or seat not in table.players:
            return BankMove(table, "")
        purse = table.purse
        others = tuple(chair for chair in sorted(table.players) if chair != seat)
        if others:
            give = Move("give", among=others, fewest=1, most=1)
            highest = {chair: self.highest_price(table, seat, chair) for chair in others}
            sales = [Move("sell", 1, price, (chair,), 1, 1) for chair, price in highest.items() if price > 0]
            decision = yield Ask(seat, -1, (ACCEPT, give, *sales), ACCEPT)
            if decision.move != ACCEPT.name:
                (to,), price = decision.chosen, decision.amount
                consent = yield Ask(to, -1, (Move("agree", price, price), REFUSE), REFUSE)
                if consent.move != REFUSE.name:
                    paid = {seat: purse[seat] + price, to: purse[to] - price}
                    return BankMove(table.after(paid, bank=to, memory={}), "sale" if price else "gift", price)
        return BankMove(table.after({}, bank=seat, memory={}), "change")  # PO-11

    def highest_price(self, table: Table, seller: int, buyer: int) -> int:
        """PO-37: what the buyer keeps covers the minimum (PO-38), and what the seller gets is in bounds (GE-14)."""
        return min(table.purse[buyer] - MAX_LOSS * self.minimum, MAX_CHIPS - table.purse[seller])

    def can_bank(self, table: Table, chair: int) -> bool:
        """PO-38: who cannot cover the minimum gives up the bank."""
        return chair in table.players and table.purse[chair] >= MAX_LOSS * self.minimum

    def needs_first_bank(self, table: Table) -> bool:
        """PO-04: before the first deal, and again when the dealer has left or cannot cover the minimum."""
        seats = table.players
        return len(seats) > 1 and table.memory.get(ENTITLED) not in seats and not self.can_bank(table, table.bank)

    def bank_candidates(self, table: Table) -> list[int]:
        return [chair for chair in sorted(table.players) if self.can_bank(table, chair)]

    def draw_first_bank(self, table: Table, cards: CardSource, chairs: Sequence[int]) -> tuple[int, list[str]]:
        order = sorted(chairs)
        dealt: list[str] = []
        for seat in cycle(order[1:] + order[:1]):  # PO-04: from the lowest seat's left, itself last
            dealt.append(cards.draw())
            if dealt[-1] in BLACK_JACKS:
                return seat, dealt
        raise RuleError("nobody is dealt", where="bank", expected="a chair that covers the minimum")

    def set_first_bank(self, table: Table, seat: int) -> Table:
        """PO-37: the first banker is entitled like a later one, and `between` asks."""
        return table.after({}, bank=seat, memory={ENTITLED: seat})

    def oust_bank(self, table: Table) -> Table:
        return table.after({}, bank=HOUSE) if self.needs_first_bank(table) else table

    def leave_chair(self, table: Table, seat: int) -> Table:
        """Return the table after a player left with any claim to the bank; a banker's bank is found anew (PO-04)."""
        after = super().leave_chair(table, seat)
        if table.memory.get(ENTITLED) == seat:
            return after.after({}, bank=HOUSE, memory={})
        return after.after({}, bank=HOUSE) if seat == table.bank else after


def bonus(hand: Hand) -> tuple[int, str]:
    """Return the bonus that a hand of 21 or less is paid at once, in bets, and its name; (0, "") for none."""
    count = len(hand.cards)
    if count >= CHARLIE_CARDS:
        return 1 << count - 4, f"{count} cards"  # PO-25, PO-26
    return three_cards(hand)


def three_cards(hand: Hand) -> tuple[int, str]:
    return THREE_CARDS.get(tuple(sorted(VALUE[label] for label in hand.cards)), (0, ""))


def closed(hand: Hand) -> bool:
    """Whether a hand takes no more cards: bust (PO-18), 7-7-7 or 8-7-6 (PO-28, PO-29)."""
    return hand.bust or three_cards(hand)[0] > 0
