"""5,000 rounds of each game in the engine, every one the first of a full shoe, and what they came to."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import NamedTuple

from fairshoe.cards import named_deck
from fairshoe.engine.cards import Stack
from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.round import Round, run
from fairshoe.engine.rules import rules_of
from fairshoe.engine.strategies import mimic
from fairshoe.engine.table import POOL, Bet, Table
from tests.exact.draws import Composition, Label
from tests.exact.games import GAMES, Game
from tests.hands import seated

ROUNDS = 5_000
DRAWN = 40
"""More cards than a round with one hand takes."""


def table_of(name: str) -> Table:
    """A player in chair 1 who bets, and where the bank is a chair, the dealer in chair 2."""
    if rules_of(name).chairs[0] == 2:
        return seated(name, (1, 2), bank=2)
    return seated(name).after({POOL: 10**9})


class Played(NamedTuple):
    """A round: what the hands came to, one that was not played out as it was by then, and the player's net per unit."""

    mine: Label
    theirs: Label
    net: Fraction


@cache
def rounds(name: str) -> list[Played]:
    """Rounds of one hand played by `mimic`, each from a full shoe in a new random order."""
    rng = Random(f"fairshoe {name}")
    table = table_of(name)
    rules = table.rules
    deck = named_deck(rules.deck)
    burned = int(rules.burns)
    return [play(name, table, Stack(rng.sample(deck, min(DRAWN, len(deck))), position=burned)) for _ in range(ROUNDS)]


def play(name: str, table: Table, cards: Stack) -> Played:
    bet = table.rules.minimum
    round = run(table, cards, [Bet(1, bet, 1)], mimic)
    return Played(*results(GAMES[name], round), Fraction(round.hands[0].net, bet))


def results(game: Game, round: Round) -> tuple[Label, Label]:
    """What the first hand and the dealer's came to."""
    return game.results(composition(round.hands[0]), composition(round.dealer))


def composition(hand: Hand) -> Composition:
    counts = Counter(VALUE[card] for card in hand.cards)
    return tuple(counts[value] for value in range(1, 11))
