"""Every state that a table gets into within some hundred steps, for one to three chairs of each game.

More of them: python -m tests.long.ceremony
"""

from __future__ import annotations

import pytest

from fairshoe.engine.rules import RULES, rules_of

from .checks import check_node
from .search import search

STATES = 120
TABLES = [
    (name, chairs)
    for name in sorted(RULES)
    for chairs in (1, 2, 3)
    if rules_of(name).chairs[0] <= chairs <= rules_of(name).chairs[1]
]


@pytest.mark.parametrize(("rules", "chairs"), TABLES)
def test_no_state_is_a_dead_end(rules: str, chairs: int) -> None:
    """What is listed is accepted, all else refused without a trace, limits do something, and everybody gets out: in
    every other state."""
    found = list(search(rules, chairs, STATES))
    assert len(found) >= min(STATES, 15)
    for node in found[chairs % 2 :: 2]:
        check_node(node)
