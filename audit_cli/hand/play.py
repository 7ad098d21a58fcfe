"""A round as the rules play it, for people: who got which card, decided what, was paid how much."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from fairshoe.engine.cards import Dealt
from fairshoe.engine.hand import Hand as Cards
from fairshoe.engine.table import Bet, Table
from fairshoe.engine.view import Event, Told
from fairshoe.errors import FairshoeError

from .dealt import Hand
from .way import BAD, who

R = TypeVar("R", bound=Told)


def play(hand: Hand) -> Iterator[str]:
    if hand.entry is None:
        yield "6. What was played and paid cannot be told: no entry of this round could be followed."
        return
    yield "6. The rules, with the decisions in the log, give the rest:"
    try:
        round = played(hand, Told)
    except (FairshoeError, LookupError) as error:
        yield f"     {BAD} the rules cannot play this round: {error}"
        return
    for event in round.events:
        yield f"     {sentence(event, owner(hand, event))}"
    if not round.over:
        yield f"     {BAD} the round is not over after the decisions in the log"
    chips = ", ".join(f"{who(hand, account)} {round.purse[account]:,}" for account in sorted(round.purse))
    yield f"   Chips afterwards: {chips}"


def played(hand: Hand, kind: Callable[[Table, Dealt, Sequence[Bet]], R]) -> R:
    """A round with an entry as the rules play it with the decisions of the log. Raises FairshoeError, LookupError."""
    entry = {} if hand.entry is None else hand.entry
    source = Dealt(entry["cards"], position=hand.position, present=hand.present, size=len(hand.shoe.deck))
    round = kind(hand.before, source, hand.bets)
    for decision in hand.decisions:
        round.decide(decision)
    return round


def owner(hand: Hand, event: Event) -> str:
    """Who an event happens to."""
    return "the shoe" if event.hand is None else owner_of(hand, event.hand)


def owner_of(hand: Hand, cards: Cards) -> str:
    """Whose cards these are, as people write it."""
    if cards.seat == hand.before.bank:
        return "the dealer"
    player = hand.player(cards.seat) or "nobody"
    return player if cards.box == cards.seat else f"{player}, box {cards.box}"


def sentence(event: Event, owner: str) -> str:
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
