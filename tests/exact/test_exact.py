"""The engine against exact chances: its rules case by case, and 20,000 rounds within four standard errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import cast

import pytest

from fairshoe.cards import PACK, french
from fairshoe.engine.cards import Stack
from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.round import Round, run
from fairshoe.engine.rules import rules_of
from fairshoe.engine.steps import draw_to_17
from fairshoe.engine.strategies import mimic
from fairshoe.engine.table import POOL, Bet
from tests.exact.blackjack import (
    Composition,
    Label,
    Net,
    Stops,
    casino_net,
    dealer_finals,
    finals,
    h17,
    h17_or_five,
    insurance_chance,
    joint,
    label,
    lounge_net,
    moments,
    natural_chance,
    pair_of_rank_chance,
    pair_of_value_chance,
    s17,
    total_of,
)
from tests.hands import hand_of, seated

ROUNDS = 20_000
DRAWN = 40
"""More cards than a round with one hand takes."""
GAMES: dict[str, tuple[Stops, int, Net]] = {
    "casino": (s17, 6, casino_net),
    "boxes": (s17, 8, casino_net),
    "banker": (h17, 6, casino_net),
    "lounge": (h17_or_five, 6, lounge_net),
}
"""How the bank of a game draws, and so `mimic` (ST-01); its packs; what a hand nets."""


@cache
def rounds(name: str) -> list[Round]:
    """Rounds of one hand played by `mimic`, each from a full shoe in a new random order."""
    rng = Random(f"fairshoe {name}")
    rules = rules_of(name)
    deck = french(rules.packs)
    table = seated(name).after({POOL: 10**9})
    bets = [Bet(1, rules.minimum, 1)]
    return [run(table, Stack(rng.sample(deck, DRAWN)), bets, mimic) for _ in range(ROUNDS)]


def near(observed: int, chance: Fraction, trials: int) -> bool:
    """A count within four standard errors of its expectation."""
    return abs(float(observed - trials * chance)) <= 4 * sqrt(trials * chance * (1 - chance))


# Chances of the first cards.


@pytest.mark.parametrize(("packs", "percent"), [(1, "4.8265"), (6, "4.7489"), (8, "4.7451")])
def test_the_chance_of_a_natural(packs: int, percent: str) -> None:
    chance = natural_chance(packs)
    assert f"{float(100 * chance):.4f}" == percent
    assert dealer_finals(s17, packs)["natural", 21] == chance
    assert pairs(packs, lambda hand: hand.natural) == chance


@pytest.mark.parametrize("packs", [1, 6, 8])
def test_the_chance_that_insurance_wins(packs: int) -> None:
    aces = Fraction(4 * packs, 52 * packs)
    assert pairs(packs, lambda hand: hand.natural and hand.cards[0][0] == "A") == aces * insurance_chance(packs)


@pytest.mark.parametrize("packs", [1, 6, 8])
def test_the_chance_of_a_pair(packs: int) -> None:
    assert pairs(packs, lambda hand: hand.pair_of_rank) == pair_of_rank_chance(packs)
    assert pairs(packs, lambda hand: hand.pair_of_value) == pair_of_value_chance(packs)


def pairs(packs: int, holds: Callable[[Hand], bool]) -> Fraction:
    """The chance that the engine says so of two cards, by going through all of them."""
    ways = sum(
        packs * (packs - (first == second)) for first in PACK for second in PACK if holds(hand_of(f"{first} {second}"))
    )
    return Fraction(ways, 52 * packs * (52 * packs - 1))


# The dealer's rule, over every hand that can occur.


class DrawsMore(Exception):
    pass


class Unwilling:
    """A round that refuses to deal."""

    def deal(self, hand: Hand) -> None:
        raise DrawsMore


@pytest.mark.parametrize(("stops", "hit_soft_17", "most"), [(s17, False, 99), (h17, True, 99), (h17_or_five, True, 5)])
def test_the_dealer_stops_where_the_rule_says_so(stops: Stops, hit_soft_17: bool, most: int) -> None:
    for composition in met(stops):
        cards = sum(composition)
        total, soft = total_of(composition)
        try:
            draw_to_17(cast(Round, Unwilling()), hand_with(composition), hit_soft_17=hit_soft_17, cards=most)
        except DrawsMore:
            assert composition not in finals(stops), composition
        else:
            assert total > 21 or stops(total, soft, cards), composition


def met(stops: Stops) -> Iterator[Composition]:
    """Every hand of two cards or more on the way to a final one, and the final ones."""
    seen = set(finals(stops))
    todo = list(seen)
    while todo:
        hand = todo.pop()
        yield hand
        for value in range(10):
            if hand[value] and sum(hand) > 2:
                shorter = (*hand[:value], hand[value] - 1, *hand[value + 1 :])
                total, soft = total_of(shorter)
                if shorter not in seen and total <= 21 and not stops(total, soft, sum(shorter)):
                    seen.add(shorter)
                    todo.append(shorter)


def hand_with(composition: Composition) -> Hand:
    return hand_of(" ".join("A23456789T"[value] for value, count in enumerate(composition) for _ in range(count)))


@pytest.mark.parametrize("stops", [s17, h17, h17_or_five])
def test_the_dealers_distribution_is_one(stops: Stops) -> None:
    for packs in (1, 6, 8):
        chances = dealer_finals(stops, packs)
        assert sum(chances.values()) == 1
        assert stops is h17_or_five or set(chances) == {
            ("natural", 21),
            ("bust", 22),
            *(("total", n) for n in range(17, 22)),
        }


@pytest.mark.parametrize("name", ["casino", "banker"])
def test_the_dealers_totals_in_play(name: str) -> None:
    """Where the player stands on a total, the dealer's final hand is drawn from what is left."""
    stops, packs, _ = GAMES[name]
    chances = chances_of(name)
    played = [round for round in rounds(name) if not round.hands[0].bust and not round.hands[0].natural]
    standing = {mine for mine, _ in chances if mine[0] == "total"}
    observed = Counter(result_of(round.dealer) for round in played if not round.dealer.natural)
    for result in {theirs for _, theirs in chances} - {("natural", 21)}:
        chance = sum((chances[mine, result] for mine in standing), Fraction())
        assert near(observed[result], chance, ROUNDS), result
    assert near(sum(round.dealer.natural for round in rounds(name)), dealer_finals(stops, packs)["natural", 21], ROUNDS)


def result_of(hand: Hand) -> Label:
    counts = Counter(VALUE[card] for card in hand.cards)
    return label(tuple(counts[value] for value in range(1, 11)))


# The return of `mimic`, exactly.


@cache
def chances_of(name: str) -> dict[tuple[Label, Label], Fraction]:
    stops, packs, _ = GAMES[name]
    return joint(stops, stops, packs)


@pytest.mark.parametrize(
    ("name", "mean"),
    [("casino", "-0.056756"), ("boxes", "-0.056754"), ("banker", "-0.058944"), ("lounge", "0.411987")],
)
def test_the_exact_return_of_mimic(name: str, mean: str) -> None:
    chances = chances_of(name)
    assert sum(chances.values()) == 1
    assert f"{float(moments(chances, GAMES[name][2])[0]):.6f}" == mean


@pytest.mark.parametrize("name", ["casino", "boxes", "banker"])
def test_mimic_loses_by_both_busts_and_gains_by_naturals_alone(name: str) -> None:
    """Both sides draw alike, so all else cancels: an independent sum for the same expectation."""
    chances = chances_of(name)
    assert all(chances[pair] == chances[pair[::-1]] for pair in chances)
    natural, bust = ("natural", 21), ("bust", 22)
    naturals = natural_chance(GAMES[name][1]) - chances[natural, natural]
    assert moments(chances, casino_net)[0] == naturals / 2 - chances[bust, bust]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_return_of_mimic_in_play(name: str) -> None:
    _, _, net = GAMES[name]
    mean, variance = moments(chances_of(name), net)
    unit = rounds(name)[0].bets[0].amount
    average = sum(round.hands[0].net for round in rounds(name)) / unit / ROUNDS
    assert abs(average - mean) <= 4 * sqrt(variance / ROUNDS)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_pair_of_results_is_paid_as_the_exact_sum_pays_it(name: str) -> None:
    _, _, net = GAMES[name]
    chances = chances_of(name)
    for round in rounds(name):
        mine, theirs = result_of(round.hands[0]), result_of(round.dealer)
        assert Fraction(round.hands[0].net, round.bets[0].amount) == net(mine, theirs)
        assert (mine, theirs) in chances or not finished(round)


def finished(round: Round) -> bool:
    """Whether both hands were drawn to their ends."""
    return not (round.hands[0].natural or round.dealer.natural or round.hands[0].bust)


# The first cards in play.


@pytest.mark.parametrize("name", sorted(GAMES))
def test_naturals_pairs_and_insurance_in_play(name: str) -> None:
    packs = GAMES[name][1]
    played = rounds(name)
    firsts = [hand_of(" ".join(round.hands[0].cards[:2])) for round in played]
    assert near(sum(hand.natural for hand in firsts), natural_chance(packs), ROUNDS)
    assert near(sum(hand.pair_of_rank for hand in firsts), pair_of_rank_chance(packs), ROUNDS)
    assert near(sum(hand.pair_of_value for hand in firsts), pair_of_value_chance(packs), ROUNDS)
    aces = [round for round in played if round.dealer.cards[0][0] == "A"]
    won = sum(VALUE[round.dealer.cards[1]] == 10 for round in aces)
    assert near(won, insurance_chance(packs), len(aces))
