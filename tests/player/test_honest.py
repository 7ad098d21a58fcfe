"""The browser's core at an honest house: whole sessions of each game, every hand checked, nothing found wrong."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from fairshoe.engine.rules import RULES

from ..service.place import Place
from ..verifier.node import node

HERE = Path(__file__).parent
LIMIT = 300  # seconds


def played(script: str, *words: str) -> list[dict]:
    """What a script says, a line of JSON each."""
    done = subprocess.run([node(), str(HERE / script), *words], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_game_is_played_to_its_end_and_every_hand_holds(tmp_path):
    with Place(tmp_path / "data") as place:
        for rules in RULES:
            place.operator.create_table(rules, table=f"x-{rules}")
        sessions = played("honest.mjs", place.address, *(f"x-{rules}:{rules}" for rules in RULES))
        place.assert_clean()
    assert {each["rules"] for each in sessions} == set(RULES)
    for each in sessions:
        assert each["alarms"] == []
        assert [(hand["id"], hand["mark"]) for hand in each["hands"]] == [
            (f"{each['table']}#{number}", "pass") for number in (3, 2, 1)
        ]
        assert each["receipts"] > len(each["hands"])
