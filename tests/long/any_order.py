"""Every game over HTTP beside the machine as its model, by random examples: python -m tests.long.any_order [RULES …]

What must hold stands in tests/service/any_order.py. What does not ends it, with the steps that lead there.
"""

from __future__ import annotations

import argparse
import sys

from fairshoe.engine.rules import RULES
from tests.service.any_order import run


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.any_order", description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULES", help=f"of {', '.join(sorted(RULES))} (default: all)")
    parser.add_argument("--examples", type=int, default=200, help="of each game")
    parser.add_argument("--steps", type=int, default=60, help="of each example")
    args = parser.parse_args(words)
    for rules in args.rules or sorted(RULES):
        seen = run(rules, args.examples, args.steps, derandomize=False, database=None, print_blob=True)
        answers = ", ".join(f"{status}: {n:,}" for status, n in sorted(seen.statuses.items()))
        print(f"{rules}: {seen.kinds.total():,} entries, {seen.kinds['round']:,} rounds; answers {answers}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
