"""Seats of the house that open last, when they know the order, and let bad shoes be void."""

from __future__ import annotations

from typing import ClassVar

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.contributing import openers

from .play import Play


class LastOpener(Play):
    """Its seat opens last as long as nobody else sits longer; after the first shoe that it lets be void, first."""

    name = "last-opener"
    about = "its seat, which opens last, lets bad shoes be void; then it hands the seed in"
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
    about = "three such seats, and players of whom each stays for twenty rounds"
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
    about = "such a seat lets a bad shoe be void; everybody moves to a new table, where another sits first"
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
    about = "such a seat lets a bad shoe be void; the house puts the others out before each shoe, and they come back"
    tells = ("put out by the house", "void: seed", "seed handed in late")

    def in_idle(self) -> None:
        chairs = {chair.player: chair.taken for chair in self.state.book.chairs.values()}
        ours, others = chairs.pop(self.sitting[0]), chairs
        if self.sitting[0] not in self.state.book.debts and ours > min(others.values()):
            for player in others:
                self.do(say.Evict(self.seat(player)))
                self.sit(player)
        super().in_idle()


TRICKS = (LastOpener, InTurn, NewTables, PutOut)
