"""Shoes that are sealed, and whose next cards the house dislikes: it has them end, by one of the reasons or by none."""

from __future__ import annotations

from fairshoe.ceremony.acting import bets, shoes
from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import restart
from fairshoe.ceremony.acting.state import State
from fairshoe.ceremony.acting.work import Work
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.table import Bet
from fairshoe.log.times import DAY, HOUR, SECOND, microseconds, timestamp
from fairshoe.record.entries import lost_entry, opened_entry, start_entry

from .play import Play


class Discards(Play):
    """Before each round of a shoe it looks at what comes, and `discard`s the shoe if the players would win."""

    def in_bet(self) -> None:
        if self.peek() < 0:
            self.discard()
        else:
            super().in_bet()

    def discard(self) -> None:
        raise NotImplementedError


class RevealLeft(Discards):
    name = "reveal-left"
    about = "reveals a sealed shoe as `left` while the players sit there"

    def discard(self) -> None:
        self.forge(lambda work: shoes.reveal(work, "left"))


class RevealAge(Discards):
    name = "reveal-age"
    about = "reveals a sealed shoe as `age` before its age"

    def discard(self) -> None:
        self.forge(lambda work: shoes.reveal(work, "age"))


class RevealWorn(Discards):
    name = "reveal-worn"
    about = "reveals a sealed shoe as `worn` before the insert card"

    def discard(self) -> None:
        self.forge(lambda work: shoes.reveal(work, "worn"))


class Lost(Discards):
    name = "lost"
    about = "says that a restore lost the sealed shoe"

    def discard(self) -> None:
        self.forge(self.lose)

    def lose(self, work: Work) -> None:
        shoe = work.shoe()
        work.log(lost_entry(work.at, shoe.id, work.key().hex()))
        work.state.clear_shoe()


class ShortAge(Discards):
    name = "short-age"
    about = "a shoe's age of one second, which it lets pass before bad rounds"
    policy = Policy(shoe=1)

    def discard(self) -> None:
        self.let_pass(2)


class PastAge(Play):
    name = "past-age"
    about = "deals one more round past the age of a shoe where it is a good one"

    def in_bet(self) -> None:
        shoe = self.state.shoe
        if shoe is None:
            return
        good = self.peek() >= 0
        self.now = max(self.now, microseconds(shoe.sealed) + (shoe.policy.shoe + 1) * SECOND)
        if good:
            self.forge(self.open)
        self.do(None)

    def open(self, work: Work) -> None:
        for seat in self.seats():
            work.state.bets[seat] = [Bet(seat, self.unit, seat)]
        bets._open(work, work.shoe())


class NoBetHeard(Discards):
    name = "no-bet-heard"
    about = "hears no bet for an hour, so that the sealed shoe ends as `left`"
    tells = ("ended before it was worn: left", "cards left in shoes ended before they were worn")

    def discard(self) -> None:
        while self.state.shoe is not None:
            self.wait()


class Stopped(Discards):
    name = "stopped"
    about = "stops the service until the sealed shoe's age"
    tells = (
        "ended before it was worn: age",
        "cards left in shoes ended before they were worn",
        "start while a shoe was in play",
    )

    def discard(self) -> None:
        self.now += DAY
        self.restart()
        self.do(None)


class Moved(Discards):
    name = "moved"
    about = "closes the table after a seal; everybody moves to a new one"
    tells = ("closed after a seal", "ended before it was worn: left")

    def discard(self) -> None:
        self.do(say.Close())
        for player in list(self.state.table.players.values()):
            self.leave(player)
        while self.state.shoe is not None:
            self.wait()
        self.open_table()


class Withheld(Play):
    name = "withheld"
    about = "seals a round and never deals it where the players would win; they play on at a new table"
    rules = "banker"
    away: int = 31
    """Days for which the log goes on: an entry an hour, since a longer gap counts as an hour."""

    def __init__(self, rounds: int) -> None:
        self.left: list[tuple[State, bytes, int]] = []
        super().__init__(rounds)

    def seed(self, player: str) -> bool:
        if self.peek() >= 0:
            return super().seed(player)
        self.forge(lambda work: self.only_seal(work, player))
        self.left.append((self.state, self.key, self.shoes))
        self.open_table()
        return True

    def only_seal(self, work: Work, player: str) -> None:
        shoe = work.shoe()
        work.log(opened_entry(work.at, shoe.id, player, self.seed_of(player, shoe.id).hex()))
        shoes.seal(work)

    def finish(self) -> None:
        for _ in range(self.away * DAY // HOUR):
            self.now += HOUR
            self.restart()


class YearLate(Withheld):
    name = "year-late"
    about = "the same, and deals and reveals them a year later"
    away = 365

    def finish(self) -> None:
        super().finish()
        entry = start_entry(timestamp(self.now - 1))
        for state, key, number in self.left:
            self.state, self.key, self.shoes = restart(state, entry, self.now), key, number
            while self.state.shoe is not None:
                Play.step(self)


TRICKS = (
    RevealLeft, RevealAge, RevealWorn, Lost, ShortAge, PastAge, NoBetHeard, Stopped, Moved, Withheld, YearLate,
)  # fmt: skip
