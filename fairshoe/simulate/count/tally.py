"""What many rounds came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from ...engine.round import Round

FIRST = 1
"""The chair whose results are counted."""


@dataclass
class Tally:
    """Counts over rounds, for the hands in the first chair; chips in the smallest unit.

    `played` rounds, of which `rounds` counted: in those somebody else held the bank. `squares` is
    the sum of the squared results. `insurance_won` are the offers that would have won.
    `bonuses` are the hands paid more than 1:1 for something else than a natural, by outcome.
    """

    played: int = 0
    rounds: int = 0
    net: int = 0
    squares: int = 0
    wagered: int = 0
    naturals: int = 0
    player_busts: int = 0
    dealer_busts: int = 0
    splits: int = 0
    doubles: int = 0
    insurance_offered: int = 0
    insurance_won: int = 0
    bonuses: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            if name == "bonuses":
                self.bonuses.update(value)
            else:
                setattr(self, name, getattr(self, name) + value)

    def count(self, round: Round, flat: int) -> None:
        """Count one round. `flat` unless 0: a hand stakes nothing; one that wins is +`flat`, any other −`flat`."""
        net = 0
        dealer = round.dealer
        for hand in round.hands:
            if hand.seat != FIRST:
                continue
            bet, won = hand.bet, hand.net
            self.wagered += bet
            if flat:
                net += flat if won > 0 else -flat
            else:
                net += won
            if hand.hard > 21:
                self.player_busts += 1
            elif hand.hard == 11 and hand.natural:
                self.naturals += 1
            if won > bet and hand.outcome != "natural":
                self.bonuses[hand.outcome] += 1
            if hand.doubled:
                self.doubles += 1
            if hand.insured:
                net += hand.insurance
                self.wagered += hand.insured
        if len(round.hands) > len(round.bets):
            self.splits += sum(hand.split for hand in round.hands if hand.seat == FIRST) // 2
        if dealer.hard > 21:
            self.dealer_busts += 1
        if dealer.aces and any(d.actor == FIRST and d.move in ("insure", "decline") for d in round.decisions):
            self.insurance_offered += 1
            self.insurance_won += dealer.natural
        self.rounds += 1
        self.net += net
        self.squares += net * net

    def report(self, bet: int) -> dict[str, Any]:
        """The tally per unit of the initial bet, as JSON values; `mean` and `se` are null where nothing says them."""
        n = self.rounds
        mean = self.net / n if n else None
        spread = sqrt(max(self.squares - self.net * self.net / n, 0) / (n - 1) / n) if n > 1 else None
        return {
            "played": self.played,
            "rounds": n,
            "net": self.net / bet,
            "mean": None if mean is None else mean / bet,
            "se": None if spread is None else spread / bet,
            "wagered": self.wagered / bet,
            "naturals": self.naturals,
            "player_busts": self.player_busts,
            "dealer_busts": self.dealer_busts,
            "splits": self.splits,
            "doubles": self.doubles,
            "insurance_offered": self.insurance_offered,
            "insurance_won": self.insurance_won,
            "bonuses": dict(sorted(self.bonuses.items())),
        }
