"""A round step by step: after each, everything that lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairshoe.engine.cards import Dealt
from fairshoe.engine.hand import UP
from fairshoe.engine.hand import Hand as Cards
from fairshoe.engine.table import Bet, Table
from fairshoe.engine.view import Event, Told

from .dealt import Hand
from .play import owner, owner_of, played, sentence


class Card(NamedTuple):
    """A card on the table; `down`: face down for those who do not hold it."""

    label: str
    down: bool


class Lying(NamedTuple):
    """A hand on the table. `outcome` is "" until it is settled; of the dealer `bet` is 0."""

    who: str
    cards: list[Card]
    total: int
    bet: int
    insured: int
    outcome: str
    net: int


class Frame(NamedTuple):
    """What happened, and the table after it: the players' hands in their order, the dealer's last."""

    says: str
    hands: list[Lying]


def frames(hand: Hand) -> list[Frame]:
    """A round that has an entry. Raises FairshoeError, LookupError where the rules cannot play it."""

    def filming(table: Table, source: Dealt, bets: Sequence[Bet]) -> _Filmed:
        return _Filmed(hand, table, source, bets)

    return played(hand, filming).frames


class _Filmed(Told):
    def __init__(self, hand: Hand, table: Table, source: Dealt, bets: Sequence[Bet]) -> None:
        self.frames: list[Frame] = []
        self._of = hand
        super().__init__(table, source, bets)

    def tell(self, event: Event) -> None:
        super().tell(event)
        lying = [self._lying(cards) for cards in (*self.hands, self.dealer) if cards.cards]
        self.frames.append(Frame(sentence(event, owner(self._of, event)), lying))

    def _lying(self, cards: Cards) -> Lying:
        shown = [Card(label, face != UP) for label, face in zip(cards.cards, cards.faces, strict=True)]
        who = owner_of(self._of, cards)
        total = self.total_of(cards)
        return Lying(who, shown, total, cards.bet, cards.insured, cards.outcome, cards.net + cards.insurance)
