"""A house that says that it did not hear: a seed, a bet, a decision, a hash."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from fairshoe.ceremony.acting import playing
from fairshoe.ceremony.acting.work import Work
from fairshoe.ceremony.contributing import openers
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.moves import Ask
from fairshoe.engine.round import Round
from fairshoe.engine.strategies import mimic
from fairshoe.engine.table import Bet

from .play import Play


class SoleSeed(Play):
    name = "sole-seed-unheard"
    about = "says that a sole player's seed did not come in time"
    tells = ("void: seed",)
    rules = "banker"

    def seed(self, player: str) -> bool:
        if self.peek() >= 0:
            return super().seed(player)
        self.wait()
        return True


class LastSeed(Play):
    name = "last-seed-unheard"
    about = "says that the last opener's seed did not come in time; it is handed in later"
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
    about = "strikes the newest player, who opens first, before bad rounds; the other seats are its own"
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
    about = "does not hear the bet before bad rounds; a seat of its own bets"
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
    about = "says that a decision did not come in time where the default loses and the player's does not"
    tells: ClassVar[tuple[str, ...]] = ("decision by the table",)
    rules = "banker"

    def decide(self, round: Round, ask: Ask, move: str | None = None) -> bool:
        if mimic(round, ask).move == ask.default.name or self.peek() >= self.peek(by_default):
            return super().decide(round, ask, move)
        self.wait()
        return True


def by_default(play: Play) -> None:
    round, ask = play.asked()
    play.decide(round, ask, ask.default.name)


class Hashes(Play):
    """Its own seat plays the game alone then, with a seed for the order that it wants, and has the gifts."""

    name = "hash-unheard"
    about = "does not hear a player's hash for a third of a lounge game's shoes; its own seat draws the gifts meanwhile"
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
        while self.state.shoe is not None and not self.state.shoe.hashed:
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


class ShortLimit(Decisions):
    name = "short-limit"
    about = "gives a second for a decision, and takes the default where that is better"
    policy = Policy(decision=1)
    tells = ()


class TooSoon(Decisions):
    name = "decided-too-soon"
    about = "takes the default after a moment, as if the limit had passed"
    tells = ()

    def wait(self) -> None:
        if self.state.dealt:
            self.forge(self.default)
        else:
            super().wait()

    def default(self, work: Work) -> None:
        found = playing.live(work.state, self.key)
        opened = work.book.open
        if found is not None and opened is not None and found[0].ask is not None:
            playing._decided(work, work.shoe(), opened, *found, found[0].ask.by_default())


TRICKS = (SoleSeed, LastSeed, FirstSeed, LateBets, Decisions, Hashes, ShortLimit, TooSoon)
