"""Shoes that are sealed and then lie there: never dealt on, or never revealed. Everybody plays on at a new table."""

from __future__ import annotations

import hashlib

from fairshoe.engine.table import Bet

from .ends import Withheld
from .play import Play

TRIES = 4


class LyingSealed(Play):
    """Nobody leaves, closes or says anything: the next bets are taken at another table."""

    name = "lying-sealed"
    about = "lets a sealed shoe lie before a bad round; everybody moves to a new table, and nobody leaves the old one"
    tells = ("shoe sealed and not ended", "cards left in shoes sealed and not ended")

    def in_bet(self) -> None:
        if self.peek() < 0:
            self.open_table()
        else:
            super().in_bet()


class LyingOpening(Play):
    """Its seat sits longest, and knows the order when everybody else has opened. No bet stands yet."""

    name = "lying-opening"
    about = "lets a shoe lie that its seat, which opens last, dislikes as a whole; everybody moves to a new table"
    tells = ("shoe opened and not sealed",)
    sitting = ("s1", "h1")

    def seed(self, player: str) -> bool:
        if player != "s1" or self.peek(rounds=self.goal) >= 0:
            return super().seed(player)
        self.open_table()
        return True


class LyingBets(Withheld):
    """The log ends before anything in it is a day late."""

    name = "lying-bets"
    about = "seals a round and never deals it where the players would win, as `withheld` does; the log ends soon after"
    tells = ("bets not dealt", "shoe sealed and not ended")

    def finish(self) -> None:
        pass


class Unrevealed(Play):
    """What was dealt can be held against the commitment by its key alone."""

    name = "unrevealed"
    about = (
        "deals each round from the best of four other keys; after ten rounds everybody moves, and no key is revealed"
    )
    tells = ("shoe sealed and not ended", "cards left in shoes sealed and not ended")
    most = 10

    def in_bet(self) -> None:
        shoe = self.state.shoe
        if shoe is not None and shoe.rounds == self.most:
            self.open_table()
            return
        if not self.state.bets:
            self.key = max(self.other_keys(), key=self.with_key)
        super().in_bet()

    def other_keys(self) -> list[bytes]:
        return [hashlib.sha256(f"key {self.shoes} {self.rounds} {choice}".encode()).digest() for choice in range(TRIES)]

    def with_key(self, key: bytes) -> int:
        self.key, self.seen = key, None
        return self.foreseen([Bet(seat, self.unit, seat) for seat in self.seats()])


TRICKS = (LyingSealed, LyingOpening, LyingBets, Unrevealed)
