"""`python -m tests.long.readings`: logs of every game read twice, by the auditor and by `fairshoe/web/verifier`.

Honest ones, with splits, sales of the bank, seats that leave, limits that pass and reshuffles in the middle of a deal;
copies of logs with one entry changed, with placers too; files that are hardly a log; every planted fraud; and attacks
on a second dealer (tests/placer/test_attacks.py). Compared are verdict, exit code and the first entry that fails.
Whatever the two say differently is listed; what is known to differ, docs/second-reading.md says.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fairshoe.simulate.house import plan_house, write_house_log
from tests.audit.frauds import FRAUDS
from tests.ceremony import walk
from tests.house import SIGNER
from tests.placer.test_attacks import attacks, disagreements, frauds
from tests.placer.test_second_reading import CHANGED, OWN, changed, differing, own_changed
from tests.verifier.readings import Difference, differences
from tests.verifier.strange import PARTS, WHOLE, strange, strange_differences
from tests.verifier.test_frauds_too import LOGS, tampered
from tests.verifier.test_logs_too import OPTIONS

CARELESS = 0.1


def simulated(rounds: int, seed: int) -> Iterator[tuple[str, list[bytes]]]:
    """An honest log of each game."""
    for game, options in OPTIONS.items():
        with tempfile.TemporaryDirectory() as name:
            plan = plan_house([game], rounds, seed.to_bytes(32, "big"), careless=CARELESS, options=options)
            write_house_log(Path(name) / game, plan)
            lines = (Path(name) / game / "log.jsonl").read_bytes().splitlines()
        print(f"{game}: {rounds:,} rounds in {len(lines):,} entries", flush=True)
        yield game, lines


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.readings", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=10_000, metavar="N", help="of each game")
    parser.add_argument("--copies", type=int, default=2_000, metavar="N", help="of each log, one entry changed")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(words)
    found: list[Difference] = []
    with tempfile.TemporaryDirectory() as name:
        for one in simulated(args.rounds, args.seed):
            found += differences(Path(name), [one])
        found += differences(Path(name), ((case.name, case.plant().lines) for case in FRAUDS))
        for log in LOGS:
            found += differences(Path(name), tampered(log, args.copies, args.seed))
            print(f"{log}: {args.copies:,} copies", flush=True)
        for log in LOGS:
            with tempfile.TemporaryDirectory(dir=name) as folder:
                found += strange_differences(Path(folder), list(strange(log, args.copies // 10, args.seed)))
            print(f"{log}: {args.copies // 10:,} strange files", flush=True)
        told = [f"{each.name}: the auditor {each.first}, the second reading {each.second}" for each in found]
        for game in CHANGED:
            told += differing(Path(name) / game, changed(game, args.copies, args.seed), SIGNER)
            print(f"{game} with placers: {args.copies:,} copies", flush=True)
        for game in OWN:
            told += differing(Path(name) / f"own {game}", own_changed(game, args.copies, args.seed), walk.SIGNER)
            print(f"{game} whose player places: {args.copies:,} copies", flush=True)
        planned = [*frauds(), *attacks(args.copies // 10, args.seed)]
        told += disagreements(Path(name), planned)
        print(f"attacks on placers: {len(planned):,} logs", flush=True)
    print(*told, sep="\n", end="\n" if told else "")
    logs = len(OPTIONS) + len(FRAUDS) + len([*LOGS, *CHANGED, *OWN]) * args.copies
    logs += len(planned) + len(LOGS) * (len(WHOLE | PARTS) + args.copies // 10)
    print(f"{len(told)} of {logs:,} logs are read differently")
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
