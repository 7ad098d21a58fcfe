"""Make the data file of expectations: every rule set and reference strategy, by long simulation, exact where it can be
counted."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import audit_cli.luck
from audit_cli.luck.expectations import FILE, form, made, sample
from audit_cli.luck.reference import game_of, reference_of
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.engine.strategies import STRATEGIES
from tests.exact.draws import moments
from tests.exact.games import GAMES, chances_of

PATH = Path(audit_cli.luck.__file__).parent / FILE
LESS = 5
"""The strategies that no test plays get so many times fewer rounds."""


def cases() -> list[tuple[str, str]]:
    return [
        (name, strategy)
        for name in sorted(RULES)
        for strategy in STRATEGIES
        if strategy != "bicycle" or rules_of(name).upcard is not None
    ]


def entry(name: str, strategy: str, rounds: int) -> dict[str, Any]:
    game = game_of(rules_of(name))
    found = made(sample(game, strategy, rounds if strategy == reference_of(game) else max(rounds // LESS, 2)))
    if strategy == "mimic":
        mean, variance = moments(chances_of(name), GAMES[name].net)
        found = found._replace(mean=float(mean), variance=float(variance), error=0.0)
    return form(game, strategy, found)


def write(rounds: int, jobs: int, path: Path = PATH) -> None:
    with ProcessPoolExecutor(jobs) as pool:
        names, strategies = zip(*cases(), strict=True)
        entries = []
        for each in pool.map(entry, names, strategies, [rounds] * len(names)):
            entries.append(each)
            print(f"{each['rules']:<8} {each['strategy']:<10} {each['mean']:+.5f} ± {each['error']:.5f}", flush=True)
    path.write_text("[\n" + ",\n".join(json.dumps(each) for each in entries) + "\n]\n", encoding="ascii")
