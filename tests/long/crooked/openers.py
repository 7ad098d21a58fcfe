"""Seats of the house that know the order before the seal: they open last, or alone."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.contributing import openers

from .play import Play

TRIES = 4


class LastOpener(Play):
    """Its seat opens last as long as nobody else sits longer; after the first shoe that it lets be void, first."""

    name = "last-opener"
    tells = ("void: seed", "seed handed in late")
    rules = "boxes"
    sitting: ClassVar[tuple[str, ...]] = ("s1", "h1", "h2")

    def seed(self, player: str) -> bool:
        shoe = self.state.shoe
        last = shoe is not None and len(openers(self.state.book, shoe)) == 1 and len(shoe.hashes) > 1
        if self.honest(player) or not last or self.peek() >= 0:
            return super().seed(player)
        self.wait()
        return True


class InTurn(LastOpener):
    """Players come and go; the seats of the house stay, until they have sat longest again."""

    name = "shills-in-turn"
    sitting = ("s1", "s2", "s3", "h1", "h2")
    stay = 20

    def in_idle(self) -> None:
        if self.rounds and self.rounds % (self.stay // 2) == 0 and self.rounds != self.turned:
            self.turned = self.rounds
            player = f"h{1 + self.rounds // (self.stay // 2) % 2}"
            if player not in self.state.book.debts:
                self.leave(player)
                self.sit(player)
        super().in_idle()

    turned = 0


class NewTables(LastOpener):
    """The players follow to a new table, at which a seat of the house sits first again."""

    name = "new-tables"
    tells = ("void: seed", "seed not handed in by the shoe's age")

    def seed(self, player: str) -> bool:
        table = self.state.id
        heard = super().seed(player)
        if self.state.id == table and self.state.book.debts:
            self.open_table()
        return heard

    def finish(self) -> None:
        self.now += 2 * 86_400_000_000
        self.restart()


class PutOut(LastOpener):
    """Before each shoe that its seat would not open last the players are put out, and sit down again."""

    name = "put-out"
    tells = ("put out by the house", "void: seed", "seed handed in late")

    def in_idle(self) -> None:
        chairs = {chair.player: chair.order_time for chair in self.state.book.chairs.values()}
        ours, others = chairs.pop(self.sitting[0]), chairs
        if self.sitting[0] not in self.state.book.debts and ours > min(others.values()):
            for player in others:
                self.do(say.Evict(self.seat(player)))
                self.sit(player)
        super().in_idle()


class Waivers(Play):
    """Who sits down meanwhile bets without a seed; its own seat, which contributed alone, chose the order."""

    name = "waivers"
    tells = ("waiver", "sole contributor")
    sitting = ("s1",)
    fair = ("s1", "h1")

    def in_idle(self) -> None:
        if self.state.book.seat_of("h1") is not None:
            self.leave("h1")
        super().in_idle()

    def in_hash(self) -> None:
        shoe = self.state.shoe
        if shoe is not None:
            self.seeds["s1", shoe.id] = max(self.candidates(), key=self.with_seed)
        super().in_hash()

    def candidates(self) -> list[bytes]:
        """Seeds among which the house chooses."""
        return [hashlib.sha256(f"seed {self.shoes} {choice}".encode()).digest()[:16] for choice in range(TRIES)]

    def with_seed(self, seed: bytes) -> int:
        play = self.fork()
        play.seed_of = lambda player, shoe: seed  # type: ignore[method-assign]
        play.in_hash()
        play.in_seed()
        self.let_in(play)
        return play.ahead(10**9, self.shoes)

    def in_bet(self) -> None:
        if self.state.book.seat_of("h1") is None:
            self.let_in(self)
        super().in_bet()

    def let_in(self, play: Play) -> None:
        play.sit("h1")
        play.do(say.Waive(play.seat("h1")))


TRICKS = (LastOpener, InTurn, NewTables, PutOut, Waivers)
