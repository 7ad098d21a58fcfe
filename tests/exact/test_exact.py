"""The engine against exact chances: its rules case by case, and 5,000 rounds within four standard errors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import sqrt
from typing import cast

import pytest

from fairshoe.cards import PACK
from fairshoe.engine.hand import VALUE, Hand
from fairshoe.engine.round import Round
from fairshoe.engine.steps import draw_to_17
from tests.exact.blackjack import (
    H17,
    H17_OR_FIVE,
    S17,
    casino_net,
    h17,
    h17_or_five,
    insurance_chance,
    natural_chance,
    pair_of_rank_chance,
    pair_of_value_chance,
    s17,
)
from tests.exact.draws import BUST, Composition, Ends, Joint, Label, Side, distribution, finals, moments, shoe
from tests.exact.games import GAMES, NATURALS, chances_of
from tests.exact.play import ROUNDS, Played, near, rounds
from tests.hands import hand_of

# Chances of the first cards.


@pytest.mark.parametrize(("packs", "percent"), [(1, "4.8265"), (6, "4.7489"), (8, "4.7451")])
def test_the_chance_of_a_natural(packs: int, percent: str) -> None:
    chance = natural_chance(packs)
    assert f"{float(100 * chance):.4f}" == percent
    assert distribution(S17, shoe(packs))["natural", 21] == chance
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


@pytest.mark.parametrize(("ends", "hit_soft_17", "most"), [(s17, False, 99), (h17, True, 99), (h17_or_five, True, 5)])
def test_the_dealer_stops_where_the_rule_says_so(ends: Ends, hit_soft_17: bool, most: int) -> None:
    for cards in met(ends):
        try:
            draw_to_17(cast(Round, Unwilling()), hand_with(cards), hit_soft_17=hit_soft_17, cards=most)
        except DrawsMore:
            assert cards not in finals(ends), cards
        else:
            assert ends(cards), cards


def met(ends: Ends) -> Iterator[Composition]:
    """Every hand of two cards or more on the way to a final one, and the final ones."""
    seen = set(finals(ends))
    todo = list(seen)
    while todo:
        hand = todo.pop()
        yield hand
        for value in range(10):
            if hand[value] and sum(hand) > 2:
                shorter = (*hand[:value], hand[value] - 1, *hand[value + 1 :])
                if shorter not in seen and not ends(shorter):
                    seen.add(shorter)
                    todo.append(shorter)


def hand_with(composition: Composition) -> Hand:
    return hand_of(" ".join("A23456789T"[value] for value, count in enumerate(composition) for _ in range(count)))


@pytest.mark.parametrize("side", [S17, H17, H17_OR_FIVE])
def test_the_dealers_distribution_is_one(side: Side) -> None:
    for packs in (1, 6, 8):
        chances = distribution(side, shoe(packs))
        assert sum(chances.values()) == 1
        assert side is H17_OR_FIVE or set(chances) == {("natural", 21), BUST, *(("total", n) for n in range(17, 22))}


# The return of `mimic`, exactly.


@pytest.mark.parametrize(
    ("name", "mean"),
    [("casino", "-0.056756"), ("boxes", "-0.056754"), ("banker", "-0.058944"), ("lounge", "0.411987")],
)
def test_the_exact_return_of_mimic(name: str, mean: str) -> None:
    chances = chances_of(name)
    assert sum(chances.values()) == 1
    assert f"{float(moments(chances, GAMES[name].net)[0]):.6f}" == mean


@pytest.mark.parametrize("name", ["casino", "boxes", "banker"])
def test_mimic_loses_by_both_busts_and_gains_by_naturals_alone(name: str) -> None:
    """Both sides draw alike, so all else cancels: an independent sum for the same expectation."""
    chances = chances_of(name)
    assert all(chances[pair] == chances[pair[::-1]] for pair in chances)
    natural = ("natural", 21)
    naturals = natural_chance(GAMES[name].packs) - chances[natural, natural]
    assert moments(chances, casino_net)[0] == naturals / 2 - chances[BUST, BUST]


# Rounds in play.


@pytest.mark.parametrize("name", GAMES)
def test_the_return_of_mimic_in_play(name: str) -> None:
    mean, variance = moments(chances_of(name), GAMES[name].net)
    average = sum((round.net for round in rounds(name)), Fraction()) / ROUNDS
    assert abs(average - mean) <= 4 * sqrt(variance / ROUNDS)


@pytest.mark.parametrize("name", GAMES)
def test_every_pair_of_results_is_paid_as_the_exact_sum_pays_it(name: str) -> None:
    game, chances = GAMES[name], chances_of(name)
    for round in rounds(name):
        pair = round.mine, round.theirs
        assert round.net == game.net(*pair), pair
        assert pair in chances or not game.dealer_draws(*pair)


@pytest.mark.parametrize("name", GAMES)
def test_the_players_results_in_play(name: str) -> None:
    """Wherever the player draws; where a dealer's natural keeps him from it, the round is left out."""
    game = GAMES[name]
    check(chances_of(name), rounds(name), lambda mine, theirs: mine if game.player_draws(theirs) else None)


@pytest.mark.parametrize("name", GAMES)
def test_the_dealers_results_in_play(name: str) -> None:
    """Naturals; and the rest where the player's result waits for the dealer, who draws from what is left."""
    game = GAMES[name]
    check(
        chances_of(name),
        rounds(name),
        lambda mine, theirs: theirs if theirs[0] in NATURALS or game.dealer_draws(mine, theirs) else None,
    )


def check(chances: Joint, played: list[Played], kind: Callable[[Label, Label], Label | None]) -> None:
    """Every kind of pair, None left out, is as frequent as it should be."""
    expected: dict[Label | None, Fraction] = defaultdict(Fraction)
    for pair, chance in chances.items():
        expected[kind(*pair)] += chance
    observed = Counter(kind(round.mine, round.theirs) for round in played)
    assert set(observed) <= set(expected)
    for result, chance in expected.items():
        assert near(observed[result], chance), result


@pytest.mark.parametrize("name", GAMES)
def test_naturals_pairs_and_insurance_in_play(name: str) -> None:
    packs = GAMES[name].packs
    firsts = [hand_of(" ".join(round.cards)) for round in rounds(name)]
    assert near(sum(hand.natural for hand in firsts), natural_chance(packs))
    assert near(sum(hand.pair_of_rank for hand in firsts), pair_of_rank_chance(packs))
    assert near(sum(hand.pair_of_value for hand in firsts), pair_of_value_chance(packs))
    aces = [round for round in rounds(name) if round.dealer[0][0] == "A"]
    won = sum(VALUE[round.dealer[1]] == 10 for round in aces)
    assert near(won, insurance_chance(packs), len(aces))
