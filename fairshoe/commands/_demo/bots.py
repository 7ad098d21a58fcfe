"""Bots: what a seat does, from nothing but what the API shows it."""

from __future__ import annotations

from typing import Any

from ...client import Seat
from ...engine.hand import VALUE, Hand
from ...engine.moves import Move
from ...engine.rules import Rules, rules_of
from ...engine.strategies import advice

Form = dict[str, Any]
BUY_IN = 10_000
LOW_ON_CHIPS = 20
"""A bot with less than this many lowest bets buys in again."""


class Bot:
    """A seat that plays the reference advice where there is an upcard, like the bank elsewhere."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.rules = rules_of(seat.state["rules"], seat.state["options"])

    def act(self, rounds: int) -> bool:
        """Do one thing, if the table expects one; no shoe or bet once `rounds` were opened."""
        wanted = self.seat.next() or next(iter(self.seat.expects("waiver") + self.seat.expects("here")), None)
        if wanted is None:
            return False
        what = wanted["do"]
        if what in ("shoe", "bets") and self.seat.state["rounds"] >= rounds:
            return False
        if what in ("shoe", "here"):
            self.seat.send(what)
        elif what == "bets":
            self._bet(wanted)
        elif what == "decisions":
            self.seat.decide(**self._choose(wanted))
        else:
            self.seat.contribute(waive=True)
        return True

    def buy_in(self) -> None:
        self.seat.send("chips", op="buy-in", amount=BUY_IN)

    def _bet(self, wanted: Form) -> None:
        if self.seat.state["chips"][str(self.seat.seat)] < LOW_ON_CHIPS * wanted["low"]:
            self.buy_in()
        self.seat.bet(wanted["low"])

    def _choose(self, wanted: Form) -> Form:
        names = [move["move"] for move in wanted["moves"]]
        if wanted["about"] == "round" and {"hit", "stand"} <= set(names):
            return {"move": self._play(tuple(Move(name) for name in names))}
        default: Form = wanted["default"]
        return default

    def _play(self, moves: tuple[Move, ...]) -> str:
        view = self.seat.state["round"]["view"]
        dealer = view["dealer"]["cards"]
        own = view["hand"]
        hand = hand_of(dealer if own < 0 else view["hands"][own]["cards"])
        upcard = None if own < 0 or self.rules.upcard is None else dealer[self.rules.upcard]
        if upcard is not None:
            return advice(hand, VALUE[upcard], moves)
        return "hit" if self.rules.bank_hits(hand) else "stand"


def hand_of(cards: list[str]) -> Hand:
    """The engine's hand of the cards that a seat sees."""
    hand = Hand(0, 0, 0)
    for label in cards:
        hand.cards.append(label)
        hand.hard += VALUE[label]
        hand.aces += VALUE[label] == 1
    return hand


def seats_for(rules: Rules, wanted: int) -> int:
    """How many bots sit down: as many as wanted, within what the rules seat."""
    fewest, most = rules.chairs
    return max(fewest, min(wanted, most))
