"""Every game over HTTP beside the machine as its model (any_order.py); `python -m tests.long.any_order` for a night."""

from __future__ import annotations

import pytest
from hypothesis import Phase

from fairshoe.engine.rules import RULES

from .any_order import run

HOW = {"derandomize": True, "database": None, "phases": [Phase.generate]}


@pytest.mark.parametrize("rules", sorted(RULES))
def test_a_house_does_what_the_machine_does(rules):
    seen = run(rules, 5, 30, **HOW)
    assert {"table", "start", "shoe", "round"} <= set(seen.kinds)
    assert {200, 201, 409} <= set(seen.statuses)


def test_so_does_one_on_postgresql(postgresql):
    seen = run("casino", 4, 30, postgresql.database, **HOW)
    assert {"table", "start", "shoe", "round"} <= set(seen.kinds)
