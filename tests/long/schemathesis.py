"""The API under a fuzzer that knows its description: python -m tests.long.schemathesis [--seconds 600] [--seed N]

A real `fairshoe serve`, its limits off, while six tables play. Schemathesis sends what the description allows and what
it does not, without a token, with a player's and with the operator's, at a table that is there and at others. Exit code
1 where an answer was a 5xx, of a status, a type, a header or a form that the description does not have, where what the
description does not allow was taken, or where the audit finds anything in the end.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from fairshoe.client import Client, Seat
from fairshoe.engine.rules import RULES
from fairshoe.errors import FairshoeError
from tests.long.held import audit_faults, log_of
from tests.long.serving import Serving

LEFT_OUT = "positive_data_acceptance"
"""The rules and the phase of a table refuse much that the description allows."""
FIXED = "negative_data_rejection"
"""Left out too where the table is given: what is wrong with another one is then never sent."""
PLAYED = "t1"
"""The table at which the player sits whose token is used."""
PAUSE = 0.02
MOST_METRICS = 1 << 22
"""Bytes."""


class Run(NamedTuple):
    """Who calls; `at`: the table that is named always, or "" for tables of all names."""

    caller: str
    at: str
    token: str | None


class Told(NamedTuple):
    run: Run
    requests: int
    failures: int
    output: str


class Seen(NamedTuple):
    """What each run told; how many answers had each status, the players' with them; what the audit found."""

    told: list[Told]
    statuses: Counter[str]
    audit: list[str]

    @property
    def faults(self) -> list[str]:
        wrong = [each.output for each in self.told if each.failures]
        return wrong + [f"{status}: {n}" for status, n in self.statuses.items() if status >= "500"] + self.audit


def fuzz(seed: int, directory: Path, seconds: int) -> Seen:
    """Every run, of the same length, `seconds` together."""
    with Serving(directory / "house", "--no-limits") as served:
        operator = Client(served.address, served.token)
        seats = seated(operator)
        runs = [
            Run("nobody", "", None),
            Run("a player", PLAYED, seats[0].token),
            Run("the operator", "", served.token),
            Run("nobody", PLAYED, None),
            Run("the operator", "casino", served.token),
        ]
        with playing(seats, seed):
            told = [sent(served.address, run, seconds // len(runs), seed, directory) for run in runs]
        statuses = answered(operator)
        operator.close()
    log_of(directory / "house", directory / "log")
    return Seen(told, statuses, audit_faults(directory / "log"))


def seated(operator: Client) -> list[Seat]:
    """Whose token is used first, alone at a table; then two players at a table of each game, or as
    many as it takes."""
    quick = {"bet": 5, "decision": 5, "hash": 5, "seed": 5}
    seats = [operator.create_table("casino", table=PLAYED, policy=quick).sit("alice", 10**6)]
    for name in sorted(RULES):
        table = operator.create_table(name, table=name, policy=quick)
        seats += [table.sit(f"{name}-{number}", 10_000) for number in range(min(2, table.state()["chairs"]))]
    return seats


def sent(address: str, run: Run, seconds: int, seed: int, directory: Path) -> Told:
    """One run of Schemathesis."""
    config, report = directory / "schemathesis.toml", directory / "report.json"
    config.write_text(f'[parameters]\n"path.table" = "{run.at}"\n' if run.at else "")
    words: list[str | Path] = [
        *(Path(sys.executable).parent / "schemathesis", "--config-file", config),
        *("run", f"{address}/openapi.json", "--no-color", "--continue-on-failure"),
        *("--exclude-checks", f"{LEFT_OUT},{FIXED}" if run.at else LEFT_OUT),
        *("--max-time", str(seconds), "--seed", str(seed), "--warnings", "off"),
        *("--generation-database", "none", "--report", "json", "--report-json-path", report),
    ]
    if run.token is not None:
        words += ["--header", f"Authorization: Bearer {run.token}"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=directory)
    return Told(run, *_counted(done, report), done.stdout + done.stderr)


def _counted(done: subprocess.CompletedProcess[str], report: Path) -> tuple[int, int]:
    """Requests, and what was wrong; a run that did not come to its end, or to each operation, is wrong as well."""
    told = json.loads(report.read_text()) if report.exists() else {}
    if not told.get("complete") or told["operations"]["tested"] != told["operations"]["total"]:
        return 0, 1
    cases = told["test_cases"]
    return cases["generated"], cases["unique_failures"] + len(told["errors"]) or int(done.returncode != 0)


def answered(operator: Client) -> Counter[str]:
    """How many requests the service has answered with each status, by its own count."""
    found: Counter[str] = Counter()
    for line in operator.raw("GET", "/metrics", most=MOST_METRICS).decode().splitlines():
        if counted := re.fullmatch(r'fairshoe_requests_total\{.*status="(\d+)".*\} ([\d.e+]+)', line):
            found[counted[1]] += int(float(counted[2]))
    return found


@contextmanager
def playing(seats: Sequence[Seat], seed: int) -> Iterator[None]:
    """Meanwhile they play, at random one after the other."""
    over, rng = threading.Event(), random.Random(seed)

    def play() -> None:
        while not over.wait(PAUSE):
            with suppress(FairshoeError):
                rng.choice(seats).step()

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.schemathesis", description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as directory:
        seen = fuzz(args.seed, Path(directory), args.seconds)
    for each in seen.told:
        where = each.run.at or "any"
        print(f"{each.run.caller}, table {where}: {each.requests:,} requests, {each.failures} failures")
    print("answers: " + ", ".join(f"{status}: {n:,}" for status, n in sorted(seen.statuses.items())))
    print(*(seen.faults or ["no faults"]), sep="\n")
    return int(bool(seen.faults))


if __name__ == "__main__":
    sys.exit(main())
