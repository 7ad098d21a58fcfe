"""A round told event by event, for people: who got which card, decided what, was paid how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .cards import Cards
from .hand import UP, Hand
from .moves import Decision
from .round import Round
from .table import Bet, Table


class Event(NamedTuple):
    """`what`: deal, decide, show, wager, split, insure, insurance, settle or reshuffle.

    `hand` is the hand concerned (None for reshuffle), `label` a card or move, `amount` chips,
    `total` the hand's total afterwards.
    """

    what: str
    hand: Hand | None
    label: str = ""
    amount: int = 0
    total: int = 0
    hidden: bool = False


class Told(Round):
    """A round that remembers its events in `events`."""

    def __init__(self, table: Table, source: Cards, bets: Sequence[Bet]) -> None:
        self.events: list[Event] = []
        super().__init__(table, source, bets)

    def tell(self, event: Event) -> None:
        """Remember what has just happened."""
        self.events.append(event)

    def decide(self, decision: Decision) -> None:
        ask = self.ask
        hand = self.hands[ask.hand] if ask is not None and ask.hand >= 0 else self.dealer
        self.tell(Event("decide", hand, _said(decision), decision.amount, self.total_of(hand)))
        try:
            super().decide(decision)
        except Exception:
            self.events.pop()
            raise

    def total_of(self, hand: Hand) -> int:
        return self.rules.total(hand)

    def deal(self, hand: Hand, face: int = UP) -> str:
        label = super().deal(hand, face)
        self.tell(Event("deal", hand, label, len(self.cards) - 1, self.total_of(hand), face != UP))
        return label

    def show(self, hand: Hand) -> None:
        hidden = bool(hand.hidden)
        super().show(hand)
        if hidden:
            self.tell(Event("show", hand, " ".join(hand.cards), 0, self.total_of(hand)))

    def wager(self, hand: Hand, amount: int) -> None:
        super().wager(hand, amount)
        self.tell(Event("wager", hand, amount=amount))

    def split(self, hand: Hand) -> Hand:
        right = super().split(hand)
        self.tell(Event("split", hand, amount=hand.bet))
        return right

    def insure(self, hand: Hand, amount: int) -> None:
        super().insure(hand, amount)
        self.tell(Event("insure", hand, amount=amount))

    def settle_insurance(self, hand: Hand, net: int) -> None:
        super().settle_insurance(hand, net)
        self.tell(Event("insurance", hand, amount=net))

    def settle(self, hand: Hand, net: int, outcome: str) -> None:
        super().settle(hand, net, outcome)
        self.tell(Event("settle", hand, outcome, net, self.total_of(hand)))

    def raise_to(self, hand: Hand, net: int, outcome: str) -> None:
        more = net - hand.net
        super().raise_to(hand, net, outcome)
        self.tell(Event("settle", hand, outcome, more, self.total_of(hand)))

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        super().reshuffle(cut=cut, burn=burn)
        self.tell(Event("reshuffle", None))


def _said(decision: Decision) -> str:
    chosen = f" seats {', '.join(map(str, decision.chosen))}" if decision.chosen else ""
    late = " (decided by the table at its time limit)" if decision.by == "table" else ""
    return decision.move + chosen + late
