"""Seats of the house that know the cards, and steer them by their own bets, decisions and chips."""

from __future__ import annotations

from itertools import combinations, product
from typing import ClassVar

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.shoes import current_order
from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.round import Round
from fairshoe.engine.strategies import mimic, never_bust
from fairshoe.engine.table import Bet
from fairshoe.errors import RuleError

from .play import Play

Plan = tuple[int | None, ...]
"""How many cards each of the first chairs takes; None: it passes."""


class SeatSteers(Play):
    """It acts first, and takes away the cards that would help the player, or hurt the dealer."""

    name = "seat-steers"
    tells: ClassVar[tuple[str, ...]] = ("pass", "bust")
    sitting: ClassVar[tuple[str, ...]] = ("s1", "h1")
    plans: ClassVar[tuple[Plan, ...]] = ((0,), (1,), (2,), (3,), (4,), (None,))

    def in_bet(self) -> None:
        if not self.state.bets:
            self.plan = max(self.plans, key=self.outcome)
        super().in_bet()

    def outcome(self, plan: Plan) -> int:
        shoe = self.state.shoe
        return 0 if shoe is None else self.wins(self.steered_round(plan, shoe.position))

    def steered_round(self, plan: Plan, position: int) -> Round:
        passing = [seat for seat, cards in enumerate(plan, start=1) if cards is None]
        bets = [Bet(seat, self.unit, seat) for seat in sorted(self.state.table.players) if seat not in passing]
        return self.dealt(bets, position, lambda round, ask: steered(round, ask, plan))

    def bet(self, seat: int, amount: int | None = None) -> bool:
        passes = seat <= len(self.plan) and self.plan[seat - 1] is None
        return super().bet(seat, 0 if passes else amount)

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        return super().decide(round, ask, steered(round, ask, self.plan).move)


def steered(round: Round, ask: Ask, plan: Plan) -> Decision:
    chosen = mimic(round, ask)
    if ask.actor > len(plan) or ask.hand < 0 or chosen.move not in ("hit", "stand"):
        return chosen
    taken = sum(decision.actor == ask.actor and decision.move == "hit" for decision in round.decisions)
    return chosen._replace(move="hit" if taken < (plan[ask.actor - 1] or 0) else "stand")


class BankerSteers(Play):
    """The dealer chooses whom to reveal, and whether to draw (CH-35)."""

    name = "banker-steers"
    rules = "chinese"
    options = {"rotation": "fixed"}  # noqa: RUF012
    tells = ("decision of the bank",)
    sitting = ("s1", "h1", "h2")
    decides = True

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        if ask.actor != 1:
            return super().decide(round, ask, move)
        return self.said(round, self.best_decision(round, choices(ask)))


def choices(ask: Ask) -> list[Decision]:
    found = []
    for move in ask.moves:
        for many in range(move.fewest, move.most + 1):
            found += [Decision(ask.actor, move.name, move.low, chosen) for chosen in combinations(move.among, many)]
    return found


class HiddenSeats(Play):
    """Two seats play against an honest bank whose first card lies hidden from everybody else."""

    name = "hidden-seats"
    rules = "pontoon"
    tells: ClassVar[tuple[str, ...]] = ("bust",)
    sitting: ClassVar[tuple[str, ...]] = ("h1", "s1", "s2")
    banker = "h1"
    decides = True

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        if self.honest(self.state.table.players.get(ask.actor)):
            return super().decide(round, ask, move)
        return self.said(round, self.best_decision(round, choices(ask)))


class HiddenBank(HiddenSeats):
    """A banker plays against an honest seat whose first card lies hidden from everybody else."""

    name = "hidden-bank"
    tells = ("decision of the bank",)
    sitting = ("s1", "h1")
    banker = "s1"


class BetsKnowing(Play):
    """Its seats bet much on what wins, little or nothing on what loses."""

    name = "bets-knowing"
    rules = "pontoon"
    tells: ClassVar[tuple[str, ...]] = ("pass", "bust")
    sitting = ("h1", "s1", "s2")
    passes = True

    def in_bet(self) -> None:
        table = self.state.table
        mine = [seat for seat in table.rules.acting_order(table) if seat in self.seats(honest=False)]
        if not self.honest(table.players.get(table.bank)):
            super().in_bet()
            return
        amounts = (*([0] if self.passes else ()), table.rules.minimum, table.rules.maximum)
        offers = [offer for offer in product(amounts, repeat=len(mine)) if any(offer)]
        best = max(offers, key=lambda offer: self.outcome(mine, offer))
        for seat, amount in zip(mine, best, strict=True):
            self.bet(seat, amount)

    def outcome(self, seats: list[int], offer: tuple[int, ...]) -> int:
        bets = [Bet(seat, bet, seat) for seat, bet in zip(seats, offer, strict=True) if bet]
        try:
            return self.foreseen(bets, self.strategy)
        except RuleError:  # the deck ends in this round
            return 0

    def strategy(self, round: Round, ask: Ask) -> Decision:
        """How everybody plays."""
        return mimic(round, ask)

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        return self.said(round, self.strategy(round, ask))


class QuietSeats(SeatSteers):
    name = "quiet-seats"
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
    tells = ()
    passes = False

    def strategy(self, round: Round, ask: Ask) -> Decision:
        played = mimic if self.honest(self.state.table.players.get(ask.actor)) else never_bust
        return played(round, ask)


class SeatsLeave(Play):
    """They act before the player. Who has left comes back when the shoe has ended."""

    name = "seats-leave"
    tells = ("left a sealed shoe",)
    sitting = ("s1", "s2", "s3", "h1")

    def in_idle(self) -> None:
        for player in self.sitting:
            if self.state.book.seat_of(player) is None:
                self.sit(player)
        super().in_idle()

    def in_bet(self) -> None:
        shoe, own = self.state.shoe, self.seats(honest=False)
        if shoe is not None and own and not self.state.bets:
            sealed = current_order(self.state, shoe, self.key)
            self.draws = {name: sealed.number(name) for name in sealed.draws}
            self.known: dict[tuple[int, int], tuple[int, int]] = {}
            _, stay = self.best(shoe.position, len(own))
            for seat in own[stay:]:
                self.leave(self.state.table.players[seat])
        super().in_bet()

    def best(self, position: int, own: int) -> tuple[int, int]:
        """What the house can win of the shoe from `position` on with at most so many seats of its own, and how many of
        them stay for the next round."""
        if (position, own) not in self.known:
            self.known[position, own] = max(self.rest(position, stay) for stay in range(own + 1))
        return self.known[position, own]

    def rest(self, position: int, stay: int) -> tuple[int, int]:
        """The same if exactly these stay for the next round."""
        seats = sorted([*self.seats(honest=False)[:stay], *self.seats()])
        round = self.dealt([Bet(seat, self.unit, seat) for seat in seats], position)
        won, position = self.wins(round), position + len(round.cards)
        if not self.state.rules.is_worn_out(position, round.present, self.draws):
            won += self.best(position, stay)[0]
        return won, stay


class CoverEaten(Play):
    """The banker's cover is small, and an accomplice acts before the player."""

    name = "cover-eaten"
    tells = ("bet without cover",)
    rules = "pontoon"
    options = {"minimum": 10, "maximum": 5_000}  # noqa: RUF012
    sitting = ("s1", "s2", "s3", "h1")
    stack = 1_000

    def in_idle(self) -> None:
        """Whoever banks has as little as a cover needs, the others enough."""
        for seat in self.seats(honest=False):
            over = self.state.table.purse[seat] - self.stack
            if over > 0 and seat == self.state.table.bank:
                self.do(say.CashOut(seat, over))
            elif over < 0:
                self.do(say.BuyIn(seat, -over if seat == self.state.table.bank else self.purse))
        super().in_idle()

    def about_bank(self, ask: Ask) -> Decision:
        """The bank goes to a chair that is followed by an accomplice."""
        if ask.actor == self.seat("s3") and any(move.name == "give" for move in ask.moves):
            return Decision(ask.actor, "give", 0, (self.seat("s1"),))
        return super().about_bank(ask)

    def in_bet(self) -> None:
        table = self.state.table
        cover, eater = table.purse.get(table.bank, 0), table.bank + 1
        most = min(cover // 2, table.rules.maximum, table.purse.get(eater, 0) // 2)
        eats = eater in self.seats(honest=False) and cover - 2 * most < 2 * self.unit <= 2 * most
        if not eats or self.peek() >= 0:
            super().in_bet()
            return
        for seat in self.seats():
            self.bet(seat)
        self.bet(eater, most)
        super().in_bet()


class PurseToggled(Play):
    """It acts first. A pass would be a word of its own, and an empty chair would be left for the whole shoe."""

    name = "purse-toggled"
    tells = ("unfunded",)
    sitting = ("s1", "h1")

    def in_bet(self) -> None:
        if not self.state.bets:
            better = filled if self.peek(filled) >= self.peek(emptied) else emptied
            better(self)
        super().in_bet()


def filled(play: Play) -> None:
    seat = play.seat("s1")
    if not play.state.table.purse[seat]:
        play.do(say.BuyIn(seat, play.purse))


def emptied(play: Play) -> None:
    seat = play.seat("s1")
    if has := play.state.table.purse[seat]:
        play.do(say.CashOut(seat, has))


TRICKS = (
    SeatSteers, BankerSteers, HiddenSeats, HiddenBank, BetsKnowing, QuietSeats, QuietBets, SeatsLeave, CoverEaten,
    PurseToggled,
)  # fmt: skip
