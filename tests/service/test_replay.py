"""What the service logged is what the machine writes from the inputs that explain it (tests/ceremony/replay.py)."""

from __future__ import annotations

import pytest

from fairshoe.engine.rules import RULES
from tests.ceremony.replay import Replay
from tests.kept import played


@pytest.mark.parametrize("rules", sorted(RULES))
def test_a_game_over_http(rules: str) -> None:
    game = played(rules)
    replay = Replay(game.lines, game.keys).run()
    assert not replay.left_out
    assert not replay.but_moment
    assert sum(replay.same.values()) == len(game.lines)
