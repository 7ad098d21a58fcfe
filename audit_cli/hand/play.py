"""A round as the rules play it, for people: who got which card, decided what, was paid how much; and step by step
everything that lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairshoe.engine.cards import Dealt
from fairshoe.engine.hand import UP
from fairshoe.engine.hand import Hand as Cards
from fairshoe.engine.view import Event, Told
from fairshoe.errors import FairshoeError

from .watch import Hand
from .way import BAD, who


def play(hand: Hand) -> Iterator[str]:
    if hand.entry is None:
        yield "6. What was played and paid cannot be told: no entry of this round could be followed."
        return
    yield "6. The rules, with the decisions in the log, give the rest:"
    try:
        round = Played(hand)
    except (FairshoeError, LookupError) as error:
        yield f"     {BAD} the rules cannot play this round: {error}"
        return
    for frame in round.frames:
        yield f"     {frame.says}"
    if not round.over:
        yield f"     {BAD} the round is not over after the decisions in the log"
    chips = ", ".join(f"{who(hand, account)} {round.purse[account]:,}" for account in sorted(round.purse))
    yield f"   Chips afterwards: {chips}"


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


class Played(Told):
    """A round that has an entry, as the rules play it with the decisions of the log. Raises FairshoeError, LookupError
    where they cannot."""

    def __init__(self, hand: Hand) -> None:
        self.frames: list[Frame] = []
        self._of = hand
        cards = [] if hand.entry is None else hand.entry["cards"]
        source = Dealt(cards, position=hand.position, present=hand.present, size=len(hand.shoe.deck))
        super().__init__(hand.before, source, hand.bets)
        for decision in hand.decisions:
            self.decide(decision)

    def tell(self, event: Event) -> None:
        super().tell(event)
        lying = [self._lying(cards) for cards in (*self.hands, self.dealer) if cards.cards]
        owner = "the shoe" if event.hand is None else _owner(self._of, event.hand)
        self.frames.append(Frame(_sentence(event, owner), lying))

    def _lying(self, cards: Cards) -> Lying:
        shown = [Card(label, face != UP) for label, face in zip(cards.cards, cards.faces, strict=True)]
        net = cards.net + cards.insurance
        who = _owner(self._of, cards)
        return Lying(who, shown, self.total_of(cards), cards.bet, cards.insured, cards.outcome, net)


def _owner(hand: Hand, cards: Cards) -> str:
    """Whose cards these are, as people write it."""
    if cards.seat == hand.before.bank:
        return "the dealer"
    player = hand.player(cards.seat) or "nobody"
    return player if cards.box == cards.seat else f"{player}, box {cards.box}"


def _sentence(event: Event, owner: str) -> str:
    """What happened, in a sentence."""
    amount = f"{event.amount:,}"
    match event.what:
        case "deal":
            hidden = ", face down" if event.hidden else ""
            return f"{owner} gets {event.label}{hidden}: {event.total}"
        case "decide":
            extra = f" {amount}" if event.amount else ""
            return f"{owner} on {event.total}: {event.label}{extra}"
        case "show":
            return f"{owner} shows {event.label}: {event.total}"
        case "wager":
            return f"{owner} puts {amount} more on it"
        case "split":
            return f"{owner} splits into two hands of {amount}"
        case "insure":
            return f"{owner} insures for {amount}"
        case "insurance":
            return f"{owner}: insurance {event.amount:+,}"
        case "settle":
            bet = 0 if event.hand is None else event.hand.bet
            return f"{owner}: {event.label} on {event.total}, bet {bet:,}, net {event.amount:+,}"
        case _:
            return "the cards out of play are reshuffled in the middle of the deal"
