"""The shuffle statistics on honest logs and on faulty shuffles.

First honest logs, written by the simulator and audited: how often each test has a p-value up to 0.01, 0.05 and 0.5,
and the p-value of a Kolmogorov–Smirnov test that they are uniform; how many logs had any finding. Then faulty shuffles,
each with as many shoes as its test says that it needs: how often its test has a p-value up to 0.01, how often it is
found after the correction for all tests, and by which tests.

It fails where p-values are not uniform (level 0.01 over all tests), where honest logs have findings more often than the
profile says, and where a fault has that p-value less often than the power that is stated, each beyond chance.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path
from typing import NamedTuple

from audit_cli.counting.watcher import Counting
from audit_cli.statistics.collected import Collected, Result, Shoes
from audit_cli.statistics.faults import directed_tests
from audit_cli.statistics.layout import Integers, layout_of
from audit_cli.statistics.measured import LEVEL, POWER, PROFILES, distributions, judged
from audit_cli.statistics.positions import Positions
from audit_cli.verify import verify
from fairshoe.cards import french
from fairshoe.protocol.shoe import seal
from fairshoe.simulate.house import plan_house, write_house_log
from tests.statistics.shuffled import FAULTY, HONEST, shuffled, stuck
from tests.statistics.uniformity import HEAD, Row, picture, rows_of

RARE = 0.01
STUCK = "card stuck in its place"
CHUNK = 2_000
GAMES = ("chinese", "lounge")
"""Games whose shoes serve one round: one pack, and six."""


class Planted(NamedTuple):
    """A fault in shoes of so many packs, and the test for it; `make` gives a number of shoes from a seed."""

    name: str
    test: str
    packs: int
    shoes: int
    make: Callable[[int, int], Integers]


def key_of(*words: object) -> bytes:
    """A key that follows from these words."""
    return hashlib.sha256(" ".join(map(str, words)).encode()).digest()


def of_logs(count: int, rounds: int) -> Iterator[Result]:
    """Honest logs as the simulator writes them, with players who cut, lapse and leave; audited."""
    for number in range(count):
        with tempfile.TemporaryDirectory() as directory:
            write_house_log(Path(directory), plan_house(GAMES, rounds, key_of("shuffles", number)))
            collected = Collected()
            report = verify(Path(directory), watch=Counting(collected))
            if report.as_json()["verdict"] == "fail":
                raise SystemExit(f"log {number} is no honest one")
        yield collected.result(PROFILES["99 %"])


def of_sets(count: int, shoes: int) -> Iterator[Result]:
    """Honest shoes by the protocol alone: half as many of six packs as of one."""
    for number in range(count):
        collected = Collected()
        for i in range(shoes):
            for packs in (1, 6) if i % 2 else (1,):
                name = f"set/{number}/{i}/{packs}"
                sealed = seal(key=key_of(name), shoe=name, deck=french(packs))
                collected.add(french(packs), sealed.order_indexes())
                collected.add_dealt(french(packs), sealed.first(4))
        yield collected.result(PROFILES["99 %"])


def planted() -> Iterator[Planted]:
    """Each fault with the shoes that its test needs; what needs too many is said and left out."""
    for packs in (1, 6):
        layout = layout_of(french(packs))
        for test in directed_tests(Positions(layout)):
            draw = FAULTY[test.name]
            yield Planted(test.name, test.name, packs, test.needs, _maker(layout.size, draw))
        for share in (0.1, 0.02):
            make = _stuck_maker(layout.size, share)
            yield Planted(
                f"a card stuck in its place in {share:.0%} of the shoes", STUCK, packs, _stuck_needs(packs, share), make
            )


def _maker(size: int, draw: Callable[..., Integers]) -> Callable[[int, int], Integers]:
    return lambda seed, shoes: shuffled(seed, shoes, size, draw)


def _stuck_maker(size: int, share: float) -> Callable[[int, int], Integers]:
    return lambda seed, shoes: stuck(shuffled(seed, shoes, size, HONEST), share, card=0, place=1)


def _stuck_needs(packs: int, share: float) -> int:
    """The first number of shoes, in steps of a tenth, with which the test says that it shows such a share."""
    layout = layout_of(french(packs))
    shoes = 30
    while True:
        sums = Shoes(layout)
        sums.positions.shoes = shoes
        found = next(test for test in sums.positions.tests() if test.name == STUCK)
        if found.smallest is not None and found.smallest <= share:
            return shoes
        shoes = ceil(shoes * 1.1)


def tried(plant: Planted, seed: int) -> tuple[bool, list[str]]:
    """Whether the fault's own test has a p-value up to 0.01, and which tests find anything after the correction."""
    sums = Shoes(layout_of(french(plant.packs)))
    for chunk, start in enumerate(range(0, plant.shoes, CHUNK)):
        sums.add_rows(plant.make(1_000 * seed + chunk, min(CHUNK, plant.shoes - start)))
    tests = sums.tests()
    own = next(test.p for test in tests if test.name == plant.test)
    found = [each.test.name for each in judged(tests, PROFILES["99 %"]) if each.status == "found"]
    return own is not None and own <= LEVEL, found


def show_planted(times: int, most: int) -> int:
    """A line a fault; how many were found less often than they should be."""
    faults = 0
    print(f"\n{'fault':<46} {'packs':>5} {'needs':>22}  p <= 0.01, found; by")
    for plant in planted():
        head = f"{plant.name:<46} {plant.packs:>5} {plant.shoes:>22,}"
        if plant.shoes > most:
            print(f"{head}  not tried", flush=True)
            continue
        sets = [tried(plant, seed) for seed in range(times)]
        by = Counter(name for _, names in sets for name in names).most_common(3)
        hits = sum(own for own, _ in sets)
        told = ", ".join(f"{name} {count}" for name, count in by)
        print(f"{head}  {hits} and {sum(bool(names) for _, names in sets)} of {times}: {told}", flush=True)
        faults += distributions.binom.cdf(hits, times, POWER) < RARE
    return faults


def show_uniform(rows: list[Row], count: int, alarms: int) -> int:
    """A line a test; how many are at fault."""
    print(HEAD)
    for row in rows:
        print(row)
    faults = sum(row.uniformity < RARE / len(rows) for row in rows)
    level = PROFILES["99 %"].level
    print(f"{alarms} of {count:,} honest results have a finding (99 % profile); {faults} tests are not uniform")
    return faults + int(distributions.binom.sf(alarms - 1, count, level) < RARE)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.shuffles", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--logs", type=int, default=1_000, metavar="N", help="honest logs (default 1000)")
    parser.add_argument("--rounds", type=int, default=400, metavar="N", help="rounds of each (default 400)")
    parser.add_argument("--sets", type=int, default=0, metavar="N", help="sets of honest shoes instead of logs")
    parser.add_argument("--times", type=int, default=20, metavar="N", help="sets for each fault (default 20; 0: none)")
    parser.add_argument(
        "--most", type=int, default=60_000, metavar="N", help="the most shoes of a fault (default 60000)"
    )
    parser.add_argument("--picture", type=Path, metavar="FILE", help="write an SVG of the p-values")
    args = parser.parse_args(words)
    faults = 0
    if args.sets or args.logs:
        results = of_sets(args.sets, args.rounds // 2) if args.sets else of_logs(args.logs, args.rounds)
        rows, count, alarms = rows_of(results)
        faults += show_uniform(rows, count, alarms)
        if args.picture is not None:
            picture(rows, args.picture)
    if args.times:
        faults += show_planted(args.times, args.most)
    print(f"{faults} at fault")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
