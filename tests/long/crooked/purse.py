"""A seat of the house that is dealt in or not by what lies before it: who cannot stand the minimum is not asked."""

from __future__ import annotations

from fairshoe.ceremony.acting import commands as say

from .play import Play


class PurseToggled(Play):
    """It acts first. A pass would be a word of its own, and an empty chair would be left for the whole shoe."""

    name = "purse-toggled"
    about = "empties the purse of a seat of its own, which stays, where it is better without it, and fills it again"
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


TRICKS = (PurseToggled,)
