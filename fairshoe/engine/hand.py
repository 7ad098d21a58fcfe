"""A hand of cards: what it holds, what it counts (GE-02), who may see it, what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..cards import PACK, RANKS

VALUE = {label: min(RANKS.index(label[0]) + 1, 10) for label in PACK}
"""Label → value, aces counting 1 and pictures 10; the suit never matters (GE-01, CH-10, BK-03, BX-01)."""

UP = -1
"""A face that everybody sees."""
DOWN = -2
"""A face that nobody sees until it is shown. Any other face is the seat that sees the card."""

NONE_HIDDEN: Mapping[int, int] = MappingProxyType({})


class Hand:
    """One hand in a round: `seat` is the owner's account, `box` the betting place (in `boxes` perhaps another's), `bet`
    the wager including a double, `cards` the labels in dealt order, `offsets` their places in the round's cards,
    `hidden` the face of each card that is not up, `net` the result once `outcome` is set, `insured` and `insurance` a
    side bet and its result."""

    hard = 0
    aces = 0
    doubled = False
    split = False
    outcome = ""
    net = 0
    insured = 0
    insurance = 0
    short = 0

    def __init__(self, seat: int, box: int, bet: int) -> None:
        self.seat = seat
        self.box = box
        self.bet = bet
        self.cards: list[str] = []
        self.offsets: list[int] = []
        self.hidden: Mapping[int, int] = NONE_HIDDEN

    @property
    def faces(self) -> list[int]:
        """For each card, who sees it."""
        return [self.hidden.get(index, UP) for index in range(len(self.cards))]

    @property
    def total(self) -> int:
        """GE-02: aces count 1, and one of them 11 if that does not exceed 21; so LO-13, BK-04, CA-04, CA-17, PO-03,
        BX-02; of an ace BX-13 tells only this total."""
        hard = self.hard
        return hard + 10 if hard <= 11 and self.aces else hard

    @property
    def soft(self) -> bool:
        """GE-02: an ace counts 11."""
        return self.aces > 0 and self.hard <= 11

    @property
    def bust(self) -> bool:
        return self.hard > 21

    @property
    def natural(self) -> bool:
        """GE-03, BK-11, CA-11, BX-23: the first two cards are ace and ten-value; after a split 21 (CA-23, BX-18)."""
        return self.hard == 11 and self.aces == 1 and len(self.cards) == 2 and not self.split

    @property
    def live(self) -> bool:
        """GE-10: not bust, not surrendered, not already paid or collected."""
        return not self.outcome

    @property
    def pair_of_rank(self) -> bool:
        """Two cards of the same denomination (CA-20): J-J, not J-Q."""
        cards = self.cards
        return len(cards) == 2 and cards[0][0] == cards[1][0]

    @property
    def pair_of_value(self) -> bool:
        """Two cards worth the same points (BK-27, BX-15): Q-K too."""
        cards = self.cards
        return len(cards) == 2 and VALUE[cards[0]] == VALUE[cards[1]]
