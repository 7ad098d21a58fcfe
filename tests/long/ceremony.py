"""Honest walks through every game, audited, and a search through the states of a table: is there a dead end?

python -m tests.long.ceremony [--walks 10000] [--states 20000] [GAME …]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from fairshoe.engine.rules import RULES, rules_of
from tests.ceremony.checks import check_node
from tests.ceremony.search import search
from tests.ceremony.walk import Walk

ROUNDS = 8


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.ceremony", description=__doc__)
    parser.add_argument("--walks", type=int, default=10_000, help="honest walks in all (default 10000)")
    parser.add_argument("--states", type=int, default=20_000, help="states of each table (default 20000)")
    parser.add_argument("games", nargs="*", default=sorted(RULES))
    args = parser.parse_args(arguments)
    failed = sum(walks(game, args.walks // len(args.games)) for game in args.games)
    for game in args.games:
        for chairs in (1, 2, 3):
            if rules_of(game).chairs[0] <= chairs <= rules_of(game).chairs[1]:
                found = list(map(check_node, search(game, chairs, args.states)))
                print(f"{game:8} {chairs} chairs: {len(found)} states, no dead end", flush=True)
    return 1 if failed else 0


def walks(game: str, count: int) -> int:
    """How many of so many honest walks the auditor faults."""
    failed, codes = 0, Counter[str]()
    for number in range(count):
        walk = walked(game, number)
        with tempfile.TemporaryDirectory() as directory:
            report = walk.audit(Path(directory))
        if report.failed:
            failed += 1
            codes.update({finding.code for finding in report.findings if finding.severity == "fail"})
    print(f"{game:8} {count} honest walks, {failed} not clean {dict(codes) if codes else ''}", flush=True)
    return failed


def walked(game: str, number: int) -> Walk:
    """One walk, that repeats: more trouble in some, one to five chairs, sometimes players who always hit."""
    trouble = (0.0, 0.05, 0.15, 0.3, 0.5)[number % 5]
    walk = Walk(game, random.Random(f"{game} {number}"), trouble, seats=1 + number % 6, greedy=number % 7 == 0)
    walk.play(ROUNDS)
    return walk


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
