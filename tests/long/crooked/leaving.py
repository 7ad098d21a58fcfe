"""Seats of the house that leave a sealed shoe: how many are dealt in decides which cards everybody else gets."""

from __future__ import annotations

from fairshoe.ceremony.acting.shoes import order
from fairshoe.engine.table import Bet

from .play import Play


class SeatsLeave(Play):
    """They act before the player. Who has left comes back when the shoe has ended."""

    name = "seats-leave"
    about = (
        "three seats of its own leave a sealed shoe, each when that is best for its rest, and come back after its end"
    )
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
            sealed = order(self.state, shoe, self.key)
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
        if not self.state.rules.worn(position, round.present, self.draws):
            won += self.best(position, stay)[0]
        return won, stay


TRICKS = (SeatsLeave,)
