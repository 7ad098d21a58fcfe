"""Tails and evidence against sums that are counted out."""

from __future__ import annotations

import math
from collections import defaultdict

import pytest

from audit_cli.report.luck.tails import (
    HALF_STEP,
    Distribution,
    ResultSum,
    anytime_p,
    bounded_evidence,
    bounded_tail,
    evidence,
    skewed_tail,
    tail,
)

ROUND = {-2.0: 3, -1.0: 45, 0.0: 9, 1.0: 34, 1.5: 5, 2.0: 4}
"""A net in half units, much as a round of blackjack has it."""
SPREAD = Distribution(ROUND)


def summed(rounds: int) -> dict[float, float]:
    """The exact distribution of a sum of such nets about its mean."""
    total = sum(ROUND.values())
    mean = sum(net * count for net, count in ROUND.items()) / total
    chances = {0.0: 1.0}
    for _ in range(rounds):
        longer: dict[float, float] = defaultdict(float)
        for net, chance in chances.items():
            for more, count in ROUND.items():
                longer[net + more] += chance * count / total
        chances = longer
    return {net - rounds * mean: chance for net, chance in chances.items()}


def at_least(chances: dict[float, float], excess: float) -> float:
    return sum(chance for net, chance in chances.items() if net >= excess - 1e-9)


@pytest.mark.parametrize("rounds", [20, 60, 150])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_tail_is_the_exact_one(rounds: int, sign: int) -> None:
    chances = {sign * net: chance for net, chance in summed(rounds).items()}
    for net in chances:
        exact = at_least(chances, net)
        if 1e-7 < exact < 0.2:
            found = tail(ResultSum(net, [(rounds, SPREAD, sign)]))
            assert 0.7 < found / exact < 1.6, (net, exact, found)
            assert exact < 1e-3 or found / exact > 0.85, (net, exact, found)


def test_half_a_step_is_on_the_safe_side() -> None:
    spreads = [(50, SPREAD, 1)]
    assert (
        tail(ResultSum(20 + HALF_STEP / 2, spreads))
        < tail(ResultSum(20, spreads))
        < tail(ResultSum(20 - HALF_STEP / 2, spreads))
    )


def test_the_doubt_about_an_expectation_is_carried_into_the_tail() -> None:
    assert tail(ResultSum(40, [(100, SPREAD, 1)], 10)) > 10 * tail(ResultSum(40, [(100, SPREAD, 1)]))


@pytest.mark.parametrize("excess", [0, 1, 1e6])
def test_nothing_played_is_nothing_shown(excess: float) -> None:
    assert tail(ResultSum(excess, [])) == 1


def test_what_cannot_occur_is_next_to_impossible() -> None:
    assert 0 <= tail(ResultSum(1e4, [(10, SPREAD, 1)])) < 1e-30


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("rounds", [1, 30])
def test_evidence_is_worth_no_more_than_was_bet_on_average(sign: int, rounds: int) -> None:
    worth = sum(
        chance * math.exp(evidence(ResultSum(sign * net, [(rounds, SPREAD, sign)])))
        for net, chance in summed(rounds).items()
    )
    assert worth == pytest.approx(1)


def test_evidence_of_one_round_more_is_fair_given_what_it_was() -> None:
    """A martingale: so it may be looked at whenever somebody likes."""
    before, total = 12.5, sum(ROUND.values())
    after = sum(
        count / total * math.exp(evidence(ResultSum(before + net, [(41, SPREAD, 1)])))
        for net, count in zip((value for value, _ in SPREAD.points), (ROUND[net] for net in sorted(ROUND)), strict=True)
    )
    assert after == pytest.approx(math.exp(evidence(ResultSum(before, [(40, SPREAD, 1)]))))


def test_bounds_hold() -> None:
    rounds, chances = 60, summed(60)
    most, variance = SPREAD.high, rounds * SPREAD.variance
    for net in chances:
        assert bounded_tail(net, variance, most) >= at_least(chances, net)
    worth = sum(chance * math.exp(bounded_evidence(net, variance, most)) for net, chance in chances.items())
    assert worth <= 1


@pytest.mark.parametrize(("evidence", "p"), [(0, 1), (-3, 1), (math.log(1000), 0.001)])
def test_p_at_every_look(evidence: float, p: float) -> None:
    assert anytime_p(evidence) == pytest.approx(p)


def test_evidence_of_two_sides_is_shared() -> None:
    assert anytime_p(math.log(2000), -500) == pytest.approx(0.001)


@pytest.mark.parametrize(("z", "p"), [(0, 0.5), (1.6449, 0.05), (3.0902, 0.001)])
def test_a_tail_that_is_not_skewed(z: float, p: float) -> None:
    assert skewed_tail(z, 0) == pytest.approx(p, rel=1e-3)
