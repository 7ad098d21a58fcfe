"""The reference strategy plays a round from a known place of a known order, one unit a seat (ST-00 … ST-04); and what
the cards that are left say of the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache
from hashlib import sha256, shake_256
from typing import Any, NamedTuple

from fairshoe.cards import named_deck
from fairshoe.engine.cards import Stack
from fairshoe.engine.hand import VALUE
from fairshoe.engine.round import Round
from fairshoe.engine.rules import Rules
from fairshoe.engine.strategies import find_strategy
from fairshoe.engine.table import HOUSE, POOL, Bet, Table
from fairshoe.errors import InputError
from fairshoe.log.canonical import encode
from fairshoe.protocol import kernel
from fairshoe.record.forms import stated_options

UNIT = 2
"""The bet of the reference, in half units: 3:2 pays whole ones."""
CHIPS = 10**9
SAME: dict[str, Any] = {
    "minimum": UNIT,
    "maximum": UNIT,
    "gift": UNIT,
    "insert": 60,
    "fewest": 1,
    "participants": 14,
    "rotation": "fixed",
    "first_dealer": 1,
    "direction": "clockwise",
}
"""Options on which the result of a round per unit does not depend: what they are set to."""

MIN_CARDS_LEFT = 26
"""With fewer cards left than this a round soon ends in another deck, so that what is left says less."""


@cache
def game_of(rules: Rules) -> Rules:
    """Return the same game with every option that changes no round's result per unit at one value."""
    same = {name: value for name, value in SAME.items() if any(each.name == name for each in fields(rules))}
    game: Rules = replace(rules, **same)
    return game


def rules_digest(rules: Rules) -> str:
    """SHA-256 of the canonical bytes of the rule set's name and the options that a `table` entry states, in hex."""
    return sha256(encode({"rules": rules.name, "options": stated_options(rules)})).hexdigest()


def reference_of(rules: Rules) -> str:
    """Return the best of the reference strategies that a game offers."""
    return "mimic" if rules.upcard is None else "bicycle"


def seats_bank(rules: Rules) -> bool:
    """Whether a seat banks, and not the house."""
    return rules.chairs[0] > 1


def shuffle_order(items: Sequence[str], seed: bytes) -> list[str]:
    """A pseudo-random order that follows from `seed`."""
    count = len(items)
    words = count + 8
    while (order := kernel.order(items, shake_256(seed).digest(4 * words), 0, count)) is None:
        words += words
    return order


class KnownOrder(Stack):
    """A known order, from a place on. Cards gathered in the middle of a round get an order that follows from it."""

    def __init__(self, order: Sequence[str], position: int) -> None:
        super().__init__(order, position=position)
        self._begun = position
        self._table: list[str] = []
        self._seed = b""

    def reshuffle(self, *, cut: bool, burn: bool) -> None:
        if not self._seed:
            self._seed = sha256("".join(self.order).encode()).digest()
            self._deck = Counter(self.order)
        self._table += self.order[self._begun : self.position]
        gathered = sorted((self._deck - Counter(self._table)).elements())
        if not gathered:
            raise InputError("nothing to gather", where="cards", expected="fewer seats for such a deck")
        self._seed = sha256(self._seed).digest()
        self.order = shuffle_order(gathered, self._seed)
        self.present = len(gathered)
        self._rest.clear()
        self._rest.extend(self.order)
        self._begun = 1 if burn and self.present > 1 else 0
        if self._begun:
            self.draw()


class PlayedRound(NamedTuple):
    """The result of a round: each seat's net in half units, in acting order; where it ended; `again`: the deck was
    gathered in it, so that nothing more is dealt from this order."""

    nets: list[int]
    end: int
    again: bool


class Reference:
    """A strategy in a game."""

    def __init__(self, rules: Rules, strategy: str | None = None) -> None:
        self.rules = game_of(rules)
        self.strategy = find_strategy(self.rules, strategy or reference_of(rules))
        self._tables: dict[int, tuple[Table, list[Bet]]] = {}

    def play(self, order: Sequence[str], position: int, seats: int) -> PlayedRound:
        """A round of `seats` hands from `position` on."""
        table, bets = self.make_table(seats)
        cards = KnownOrder(order, position)
        round = Round(table, cards, bets, checked=True)
        take, strategy = round.apply_legal, self.strategy
        while (ask := round.ask) is not None:
            take(strategy(round, ask))
        nets = [0] * seats
        for hand in round.hands:
            nets[hand.seat - 1] += hand.net
        return PlayedRound(nets, cards.position, cards.present != cards.size)

    def make_table(self, seats: int) -> tuple[Table, list[Bet]]:
        """A table with so many seats, and their bets."""
        found = self._tables.get(seats)
        if found is not None:
            return found
        rules = self.rules
        bank = seats + 1 if seats_bank(rules) else rules.first_account
        chairs = range(1, seats + 1 + seats_bank(rules))
        memory = {"game": 1, **{str(chair): 1 for chair in chairs}} if bank == POOL else {}
        purse = dict.fromkeys((HOUSE, POOL, *chairs), CHIPS)
        table = Table(rules, {chair: f"player-{chair}" for chair in chairs}, purse, bank, memory)
        made = table, [Bet(seat, UNIT, seat) for seat in range(1, seats + 1)]
        self._tables[seats] = made
        return made


@cache
def reference(rules: Rules) -> Reference:
    """Return the one that plays the shoes of a table with these rules."""
    return Reference(rules)


class RemainingCards:
    """The cards of an order that are not dealt, by value, from its beginning on; `deck` names all of them."""

    def __init__(self, order: Sequence[str], deck: str) -> None:
        self.order = order
        self.position = 0
        self.size = len(order)
        self._deck = _of_deck(deck)
        self.counts = list(self._deck)

    def go(self, position: int) -> None:
        """The cards before `position` are dealt."""
        if position < self.position:
            self.counts, self.position = list(self._deck), 0
        counts = self.counts
        for label in self.order[self.position : position]:
            counts[VALUE[label] - 1] -= 1
        self.position = position

    def leanings(self) -> list[float]:
        """By how much more of each value is left than in a full deck, as parts of all that is left."""
        left = self.size - self.position
        if not self.position or not left:
            return [0.0] * 10
        damped = min(1.0, left / MIN_CARDS_LEFT)
        return [
            damped * (count / left - whole / self.size) for count, whole in zip(self.counts, self._deck, strict=True)
        ]


@cache
def _of_deck(name: str) -> tuple[int, ...]:
    return tuple(counted(list(named_deck(name))))


def counted(cards: Sequence[str]) -> list[int]:
    """Count the cards of each value, aces first, ten-values last."""
    counts = [0] * 10
    for label in cards:
        counts[VALUE[label] - 1] += 1
    return counts
