"""The six games as two hands from a full shoe, both drawn by `mimic`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tests.exact import chinese, pontoon
from tests.exact.blackjack import H17, H17_OR_FIVE, S17, casino_net, lounge_net
from tests.exact.draws import Composition, Joint, Label, Net, Side, joint, shoe

NATURALS = ("natural", "ban-nag", "ban-ban")
"""Results of the first two cards."""


class Game(NamedTuple):
    """`waits`: the player's results that are not settled before the dealer has drawn. `opening`: what two cards are
    where a natural of either side settles both hands by them; None where the other hand is compared as it was drawn."""

    packs: int
    player: Side
    dealer: Side
    net: Net
    waits: tuple[str, ...] = ("total",)
    opening: Side | None = None

    def chances(self, cards: Composition) -> Joint:
        """The chance of every pair of results of two hands from these cards."""
        drawn = joint(self.player, self.dealer, cards)
        if self.opening is None:
            return drawn
        opened = joint(self.opening, self.opening, cards)
        return {
            **{pair: chance for pair, chance in drawn.items() if not a_natural(pair)},
            **{pair: chance for pair, chance in opened.items() if a_natural(pair)},
        }

    def results(self, mine: Composition, theirs: Composition) -> tuple[Label, Label]:
        """What two hands came to."""
        if self.opening is not None:
            opened = self.opening.label(mine), self.opening.label(theirs)
            if a_natural(opened):
                return opened
        return self.player.label(mine), self.dealer.label(theirs)

    def dealer_draws(self, mine: Label, theirs: Label) -> bool:
        return mine[0] in self.waits and theirs[0] not in NATURALS


def a_natural(pair: tuple[Label, Label]) -> bool:
    return any(result[0] in NATURALS for result in pair)


GAMES = {
    "casino": Game(6, S17, S17, casino_net),
    "boxes": Game(8, S17, S17, casino_net),
    "banker": Game(6, H17, H17, casino_net),
    "lounge": Game(6, H17_OR_FIVE, H17_OR_FIVE, lounge_net),
    "chinese": Game(1, chinese.CHINESE, chinese.CHINESE, chinese.net, waits=("total", "bust"), opening=chinese.OPENING),
    "pontoon": Game(1, pontoon.PLAYER, pontoon.DEALER, pontoon.net),
}


@cache
def chances_of(name: str) -> Joint:
    game = GAMES[name]
    return game.chances(shoe(game.packs))
