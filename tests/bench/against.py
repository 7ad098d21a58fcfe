"""This tree and another, or what a compiled wheel holds, on the same logs in turns: the least and the median of each.

`python -m tests.bench audit --against OTHER_TREE`: audits in floors, and simulated rounds a second.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from audit_cli.verify.run import verify

from .audit import FEWEST, FULL, ROUNDS, floor_line, honest_log

HERE = Path(__file__).parents[2]
TURNS = 7
TIMED = """
import sys, time, json, hashlib
from pathlib import Path
def timed(work):
    work()
    start = time.process_time()
    work()
    return time.process_time() - start
"""
AUDIT = """
from audit_cli.verify.run import verify
def floor():
    with open(sys.argv[2], "rb") as stream:
        for line in stream:
            json.loads(line)
            hashlib.sha256(b"\\0" + line).digest()
print(timed(lambda: verify(Path(sys.argv[1]))) / min(timed(floor) for _ in range(3)))
"""
SIMULATE = """
from fairshoe.commands.simulate import cli
from click.testing import CliRunner
words = ["--rules", "casino", "--strategy", "mimic", "--rounds", "100000", "--key", "00" * 32]
def work():
    done = CliRunner().invoke(cli, words)
    if done.exit_code:
        raise SystemExit(done.output)
print(100000 / timed(work))
"""


def against(other: Path) -> None:
    trees = {"this": HERE, "other": other.resolve()}
    print("| | " + " | ".join(f"{name}: least, median" for name in trees) + " | other ÷ this |\n|---|---|---|---|")
    for game, seats, rounds in rows():
        with honest_log(game, range(1, seats + 1), rounds) as log:
            lines = log / "floor"
            lines.write_bytes(floor_line() * verify(log).rounds)
            row(f"{game}, {seats}, floors", trees, AUDIT, log, lines, best=min)
    row("simulate casino, rounds a second", trees, SIMULATE, best=max)


def rows() -> list[tuple[str, int, int]]:
    """Game, seats, rounds of each line."""
    few = [(game, len(seats), ROUNDS) for game, seats in FEWEST.items()]
    return few + [(game, seats, ROUNDS // seats) for game, seats in FULL.items()]


def row(what: str, trees: dict[str, Path], script: str, *given: Path, best: Callable[[list[float]], float]) -> None:
    found: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(TURNS):
        for name, tree in trees.items():
            words = [sys.executable, "-P", "-c", TIMED + script, *map(str, given)]
            done = subprocess.run(words, env=os.environ | {"PYTHONPATH": str(tree)}, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(done.stderr)
            found[name].append(float(done.stdout))
    medians = {name: statistics.median(times) for name, times in found.items()}
    told = " | ".join(f"{best(times):,.4g}, {medians[name]:,.4g}" for name, times in found.items())
    print(f"| {what} | {told} | {medians['other'] / medians['this']:.2f} |", flush=True)
