"""`python -m tests.load [--tables 1 8 64 512] [--seconds 10] [--database URL] [--processes 1]`: what a durable command
costs over HTTP, beside a bare Flask route with one durable insert under the same server in the same run.

Casino, one player a table, who sends the next command as soon as the last one is answered. One line a number of tables:
rounds and commands a second, median and 99th percentile of their time, processor milliseconds a command of the service
(each of its processes, then the database) and of the generator, which is this process; and how many times the bare
route's the service's are. On a machine with other work look at processor time and ratios only.

--followers N --pace 1: that many follow the tables, which play with that many seconds between two commands; how old a
change is when it comes, and the play's times with and without them. --start N: the time to start with N live shoes.
--proof N: the first proof of a hand over N entries that no index knows. --rounds N: memory over so many rounds at 8
tables. --placer: tables with a placer, a process of its own, beside as many without, in turns: rounds a second, and
processor milliseconds a round. `--database postgresql` brings up a server of its own.
Exit code 1 where a request failed.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from fairshoe.service.house import open_house
from tests.load.asking import Refused
from tests.load.history import first_proof, started
from tests.load.measures import processor, quantile, resident
from tests.load.players import AT_ONCE, Caller, Player, Taken, follow, seated
from tests.long.placers import Placing
from tests.long.serving import Serving
from tests.postgresql import PostgreSQL

WARM = 1.0
TURNS = 5
MARKS = 10
"""So often memory is looked at."""


class House(NamedTuple):
    """What is loaded: its addresses, the operator's token, its processes."""

    addresses: list[str]
    token: str
    pids: list[int]


class Cost(NamedTuple):
    """Processor milliseconds a command of what is loaded, by its processes, and of the generator; commands and rounds a
    second; the seconds of each command."""

    parts: list[float]
    generated: float
    commands: float
    rounds: float
    seconds: list[float]

    @property
    def served(self) -> float:
        return sum(self.parts)

    def __str__(self) -> str:
        p50, p99 = (1000 * quantile(self.seconds, share) for share in (0.5, 0.99))
        return (
            f"{self.rounds:7.1f} rounds, {self.commands:7.1f} commands a second, p50 {p50:7.1f} ms, p99 {p99:7.1f} ms; "
            f"{self.served:6.2f} ms of the processor a command "
            f"({' + '.join(f'{part:.2f}' for part in self.parts)}), generator {self.generated:.2f}"
        )


def together(costs: Sequence[Cost]) -> Cost:
    """The medians of some turns, and the times of all their commands."""
    parts, generated, commands, rounds, took = zip(*costs, strict=True)
    each = [median(part) for part in zip(*parts, strict=True)]
    return Cost(each, median(generated), median(commands), median(rounds), [one for some in took for one in some])


async def loaded(players: Sequence[Player | Caller], taken: Taken, seconds: float, pids: Sequence[int]) -> Cost:
    """Have them play, and measure after a while."""
    taken.over = False
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        await _going(tasks, WARM)
        before, generated, began = [processor([pid]) for pid in pids], time.process_time(), time.monotonic()
        taken.seconds, taken.rounds, taken.on = [], 0, True
        await _going(tasks, seconds)
        taken.on = False
        took, count = time.monotonic() - began, max(1, len(taken.seconds))
        generated = time.process_time() - generated
        parts = [1000 * (processor([pid]) - then) / count for pid, then in zip(pids, before, strict=True)]
        return Cost(parts, 1000 * generated / count, count / took, taken.rounds / took, taken.seconds)
    finally:
        taken.over = True
        await asyncio.gather(*tasks)


async def _going(tasks: Sequence[asyncio.Task[None]], seconds: float) -> None:
    """Let them go on for so long; raises what one of them ended with."""
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in done:
        task.result()


# What is measured.


async def compare(house: House, bare: House, tables: int, seconds: float, rules: str) -> None:
    """The house and the bare route, in turns: what else the machine does meets both."""
    taken, called = Taken(), Taken()
    players = await seated(house.addresses, house.token, tables, taken, rules)
    callers = [Caller(bare.addresses[0], called) for _ in range(tables)]
    costs, bases = [], []
    for _ in range(TURNS):
        bases.append(await loaded(callers, called, seconds / TURNS / 2, bare.pids))
        costs.append(await loaded(players, taken, seconds / TURNS, house.pids))
    ratios = [cost.served / base.served for cost, base in zip(costs, bases, strict=True)]
    times = f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) times the bare route's"
    print(f"{tables:4} tables: {together(costs)}; {times}")
    print(f"   bare route: {together(bases)}", flush=True)


async def placed(house: House, placer: Placing, tables: int, seconds: float, rules: str) -> None:
    """Tables with a placer beside tables without, in turns."""
    pids = [*house.pids, placer.pid]
    plain, beside = Taken(), Taken()
    without = await seated(house.addresses, house.token, tables, plain, rules, follows=True)
    among = await seated(house.addresses, house.token, tables, beside, rules, [placer.key])
    bases, costs = [], []
    for _ in range(TURNS):
        bases.append(await loaded(without, plain, seconds / TURNS, pids))
        costs.append(await loaded(among, beside, seconds / TURNS, pids))
    for what, each in (("without", together(bases)), ("with a placer", together(costs))):
        parts = " + ".join(f"{part * each.commands / each.rounds:.2f}" for part in each.parts)
        print(f"{tables:4} tables {what}: {each.rounds:.1f} rounds a second, {parts} ms of the processor a round")
    pace = median(cost.rounds / base.rounds for cost, base in zip(costs, bases, strict=True))
    work = median(_round(base, -1) / _round(cost, -1) for cost, base in zip(costs, bases, strict=True))
    print(f"     by the clock {pace:.2f}, by the house's processor {work:.2f} of tables without", flush=True)


def _round(cost: Cost, upto: int) -> float:
    """Processor milliseconds a round, of the first processes."""
    return sum(cost.parts[:upto]) * cost.commands / cost.rounds


async def followed(house: House, tables: int, followers: int, seconds: float, pace: float, rules: str) -> None:
    taken, seen = Taken(), Taken()
    players = await seated(house.addresses, house.token, tables, taken, rules)
    for player in players:
        player.pace = pace
    alone = await loaded(players, taken, seconds, house.pids)
    at, enough = house.addresses, asyncio.Semaphore(AT_ONCE)
    tasks = [
        asyncio.create_task(follow(at[each % len(at)], players[each % tables].table, seen, enough))
        for each in range(followers)
    ]
    await _going(tasks, WARM)
    while enough.locked():
        await _going(tasks, WARM)
    seen.on = True
    among = await loaded(players, taken, seconds, house.pids)
    seen.on = False
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(f"{tables:4} tables alone: {alone}")
    print(f"{followers} followers: {among}")
    p50, p99, times = quantile(seen.seconds, 0.5), quantile(seen.seconds, 0.99), quantile(among.seconds, 0.99)
    print(
        f"{len(seen.seconds)} events, old when they came: median {1000 * p50:.1f} ms, p99 {1000 * p99:.1f} ms; ", end=""
    )
    print(f"play's p99 is {times / quantile(alone.seconds, 0.99):.2f} times that without followers", flush=True)


async def grown(house: House, rounds: int, rules: str) -> None:
    """Memory after each tenth of so many rounds."""
    taken = Taken()
    players = await seated(house.addresses, house.token, 8, taken, rules)
    tasks = [asyncio.create_task(player.play()) for player in players]
    taken.on = True
    try:
        for mark in range(1, MARKS + 1):
            while taken.rounds < rounds * mark // MARKS:
                await _going(tasks, 0.1)
                taken.seconds.clear()
            print(f"{taken.rounds:8} rounds: {resident(house.pids[0]) / 1024:.1f} MB", flush=True)
    finally:
        taken.over = True
        await asyncio.gather(*tasks)


# What is loaded.


@contextmanager
def bare_route(folder: Path) -> Iterator[House]:
    words = [sys.executable, "-m", "tests.load.bare", str(folder / "bare.db")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        yield House([found[0]], "", [process.pid])
    finally:
        process.kill()
        process.wait()


def main(words: list[str] | None = None) -> int:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__, formatter_class=form)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 64, 512])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--database", default="")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--followers", type=int, default=0)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--proof", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--placer", action="store_true")
    parser.add_argument("--rules", default="casino")
    given = parser.parse_args(words)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        more, pids = ["--queue", "1024", "--followers", str(given.followers + 1 + 2 * max(given.tables))], list[int]()
        if given.database == "postgresql":
            server = stack.enter_context(PostgreSQL(sync=True))
            assert server.process is not None
            more += ["--database", server.database()]
            pids.append(server.process.pid)
        elif given.database:
            more += ["--database", given.database]
        if given.placer:
            (folder / "placer").mkdir()
            opened = open_house(folder / "data")
            token, log = opened.token, opened.sequencer.signer.verifier
            opened.close()
            placer = Placing(folder / "placer", log)
            stack.callback(placer.end)
            more += ["--placer", f"{placer.address}={placer.key}"]
        services = [stack.enter_context(Serving(folder / "data", *more)) for _ in range(given.processes)]
        pids[:0] = [each.process.pid for each in services if each.process is not None]
        house = House([each.address for each in services], token if given.placer else services[0].token, pids)
        try:
            if given.start:
                started(services[0], house.token, given.start, given.rules)
            elif given.placer:
                for tables in given.tables:
                    asyncio.run(placed(house, placer, tables, given.seconds, given.rules))
            elif given.proof:
                first_proof(services[0], folder / "data", house.token, given.proof, given.rules)
            elif given.rounds:
                asyncio.run(grown(house, given.rounds, given.rules))
            elif given.followers:
                tables = given.tables[0] if len(given.tables) == 1 else 64
                asyncio.run(followed(house, tables, given.followers, given.seconds, given.pace, given.rules))
            else:
                bare = stack.enter_context(bare_route(folder))
                for tables in given.tables:
                    asyncio.run(compare(house, bare, tables, given.seconds, given.rules))
        except (Refused, OSError) as error:
            print(f"FAIL: {error!r}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
