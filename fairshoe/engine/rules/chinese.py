"""chinese: the first source (CH-01 … CH-48). All cards lie face down, aces shrink, the dealer chooses whom to
reveal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...errors import IllegalBet
from ..hand import Hand
from ..moves import HIT, HIT_OR_STAND, STAND, Ask, Move
from ..round import Round, Steps
from ..table import HOUSE, BankMove, BankSteps, Bet, Table
from .base import Rules, check_bets_against_bank, partition_by_cover, require_limits, require_range, require_value

MAX_LOSS = 3
"""CH-05, CH-13: the most that a bet can cost, in bets."""
PARTICIPANTS = {1: 10, 2: 20}
"""CH-01: packs → how many hands of five cards they serve."""
TURN = 3
"""CH-03: a dealer's rounds, or winning rounds."""
DRAGON = 5
"""CH-30, CH-38: the cards of a 5-Dragon."""

HELD = "held"
"""Memory: the present dealer's completed rounds, or winning rounds."""
AFTER = "after"
"""Memory: the chair that a dealer left; the bank goes on from there."""
VOID = "void"
CONTINUE = Move("continue")
STOP = Move("stop")
ONLY_HIT, ONLY_STAND = (HIT,), (STAND,)
"""CH-09: asked too, though there is no choice."""
ACE = {1: (10, 11), 2: (10, 11), 3: (1, 10)}
"""CH-11: cards in the hand → what an ace may count; in every larger hand 1."""


class Special(NamedTuple):
    """A special of the first two cards (CH-12). The higher `rank` wins `price` times the bet."""

    rank: int
    price: int
    name: str


PLAIN = Special(0, 0, "")
BAN_NAG = Special(1, 2, "ban-nag")
BAN_BAN = Special(2, 3, "ban-ban")


class Chinese(Rules):
    """The Chinese rule set; its attributes are the table's options."""

    name = "chinese"
    one_round = True  # CH-47
    initial_cards = 2  # CH-08, CH-09
    upcard = None  # CH-09

    packs: int = 1  # CH-01
    minimum: int = 1  # lowest bet, in chips
    maximum: int = 100  # highest bet, in chips
    rotation: str = "three_rounds"  # when the bank passes: three_rounds, three_wins or fixed (CH-03)
    first_dealer: int = 1  # chair of the first dealer (CH-03)
    direction: str = "clockwise"  # of the deal: clockwise or anticlockwise (CH-08)
    escape: bool = True  # a 15 pushes against the other side's special (CH-19, CH-22)
    free_hand: bool = False  # house rule (CH-04): a player's 15 may stop, the dealer's may be redealt (CH-21, CH-24)
    five_dragon_21_triple: bool = False  # house rule (CH-04, CH-31, CH-39)
    twenty_one_double: bool = False  # house rule (CH-04, CH-43..45)

    def __post_init__(self) -> None:
        require_range(self, "packs", min(PARTICIPANTS), max(PARTICIPANTS))
        require_limits(self, 1)
        require_value(self, "rotation", "three_rounds", "three_wins", "fixed")
        require_range(self, "first_dealer", 1, 64)
        require_value(self, "direction", "clockwise", "anticlockwise")

    @property
    def chairs(self) -> tuple[int, int]:
        return 2, PARTICIPANTS[self.packs]  # CH-02

    # The shoe.

    def cut_range(self) -> tuple[int, int]:
        return 1, self.cards - 1  # CH-06; what is not dealt at first is dealt on in the same order: CH-07

    def cutters(self, table: Table, last: int) -> list[int]:
        """CH-06: the dealer's right; a dealer who sits alone does not cut."""
        others = table.chairs_after(table.bank, clockwise=self.direction != "clockwise")
        return [chair for chair in others[:1] if chair != table.bank]

    # The round.

    def _chairs_beside(self, table: Table, chair: int) -> list[int]:
        """Return the occupied chairs in the deal's direction, from the one beside `chair`."""
        return table.chairs_after(chair, clockwise=self.direction == "clockwise")

    def acting_order(self, table: Table) -> list[int]:
        return [chair for chair in self._chairs_beside(table, table.bank) if chair != table.bank]

    def partition_covered(self, table: Table, offered: Sequence[Bet]) -> tuple[list[Bet], list[Bet]]:
        return partition_by_cover(table, offered, MAX_LOSS)  # CH-05

    def check_round_bets(self, table: Table, bets: Sequence[Bet]) -> None:
        if table.bank not in table.players:
            raise IllegalBet("there is no dealer", where="bets", expected="a dealer who covers the minimum bet")
        check_bets_against_bank(table, bets, PARTICIPANTS[self.packs], MAX_LOSS)  # CH-05

    def total(self, hand: Hand) -> int:
        """CH-10, CH-11: every ace for itself; the highest total up to 21, else the lowest."""
        low, high = ACE.get(len(hand.cards), (1, 1))
        total = hand.hard + hand.aces * (low - 1)
        for _ in range(hand.aces):
            if total + high - low <= 21:
                total += high - low
        return total

    def is_soft(self, hand: Hand) -> bool:
        return False

    def play(self, round: Round) -> Steps:
        for _ in range(2):  # CH-08, CH-09
            for hand in (round.dealer, *round.hands):
                round.deal(hand, hand.seat)
        self._settle_specials(round)
        if self.free_hand:
            yield from self._offer_escapes(round)
        for hand in round.live:  # CH-25
            yield from self._turn(round, hand)
        if round.live:
            yield from self._play_dealer(round)  # CH-33

    # The check, before anybody plays.

    def _settle_specials(self, round: Round) -> None:
        """CH-12: settle ban-ban and ban-nag before anybody chooses: the dealer's against every bet (CH-17), a player's
        alone (CH-18)."""
        dealer = round.dealer
        theirs = special(dealer)
        if theirs is not PLAIN:
            round.show(dealer)
        for hand in round.hands:
            own = special(hand)
            if theirs.rank > own.rank:
                if self._may_escape(hand):
                    self._settle(round, hand, 0, "escape")  # CH-22
                else:
                    self._settle(round, hand, -theirs.price, "lose")  # CH-14, CH-16
            elif own.rank > theirs.rank:
                if self._may_escape(dealer):
                    round.show(dealer)
                    self._settle(round, hand, 0, "escape")  # CH-22
                else:
                    self._settle(round, hand, own.price, own.name)  # CH-13, CH-15
            elif own is not PLAIN:
                self._settle(round, hand, 0, "push")

    def _may_escape(self, hand: Hand) -> bool:
        return self.escape and fifteen(hand)  # CH-19

    def _offer_escapes(self, round: Round) -> Steps:
        """CH-21, CH-23, CH-24: 15 points may leave, players first, the dealer last."""
        dealer = round.dealer
        for hand in round.live:
            if fifteen(hand):
                decision = yield round.decision_point(hand, (CONTINUE, STOP), CONTINUE)
                if decision.move == STOP.name:
                    self._settle(round, hand, 0, "free hand")
        unsettled = round.live
        if unsettled and fifteen(dealer):
            decision = yield Ask(dealer.seat, -1, (CONTINUE, STOP), CONTINUE)
            if decision.move == STOP.name:
                round.show(dealer)
                for hand in unsettled:
                    round.settle(hand, 0, VOID)

    # The turns: the players', then the dealer's.

    def _turn(self, round: Round, hand: Hand) -> Steps:
        """CH-26: until the owner stands or has five cards. CH-09: forced steps too are the owner's, to show nothing."""
        while True:
            total = self.total(hand)
            if len(hand.cards) == DRAGON and total <= 21:
                self._settle(round, hand, self._dragon_factor(hand), "5-dragon")  # CH-30
                return
            moves = legal(total)
            decision = yield round.decision_point(hand, moves, moves[-1])
            if decision.move == STAND.name:
                return
            round.deal(hand, hand.seat)

    def _dragon_factor(self, hand: Hand) -> int:
        return 3 if self.five_dragon_21_triple and self.total(hand) == 21 else 2  # CH-31, CH-39

    def _play_dealer(self, round: Round) -> Steps:
        dealer = round.dealer
        round.show(dealer)  # CH-33
        while unsettled := round.live:
            total = self.total(dealer)
            if total > 21:
                for hand in unsettled:
                    self._settle_dealer_bust(round, hand)  # CH-37
            elif len(dealer.cards) == DRAGON:
                for hand in unsettled:
                    self._settle(round, hand, -self._dragon_factor(dealer), "lose")  # CH-38
            elif total == 21:
                for hand in unsettled:
                    self._reveal(round, hand)  # CH-36
            elif total < 16:
                round.deal(dealer)  # CH-34
            else:
                seats = tuple(sorted(hand.seat for hand in unsettled))
                reveal = Move("reveal", among=seats, fewest=1, most=len(seats))
                decision = yield Ask(dealer.seat, -1, (reveal, HIT), reveal)  # CH-35
                if decision.move == HIT.name:
                    round.deal(dealer)
                for hand in unsettled:
                    if hand.seat in decision.chosen:
                        self._reveal(round, hand)

    def _reveal(self, round: Round, hand: Hand) -> None:
        """CH-40: settle against the dealer's present total, for good."""
        total, other = self.total(hand), self.total(round.dealer)
        if total > 21 or total < other:
            self._settle(round, hand, -self._price_factor(other), "lose" if total <= 21 else "bust")  # CH-41, CH-43
        elif total == other:
            self._settle(round, hand, 0, "push")  # CH-42
        else:
            self._settle(round, hand, self._price_factor(total), "win")  # CH-42, CH-44

    def _settle_dealer_bust(self, round: Round, hand: Hand) -> None:
        total = self.total(hand)
        if total > 21:
            self._settle(round, hand, 0, "push")  # CH-46
        else:
            self._settle(round, hand, self._price_factor(total), "win")  # CH-45, CH-46

    def _price_factor(self, winner: int) -> int:
        return 2 if self.twenty_one_double and winner == 21 else 1  # CH-43, CH-44, CH-45

    def _settle(self, round: Round, hand: Hand, times: int, outcome: str) -> None:
        round.show(hand)
        round.settle(hand, times * hand.bet, outcome)

    def bank_hits(self, hand: Hand) -> bool:
        return self.total(hand) < 16

    # The bank (CH-03).

    def close(self, round: Round) -> Table:
        void = any(hand.outcome == VOID for hand in round.hands)  # CH-24
        won = sum(hand.net for hand in round.hands) < 0
        if void or self.rotation == "fixed" or (self.rotation == "three_wins" and not won):
            return round.table.after(round.purse)
        memory = {HELD: round.table.memory.get(HELD, 0) + 1}
        return round.table.after(round.purse, memory=memory)

    def settle_bank(self, table: Table) -> BankSteps:
        """The next dealer in the deal's direction; one who cannot cover the minimum bet is passed over (CH-05)."""
        dealer = table.bank
        if dealer == HOUSE:
            order = self._first_dealers(table)
        elif self.can_bank(table, dealer) and table.memory.get(HELD, 0) < TURN:
            return BankMove(table, "")
        else:
            order = self._chairs_beside(table, dealer)
        for chair in order:
            if chair != dealer and self.can_bank(table, chair):
                return BankMove(table.after({}, bank=chair, memory={HELD: 0}), "rotation")
        return BankMove(table, "")
        yield

    def _first_dealers(self, table: Table) -> list[int]:
        """Return the order of dealers if nobody deals: from beside a dealer who left, or from the first one's chair."""
        if AFTER in table.memory:
            return self._chairs_beside(table, table.memory[AFTER])
        order = self._chairs_beside(table, self.first_dealer)
        return [self.first_dealer, *order[:-1]] if self.first_dealer in order else order

    def can_bank(self, table: Table, chair: int) -> bool:
        return chair in table.players and table.purse[chair] >= MAX_LOSS * self.minimum  # CH-05

    def leave_chair(self, table: Table, seat: int) -> Table:
        after = super().leave_chair(table, seat)
        return after if seat != table.bank else after.after({}, bank=HOUSE, memory={AFTER: seat})


def legal(total: int) -> tuple[Move, ...]:
    """Return a player's legal moves; the last is the table's at the time limit. Five cards come here only if bust;
    nothing is split, doubled, insured or surrendered (CH-48)."""
    if total >= 21:
        return ONLY_STAND  # CH-29, CH-32
    return HIT_OR_STAND if total >= 16 else ONLY_HIT  # CH-27, CH-28


def special(hand: Hand) -> Special:
    """CH-12: what two cards are."""
    return BAN_BAN if hand.aces == 2 else BAN_NAG if hand.natural else PLAIN


def fifteen(hand: Hand) -> bool:
    """CH-20: two cards of which a permitted total is 15."""
    return hand.hard == 15 if not hand.aces else hand.aces == 1 and hand.hard in (5, 6)
