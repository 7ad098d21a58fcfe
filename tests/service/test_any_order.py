"""Every game over HTTP beside the machine as its model (any_order.py); `python -m tests.long.any_order` for a night."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fairshoe.engine.rules import RULES

from .any_order import AnyOrder

PLAYED = {"table", "shoe", "round", "start", "take", "reveal"}


@pytest.mark.parametrize("rules", sorted(RULES))
def test_a_house_does_what_the_machine_does(rules):
    class House(AnyOrder):
        pass

    House.game, House.kinds, House.statuses = rules, Counter(), Counter()
    run_state_machine_as_test(
        House,
        settings=settings(
            max_examples=5,
            stateful_step_count=30,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    print(rules, House.kinds, House.statuses)
    assert set(House.kinds) >= {"table", "start", "shoe", "round"}
    assert {200, 201, 409} <= set(House.statuses)
