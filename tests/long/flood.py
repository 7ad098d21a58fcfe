"""`python -m tests.long.flood [--seconds 180] [--each 200] [--greedy 100]`: slow and greedy connections while six
tables play.

A service as `fairshoe serve` starts it, with a log of some MB, behind nginx as docs/deploy has it; to nginx come
connections of each kind: silent, one byte every 15 s in headers, the same in a body, asking for the log and not reading
it, a body without an end. Exit code 0 only where commands took at most twice as long (p99) as before the flood, none
failed, no table stood still and no decision was the table's.

After that connections of two kinds that read: the list of tables, and one table, again and again. They may make
everybody slow, even so slow that the service begins its limits anew; still none may fail or lose a decision.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from fairshoe.client import Client
from fairshoe.log.canonical import encode
from fairshoe.log.times import timestamp
from fairshoe.record.entries import start_entry
from fairshoe.service.house import open_house
from fairshoe.service.store.journal import append, read_head

from .flooding import Play, before

ENTRIES = 60_000
"""Of the log before anybody plays."""
QUIET = 30.0
TIMES = 2.0
"""How much longer commands may take."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.flood")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--each", type=int, default=200, help="slow connections of each kind")
    parser.add_argument("--greedy", type=int, default=100, help="greedy connections of each kind")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory) / "data"
        token = long_log(data)
        words = ["serve", "--port", "0", "--data", str(data), "--no-limits", "--trusted-proxy", "127.0.0.1"]
        served = subprocess.Popen([sys.executable, "-m", "fairshoe", *words], stdout=subprocess.PIPE, text=True)
        try:
            assert served.stdout is not None
            address = next(word for word in served.stdout.readline().split() if word.startswith("http"))
            with before(address, Path(directory)) as proxy:
                return measured(proxy, token, given.seconds, given.each, given.greedy)
        finally:
            served.kill()
            served.wait()


def long_log(data: Path) -> str:
    """A house whose log is long already; gives the operator's token."""
    house = open_house(data)
    now = house.sequencer._clock.present
    with house.database.writing() as connection:
        end = read_head(connection, hold=True)
        times = range(now - ENTRIES * 1_000, now, 1_000)
        append(connection, end, [encode(start_entry(timestamp(at))) for at in times], now)
    house.database.close()
    assert house.token is not None
    return house.token


def measured(address: str, token: str, seconds: float, each: int, greedy: int) -> int:
    play = Play(address, token)
    play.during(3)
    quiet = play.during(QUIET)
    with flood(address, "slow", each):
        flooded = play.during(seconds)
    play.during(3)
    with flood(address, "greedy", greedy):
        asked = play.during(QUIET)
    failed = play.stop()
    size = Client(address).get("/v1/tables/casino")["log"]
    lines = Client(address).log(ENTRIES)
    entries = [json.loads(line) for line in lines]
    outages = sum(entry["kind"] == "start" for entry in entries)
    rounds = [entry for entry in entries if entry["kind"] == "round"]
    by_table = [entry for entry in rounds if any(move.get("by") == "table" for move in entry["decisions"])]
    for name, took, long in (("quiet", quiet, QUIET), ("flooded", flooded, seconds), ("greedy", asked, QUIET)):
        p50, p99, most = (1000 * at(took, share) for share in (0.5, 0.99, 1))
        print(f"{name:8} {len(took):6} commands, {len(took) / long:6.1f} a second, ", end="")
        print(f"p50 {p50:7.1f} ms, p99 {p99:7.1f} ms, most {most:7.1f} ms")
    print(f"{len(rounds)} rounds in {size - ENTRIES} entries, {len(by_table)} with decisions by the table,", end=" ")
    print(f"{outages} outages")
    for what in failed[:10]:
        print(what)
    fine = not failed and not by_table and flooded and asked and at(flooded, 0.99) <= TIMES * at(quiet, 0.99)
    print("fine" if fine else "FAIL")
    return 0 if fine else 1


@contextmanager
def flood(address: str, kinds: str, each: int) -> Iterator[None]:
    parts = urlsplit(address)
    words = [str(parts.hostname), str(parts.port), str(each), kinds]
    process = subprocess.Popen([sys.executable, "-m", "tests.long.flooding", *words])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def at(took: list[float], share: float) -> float:
    return took[min(len(took) - 1, int(share * len(took)))] if took else float("inf")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
