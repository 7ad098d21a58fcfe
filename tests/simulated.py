"""Logs of an honest house, written by `fairshoe simulate`, the same every time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairshoe.engine.rules import RULES
from fairshoe.simulate.house import plan_house, write_house_log

KEY = bytes(range(32))


def simulated(folder: Path, games: Sequence[str] = tuple(sorted(RULES)), *, rounds: int, **plan: Any) -> Path:
    """A log of so many rounds in `folder`, which is made."""
    write_house_log(folder, plan_house(games, rounds, plan.pop("key", KEY), **plan))
    return folder
