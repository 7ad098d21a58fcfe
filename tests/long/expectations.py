"""Make the data file of expectations: every rule set, by long simulation, exact where it can be counted.

python -m tests.long.expectations [--rounds 1000000] [--jobs 1] [--only GAME …]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import audit_cli.report.luck
from audit_cli.report.luck.expectations import FILE, MOMENT_NAMES, Expectation, made, sample
from audit_cli.report.luck.reference import game_of, reference_of, rules_digest
from fairshoe.engine.rules import RULES, Rules, rules_of
from tests.exact.draws import moments
from tests.exact.games import GAMES, chances_of

PATH = Path(audit_cli.report.luck.__file__).parent / FILE
FITTED = 100_000
"""With fewer rounds what the cards left add is lost in the noise, and taken to be nothing."""
DIGITS = 7


def entry(name: str, rounds: int) -> dict[str, Any]:
    game, fit = game_of(rules_of(name)), Fit()
    found = made(sample(game, rounds, look=fit.add))
    if fit.count >= FITTED:
        found = found._replace(slopes=fit.slopes())
    if reference_of(game) == "mimic":
        mean, variance = moments(chances_of(name), GAMES[name].net)
        found = found._replace(mean=float(mean), variance=float(variance), error=0.0)
    return form(game, found)


def write(rounds: int, jobs: int, path: Path = PATH, only: Sequence[str] = ()) -> None:
    """Write the entries of all games, or those of some and of the others what stands there."""
    kept = json.loads(path.read_text(encoding="ascii")) if only else []
    entries = {each["rules"]: each for each in kept}
    names = sorted(only or RULES)
    with ProcessPoolExecutor(jobs) as pool:
        for each in pool.map(entry, names, [rounds] * len(names)):
            entries[each["rules"]] = each
            print(f"{each['rules']:<8} {each['strategy']:<10} {each['mean']:+.5f} ± {each['error']:.5f}", flush=True)
    path.write_text(
        "[\n" + ",\n".join(json.dumps(entries[name]) for name in sorted(entries)) + "\n]\n", encoding="ascii"
    )


def form(game: Rules, found: Expectation) -> dict[str, Any]:
    """An entry of the file."""
    return {
        "rules": game.name,
        "options": game.options,
        "digest": rules_digest(game),
        "strategy": reference_of(game),
        "rounds": found.rounds,
        **{name: round(getattr(found, name), DIGITS) for name in MOMENT_NAMES},
        "slopes": [round(slope, DIGITS) for slope in found.slopes],
        "sums": {
            str(seats): {str(net): count for net, count in sorted(each.items())} for seats, each in found.sums.items()
        },
    }


class Fit:
    """A least-squares fit of a net to nine leanings; the tenth follows from the others."""

    def __init__(self) -> None:
        self.count = 0
        self.products = [[0.0] * 11 for _ in range(10)]

    def add(self, leanings: Sequence[float], net: float) -> None:
        self.count += 1
        row = [1.0, *leanings[:9], net]
        for i in range(10):
            first, products = row[i], self.products[i]
            for j in range(i, 11):
                products[j] += first * row[j]

    def slopes(self) -> list[float]:
        """What each leaning adds to the net."""
        rows: list[list[float]] = [
            [self.products[min(i, j)][max(i, j)] for j in range(10)] + [self.products[i][10]] for i in range(10)
        ]
        return [*solved(rows)[1:], 0.0]


def solved(rows: list[list[Any]]) -> list[float]:
    """The solution of linear equations, each with its right side last, by elimination with pivots; 0 where there is
    none."""
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-12:
            return [0.0] * size
        for row in range(size):
            if row != i:
                factor = rows[row][i] / rows[i][i]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.long.expectations", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--only", nargs="+", choices=sorted(RULES), default=(), metavar="GAME")
    args = parser.parse_args()
    write(args.rounds, args.jobs, only=args.only)
