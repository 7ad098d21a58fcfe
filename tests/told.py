"""Shoes without a table whose cards the log tells: a card game with hidden hands, dice, and a game without players."""

from __future__ import annotations

from hashlib import sha256

from fairshoe.cards import named_deck
from fairshoe.protocol.shoe import Sealed
from fairshoe.record import entries

from .everything import Raffle
from .house import POLICY, House, Seating

DECK = "french:1"
RULES = sha256(b"the rules of this game").hexdigest()


class ToldGame(Raffle):
    """A shoe from its commitment to its seal; then cards are drawn, hidden and shown."""

    order: list[str]
    live: Sealed
    pos = 0

    def __init__(
        self,
        house: House,
        name: str,
        roster: list[str],
        draws: dict[str, int] | None = None,
        cut: int | None = None,
    ) -> None:
        super().__init__(house, name, named_deck(DECK), roster, draws or {}, named=DECK, told=True, rules_hash=RULES)
        if roster:
            chosen = None if cut is None else {"at": cut, "by": roster[0]}
            self.hash(set(), chosen)
            self.open(set())
        self.live = self.sealed(cut=cut or 0)
        self.order = self.live.order()
        house.log(entries.seal_entry(house.at(), name, cards_root=self.live.cards_root))

    def draw(self, size: int, *names: str) -> None:
        """Draw cards in public, and tell the numbers of these names."""
        cards = self.order[self.pos : self.pos + size]
        numbers = {name: self.live.number(name) for name in names}
        self.house.log(entries.drawn_entry(self.house.at(), self.name, self.pos, cards=cards, draws=numbers))
        self.pos += size

    def hide(self, size: int, to: str = "") -> None:
        self.house.log(entries.drawn_entry(self.house.at(), self.name, self.pos, hidden=size, to=to))
        self.pos += size

    def show(self, *positions: int) -> None:
        cards = {pos: self.order[pos] for pos in positions}
        self.house.log(entries.shown_entry(self.house.at(), self.name, cards))

    def end(self, why: str = "worn") -> None:
        numbers = {name: self.live.number(name) for name in self.live.draws}
        reveal = entries.reveal_entry(self.house.at(), self.name, self.key.hex(), numbers, self.pos, why)
        self.house.log(reveal)


def card_game(house: House) -> ToldGame:
    """Two hands of five, one card of nobody, three in public; ann shows all of hers, bob two; a die."""
    game = ToldGame(house, "game", ["ann", "bob"], {"cut": 52, "die/0": 6, "die/1": 6}, cut=7)
    game.hide(5, "ann")
    game.hide(5, "bob")
    game.hide(1)
    game.draw(3, "die/0")
    game.draw(0, "die/1")
    game.show(0, 1, 2, 3, 4)
    game.show(6, 8)
    game.draw(2)
    game.show(10)
    game.end()
    return game


def house_only(house: House) -> None:
    """Nobody contributes, and the shoe gets too old."""
    game = ToldGame(house, "dice", [], {"die": 6})
    game.draw(0, "die")
    house.wait(POLICY["shoe"], house.now)
    game.end("age")


def told_shoes(seed: int = 1) -> House:
    """A log with such shoes beside a table."""
    house = House(seed)
    table = Seating(house, "boxes", "boxes", (1, 2))
    card_game(house)
    table.play(1)
    house_only(house)
    table.play(1)
    return house
