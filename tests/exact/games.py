"""The six games as two hands from a full shoe, both drawn by `mimic`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tests.exact import chinese, pontoon
from tests.exact.blackjack import H17, H17_OR_FIVE, S17, casino_net, lounge_net
from tests.exact.draws import Joint, Label, Net, Side, joint, shoe

NATURALS = ("natural", "ban-nag", "ban-ban")
"""Results of the first two cards."""


class Game(NamedTuple):
    """`peeks`: a dealer's natural ends the round before the player draws. `waits`: the player's results that
    are not settled before the dealer has drawn."""

    packs: int
    player: Side
    dealer: Side
    net: Net
    peeks: bool = True
    waits: tuple[str, ...] = ("total",)

    def player_draws(self, theirs: Label) -> bool:
        return not (self.peeks and theirs[0] in NATURALS)

    def dealer_draws(self, mine: Label, theirs: Label) -> bool:
        return mine[0] in self.waits and theirs[0] not in NATURALS


GAMES = {
    "casino": Game(6, S17, S17, casino_net),
    "boxes": Game(8, S17, S17, casino_net, peeks=False),
    "banker": Game(6, H17, H17, casino_net),
    "lounge": Game(6, H17_OR_FIVE, H17_OR_FIVE, lounge_net, peeks=False),
    "chinese": Game(1, chinese.CHINESE, chinese.CHINESE, chinese.net, waits=("total", "bust")),
    "pontoon": Game(1, pontoon.PLAYER, pontoon.DEALER, pontoon.net),
}


@cache
def chances_of(name: str) -> Joint:
    game = GAMES[name]
    return joint(game.player, game.dealer, shoe(game.packs))
