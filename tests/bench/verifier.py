"""The second reading of a log, in Node, beside the auditor: each a process of its own, on one core.

`python -m tests.bench.verifier ROUNDS` takes another size.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from fairshoe.simulate.house import plan_house, write_house_log
from tests.verifier.node import node

ROUNDS = 10_000
REPEATS = 3
KEY = bytes(32)
GAMES = ("banker", "boxes", "casino", "chinese", "lounge", "pontoon")
VERIFY = Path(__file__).parents[2] / "fairshoe" / "verifier" / "verify.mjs"


def spent(*command: str) -> float:
    """Processor seconds of a command that must pass."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def of_game(game: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        write_house_log(log, plan_house([game], rounds, KEY))
        key = str(log / "log.vkey")
        auditor = (str(Path(sys.executable).parent / "fairshoe-audit"), "verify", str(log), "--key", key, "--jobs", "1")
        reading = (node(), str(VERIFY), str(log), "--key", key)
        pairs = [(spent(*reading), spent(*auditor)) for _ in range(REPEATS)]
    second, first = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"{game:8} {rounds:,} rounds: Node {second:6.2f} s, the auditor {first:6.2f} s: {ratio:5.2f} times its time")


def run(rounds: int = ROUNDS) -> None:
    for game in GAMES:
        of_game(game, rounds)


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
