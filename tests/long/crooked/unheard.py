"""A house that says that it did not hear: a seed, a bet, a decision, a hash."""

from __future__ import annotations

import hashlib

from fairshoe.ceremony.contributing import openers
from fairshoe.engine.moves import Ask
from fairshoe.engine.round import Round
from fairshoe.engine.strategies import mimic
from fairshoe.engine.table import Bet

from .play import Play


class SoleSeed(Play):
    name = "sole-seed-unheard"
    tells = ("void: seed",)
    rules = "banker"

    def seed(self, player: str) -> bool:
        if self.peek() >= 0:
            return super().seed(player)
        self.wait()
        return True


class LastSeed(Play):
    name = "last-seed-unheard"
    tells = ("void: seed", "seed handed in late")
    rules = "boxes"
    sitting = ("h1", "h2", "h3")

    def seed(self, player: str) -> bool:
        shoe = self.state.shoe
        if shoe is None or len(openers(self.state.book, shoe)) > 1 or self.peek() >= 0:
            return super().seed(player)
        self.wait()
        return True


class FirstSeed(Play):
    """Of the others it has the seeds: the order is known with the first one."""

    name = "first-seed-unheard"
    tells = ("lapse",)
    rules = "boxes"
    sitting = ("s1", "h1")

    def seed(self, player: str) -> bool:
        shoe = self.state.shoe
        if not self.honest(player) or (shoe and shoe.opened) or self.peek() >= 0:
            return super().seed(player)
        self.wait()
        return True


class LateBets(Play):
    name = "late-bets"
    tells = ("late bet",)
    sitting = ("h1", "s1")

    def in_bet(self) -> None:
        if self.foreseen([Bet(seat, self.unit, seat) for seat in sorted(self.state.table.players)]) >= 0:
            super().in_bet()
            return
        self.bet(self.seat("s1"))
        while self.state.bets:
            self.wait()


class Decisions(Play):
    """Where the table's decision is the better one for the house."""

    name = "decisions-unheard"
    tells = ("decision by the table",)
    rules = "banker"
    decides = True

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        sent, late = mimic(round, ask), ask.default_decision()
        if sent.move == late.move or self.best_decision(round, (sent, late)) is sent:
            return super().decide(round, ask, move)
        self.wait()
        return True


class Hashes(Play):
    """Its own seat plays the game alone then, with a seed for the order that it wants, and has the gifts."""

    name = "hash-unheard"
    tells = ("hash not heard",)
    rules = "lounge"
    sitting = ("s1", "h1")
    tries = 8

    def in_hash(self) -> None:
        shoe = self.state.shoe
        if shoe is None or self.shoes % 3:
            super().in_hash()
            return
        best = max(range(self.tries), key=self.gift)
        self.seeds["s1", shoe.id] = self.choice(best)
        self.hash("s1")
        while self.state.shoe is not None and not self.state.shoe.hashes:
            self.wait()

    def gift(self, choice: int) -> int:
        """What its own seat draws alone with this seed."""
        play = self.fork()
        play.seeds["s1", play.state.shoe_id] = self.choice(choice)
        play.seed_of = lambda player, shoe: play.seeds[player, shoe]  # type: ignore[method-assign]
        play.hash("s1")
        play.wait()
        play.ahead(self.rounds + 1, self.shoes)
        return sum(hand["net"] for hand in play.last["hands"])

    def choice(self, choice: int) -> bytes:
        return hashlib.sha256(f"seed {self.shoes} {choice}".encode()).digest()[:16]


TRICKS = (SoleSeed, LastSeed, FirstSeed, LateBets, Decisions, Hashes)
