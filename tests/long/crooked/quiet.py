"""Seats of the house that know the cards, and do nothing that is counted: they never pass, and never bust."""

from __future__ import annotations

from itertools import product
from typing import ClassVar

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round
from fairshoe.engine.strategies import mimic, never_bust

from .steering import BetsKnowing, Plan, SeatSteers


class QuietSeats(SeatSteers):
    name = "quiet-seats"
    about = "two seats as that of `seat-steers`, which bet in every round, and never take the card that busts them"
    tells = ()
    sitting = ("s1", "s2", "h1")
    plans: ClassVar[tuple[Plan, ...]] = tuple(product(range(5), repeat=2))

    def outcome(self, plan: Plan) -> int:
        shoe = self.state.shoe
        if shoe is None:
            return 0
        round = self.steered_round(plan, shoe.position)
        busts = any(hand.bust for hand in round.hands if hand.seat <= len(plan))
        return -self.purse if busts else self.wins(round)


class QuietBets(BetsKnowing):
    name = "quiet-bets"
    about = "as `bets-knowing`, but the lowest bet on what loses, and no seat draws where it could bust"
    tells = ()
    passes = False

    def strategy(self, round: Round, ask: Ask) -> Decision:
        played = mimic if self.honest(self.state.table.players.get(ask.actor)) else never_bust
        return played(round, ask)


TRICKS = (QuietSeats, QuietBets)
