"""Whether the p-values of the shuffle statistics are uniform in honest logs: `python -m tests.long.shuffles`.

Logs written by the simulator and audited: how often each test has a p-value up to 0.01, 0.05 and 0.5, and the p-value
of a Kolmogorov–Smirnov test that they are uniform; how many logs had any finding. It fails where p-values are not
uniform (level 0.01 over all tests), and where honest logs have findings more often than the level says, beyond chance.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from audit_cli.counting.watcher import Counting
from audit_cli.statistics.collected import Collected, Result
from audit_cli.statistics.measured import distributions
from audit_cli.verify import verify
from fairshoe.cards import french
from fairshoe.protocol.shoe import seal
from fairshoe.simulate.house import plan_house, write_house_log

LEVEL = 0.01
GAMES = ("chinese", "lounge")
"""Games whose shoes serve one round: one pack, and six."""


class Row(NamedTuple):
    """The p-values of one test of one deck; `exact` ones may only be larger than uniform."""

    name: str
    exact: bool
    values: list[float]

    @property
    def uniformity(self) -> float:
        """The p-value of the Kolmogorov–Smirnov test: of too many small values only, where the test is `exact`."""
        side = "greater" if self.exact else "two-sided"
        return float(distributions.kstest(self.values, "uniform", alternative=side).pvalue)

    def __str__(self) -> str:
        below = "  ".join(f"{sum(p <= level for p in self.values) / len(self.values):6.3f}" for level in LEVELS)
        return f"{self.name:<42} {len(self.values):>5}  {below}  {self.uniformity:8.4f}"


LEVELS = (0.01, 0.05, 0.5)
HEAD = f"{'test':<42} {'p':>5}  {'<=0.01':>6}  {'<=0.05':>6}  {'<=0.5':>6}  {'KS':>8}"


def of_logs(count: int, rounds: int) -> Iterator[Result]:
    """Honest logs as the simulator writes them, with players who cut, lapse and leave; audited."""
    for number in range(count):
        key = hashlib.sha256(f"shuffles {number}".encode()).digest()
        with tempfile.TemporaryDirectory() as directory:
            write_house_log(Path(directory), plan_house(GAMES, rounds, key))
            collected = Collected()
            report = verify(Path(directory), watch=Counting(collected))
            if report.as_json()["verdict"] == "fail":
                raise SystemExit(f"log {number} is no honest one")
        yield collected.result(LEVEL)


def of_sets(count: int, shoes: int) -> Iterator[Result]:
    """Honest shoes by the protocol alone: half as many of six packs as of one."""
    for number in range(count):
        collected = Collected()
        for i in range(shoes):
            for packs in (1, 6) if i % 2 else (1,):
                name = f"set/{number}/{i}/{packs}"
                sealed = seal(key=hashlib.sha256(name.encode()).digest(), shoe=name, deck=french(packs))
                collected.add(french(packs), sealed.order_indexes())
                collected.add_dealt(french(packs), sealed.first(4))
        yield collected.result(LEVEL)


def rows_of(results: Iterable[Result]) -> tuple[list[Row], int, int]:
    """A row a test; then how many results there were, and how many found anything."""
    values: dict[tuple[str, bool], list[float]] = defaultdict(list)
    count = alarms = 0
    for result in results:
        count += 1
        alarms += bool(result.found)
        for judged in result.tests:
            test = judged.test
            if test.p is not None:
                values[f"{test.deck} {test.name}", test.exact].append(test.p)
    rows = [Row(name, exact, found) for (name, exact), found in values.items() if len(found) * 2 >= count]
    return rows, count, alarms


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.shuffles", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--logs", type=int, default=1_000, metavar="N", help="honest logs (default 1000)")
    parser.add_argument("--rounds", type=int, default=400, metavar="N", help="rounds of each (default 400)")
    args = parser.parse_args(words)
    rows, count, alarms = rows_of(of_logs(args.logs, args.rounds))
    print(HEAD, *rows, sep="\n")
    faults = sum(row.uniformity < LEVEL / len(rows) for row in rows)
    print(f"{alarms} of {count:,} honest logs have a finding at the level {LEVEL}; {faults} tests are not uniform")
    return int(bool(faults) or distributions.binom.sf(alarms - 1, count, LEVEL) < LEVEL)


if __name__ == "__main__":
    sys.exit(main())
