"""Shoes whose order the house knows before their seal: it has them void, by a reason that came too late, or by none."""

from __future__ import annotations

from typing import ClassVar

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting import shoes
from fairshoe.log.times import DAY

from .play import Play


class LateVoid(Play):
    """A sole player's seed has come after the bet."""

    rules = "banker"
    why: ClassVar[str]
    days: ClassVar[int] = 0

    def seed(self, player: str) -> bool:
        if self.peek() >= 0:
            return super().seed(player)
        self.now += self.days * DAY
        by = player if self.why == "reshuffle" else None
        self.forge(lambda work: shoes.void(work, self.why, by))
        return True


class LateReshuffle(LateVoid):
    name = "late-reshuffle"
    about = "says that the player asked for a reshuffle, after hearing seed and cut, the bet standing"
    why = "reshuffle"


class LateAge(LateVoid):
    name = "late-age"
    about = "hears the seed, and lets the shoe be void for its age"
    why, days = "age", 2


class LateIdle(LateVoid):
    name = "late-idle"
    about = "hears the seed, and lets the shoe be void as `idle`"
    why = "idle"


class AfterHashes(Play):
    """The house's seat, which sat longest, knows the order when the others have opened."""

    name = "reshuffle-in-the-opening"
    about = "its seat, which opens last, asks for a reshuffle instead"
    rules = "boxes"
    sitting = ("s1", "h1", "h2")

    def seed(self, player: str) -> bool:
        if player != "s1" or self.peek() >= 0:
            return super().seed(player)
        self.forge(lambda work: shoes.void(work, "reshuffle", player))
        return True


class CloseLate(Play):
    name = "close-in-the-opening"
    about = "closes the table in the opening, and lets the shoe be void for it"
    rules = "boxes"
    sitting = ("s1", "h1", "h2")

    def seed(self, player: str) -> bool:
        if player != "s1" or self.peek() >= 0:
            return super().seed(player)
        self.do(say.Close())
        self.forge(lambda work: shoes.void(work, "close"))
        for player in list(self.state.table.players.values()):
            self.leave(player)
        self.open_table()
        return True


TRICKS = (LateReshuffle, LateAge, LateIdle, AfterHashes, CloseLate)
