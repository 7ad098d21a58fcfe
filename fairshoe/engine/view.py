"""A round as others see it: what a seat, the public or the dealer may see at any step; and told event by event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .cards import CardSource, LoggedCards
from .hand import UP, Hand
from .moves import Decision, Move
from .round import Round
from .table import Bet, Table, account_name

PUBLIC = -9
"""The audience that sees only what lies face up."""


def view(round: Round, audience: int, upto: int | None = None) -> dict[str, Any]:
    """Return the round as `audience` (a seat, HOUSE for the dealer, PUBLIC) sees it, as plain JSON values.

    `upto`: as after that many decisions. A hidden card is null, and its hand's total; only a seat sees its legal moves.
    """
    if upto is not None and upto != len(round.decisions):
        round = round_after(round, upto)
    seen: dict[str, Any] = {
        "chips": {account_name(account): chips for account, chips in sorted(round.purse.items())},
        "dealer": _hand_view(round, round.dealer, audience),
        "hands": [_hand_view(round, hand, audience) for hand in round.hands],
        "over": round.is_over,
    }
    ask = round.ask
    if ask is not None:
        seen["turn"] = ask.actor
        if ask.actor == audience:
            seen["hand"] = ask.hand
            seen["moves"] = [move_form(move) for move in ask.moves]
            seen["step"] = len(round.decisions)
    return seen


def round_after(round: Round, step: int) -> Round:
    """Return the round as it was after `step` decisions."""
    source = LoggedCards(round.cards, position=round.position, present=round.present, size=round.size)
    again = Round(round.table, source, round.bets)
    for decision in round.decisions[:step]:
        again.decide(decision)
    return again


def _hand_view(round: Round, hand: Hand, audience: int) -> dict[str, Any]:
    visible = [face in (UP, audience) for face in hand.faces]
    seen: dict[str, Any] = {
        "cards": [label if ok else None for label, ok in zip(hand.cards, visible, strict=True)],
        "total": round.rules.total(hand) if all(visible) else None,
    }
    if hand.bet:
        seen |= {"bet": hand.bet, "box": hand.box, "seat": hand.seat}
    if hand.insured:
        seen["insured"] = hand.insured
    if hand.insurance:
        seen["insurance"] = hand.insurance
    if hand.outcome:
        seen |= {"net": hand.net, "outcome": hand.outcome}
    if hand.short:
        seen["short"] = hand.short
    return seen


def open_cards(round: Round) -> list[str | None]:
    """Return the cards dealt so far in their order; None for one that lies hidden."""
    cards: list[str | None] = [None] * len(round.cards)
    for hand in (*round.hands, round.dealer):
        for offset, label, face in zip(hand.offsets, hand.cards, hand.faces, strict=True):
            cards[offset] = label if face == UP else None
    return cards


def move_form(move: Move) -> dict[str, Any]:
    """A legal move as JSON values: amounts and seats where it takes any."""
    form: dict[str, Any] = {"move": move.name}
    if move.high:
        form |= {"low": move.low, "high": move.high}
    if move.among:
        form |= {"among": list(move.among), "fewest": move.fewest, "most": move.most}
    if move.prompt:
        form["prompt"] = True
    return form


class Event(NamedTuple):
    """An event, `what`: deal, decide, show, wager, split, insure, insurance, settle or reshuffle, of `hand` (None for
    reshuffle), with a card or move (`label`), chips (`amount`), the hand's new `total`."""

    what: str
    hand: Hand | None
    label: str = ""
    amount: int = 0
    total: int = 0
    hidden: bool = False


class RecordedRound(Round):
    """A round that remembers its events in `events`."""

    def __init__(self, table: Table, source: CardSource, bets: Sequence[Bet]) -> None:
        self.events: list[Event] = []
        super().__init__(table, source, bets)

    def record_event(self, event: Event) -> None:
        """Remember what has just happened."""
        self.events.append(event)

    def decide(self, decision: Decision) -> None:
        ask = self.ask
        hand = self.hands[ask.hand] if ask is not None and ask.hand >= 0 else self.dealer
        self.record_event(Event("decide", hand, _describe_decision(decision), decision.amount, self.total_of(hand)))
        try:
            super().decide(decision)
        except Exception:
            self.events.pop()
            raise

    def total_of(self, hand: Hand) -> int:
        return self.rules.total(hand)

    def deal(self, hand: Hand, face: int = UP) -> str:
        label = super().deal(hand, face)
        self.record_event(Event("deal", hand, label, len(self.cards) - 1, self.total_of(hand), face != UP))
        return label

    def show(self, hand: Hand) -> None:
        hidden = bool(hand.hidden)
        super().show(hand)
        if hidden:
            self.record_event(Event("show", hand, " ".join(hand.cards), 0, self.total_of(hand)))

    def wager(self, hand: Hand, amount: int) -> None:
        super().wager(hand, amount)
        self.record_event(Event("wager", hand, amount=amount))

    def split(self, hand: Hand) -> Hand:
        right = super().split(hand)
        self.record_event(Event("split", hand, amount=hand.bet))
        return right

    def insure(self, hand: Hand, amount: int) -> None:
        super().insure(hand, amount)
        self.record_event(Event("insure", hand, amount=amount))

    def settle_insurance(self, hand: Hand, net: int) -> None:
        super().settle_insurance(hand, net)
        self.record_event(Event("insurance", hand, amount=net))

    def settle(self, hand: Hand, net: int, outcome: str) -> None:
        super().settle(hand, net, outcome)
        self.record_event(Event("settle", hand, outcome, net, self.total_of(hand)))

    def raise_payout(self, hand: Hand, net: int, outcome: str) -> None:
        more = net - hand.net
        super().raise_payout(hand, net, outcome)
        self.record_event(Event("settle", hand, outcome, more, self.total_of(hand)))

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        super().reshuffle(cut=cut, burn=burn)
        self.record_event(Event("reshuffle", None))


def _describe_decision(decision: Decision) -> str:
    chosen = f" seats {', '.join(map(str, decision.chosen))}" if decision.chosen else ""
    late = " (decided by the table at its time limit)" if decision.by == "table" else ""
    return decision.move + chosen + late
