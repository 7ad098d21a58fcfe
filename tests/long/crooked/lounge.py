"""A buy-in into a game of lounge that is given back when it should not be."""

from __future__ import annotations

import hashlib

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting import seeding, shoes
from fairshoe.ceremony.acting.work import Work
from fairshoe.engine.rules.lounge import BUY_IN, GAME, Lounge

from .bank import moved
from .play import Play


class RefundAfterSeeds(Play):
    """The order is made by everybody still; but the player is dealt nothing, in the whole game."""

    name = "refund-after-seeds"
    about = "gives the player's buy-in back between `seeds` and the first deal, in every other game of lounge"
    rules = "lounge"
    sitting = ("s1", "h1")

    def hash(self, player: str) -> bool:
        rules, table, shoe = self.state.rules, self.state.table, self.state.shoe
        last = shoe is not None and len(self.state.hashes) == len(shoe.roster) - 1
        if not last or not isinstance(rules, Lounge) or not rules.unbegun(table) or table.memory[GAME] % 2:
            return super().hash(player)
        self.forge(lambda work: self.given_back(work, player))
        self.do(None)
        return True

    def given_back(self, work: Work, player: str) -> None:
        digest = hashlib.sha256(self.seed_of(player, work.shoe().id)).hexdigest()
        seeding.give_hash(work, say.GiveHash(self.seat(player), digest, None))
        shoes.log_hashes(work)
        game = work.state.table.memory[GAME]
        moved(work, "refund", self.seat("h1"), BUY_IN, game=game, why="round")


TRICKS = (RefundAfterSeeds,)
