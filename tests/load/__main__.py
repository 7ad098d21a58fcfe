"""What a durable command costs over HTTP, beside a bare Flask route with one durable insert under the same server, into
a database of the same kind, in one run:
`python -m tests.load [--tables 1 8 64 512] [--seconds 10] [--database URL] [--processes N …]`.

Casino, one player a table, who sends the next command as soon as the last one is answered. One line a number of tables:
rounds and commands a second, median and 99th percentile of their time, processor milliseconds a command of the service
(each of its processes, then the database) and of the generator, which is this process; and how many times the bare
route's the service's are. On a machine with other work look at processor time and ratios only.

--processes 1 2 4, with `--database postgresql`: houses of so many processes, in turns. `carries` is what each would do
on --cores (2) with nothing else to do, by the processor time of a command: as much as the busiest process can, and no
more than all cores. --aside: nobody asks the process that leads, where there are others. --sync-ms N: each sync of the
database's log takes so much longer.

--followers N --pace 1: that many follow the tables, which play with that many seconds between two commands; how old a
change is when it comes, and the play's times beside those of a house that nobody follows, in turns.
`--database postgresql` brings up a server of its own.
Exit code 1 where a request failed.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
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

from tests.load.asking import Refused
from tests.load.measures import processor, quantile
from tests.load.players import AT_ONCE, Caller, Player, Taken, follow, seated
from tests.long.serving import Serving
from tests.postgresql import PostgreSQL

WARM = 1.0
TURNS = 5


class House(NamedTuple):
    """What is loaded: its addresses, the operator's token, its processes, and how many of a service that are."""

    addresses: list[str]
    token: str
    pids: list[int]
    name: str = ""


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

    def carried(self, cores: int) -> float:
        """Commands a second on so many cores with nothing else to do: as many as the busiest process can do, and as all
        of them together can."""
        return 1000 / max(*self.parts, self.served / cores)

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


async def compare(houses: Sequence[House], bare: House, tables: int, given: argparse.Namespace) -> None:
    """The houses and the bare route, in turns: what else the machine does meets all."""
    called, bases, turn = Taken(), list[Cost](), given.seconds / TURNS
    callers = [Caller(bare.addresses[0], called) for _ in range(tables)]
    takens, costs = [Taken() for _ in houses], [list[Cost]() for _ in houses]
    seats = [
        await seated(house.addresses, house.token, tables, taken, given.rules)
        for house, taken in zip(houses, takens, strict=True)
    ]
    for _ in range(TURNS):
        bases.append(await loaded(callers, called, turn / 2, bare.pids))
        for house, players, taken, cost in zip(houses, seats, takens, costs, strict=True):
            cost.append(await loaded(players, taken, turn, house.pids))
    for house, cost in zip(houses, costs, strict=True):
        times = _spread([one.served / base.served for one, base in zip(cost, bases, strict=True)])
        print(f"{tables:4} tables{house.name}: {together(cost)}; {times} times the bare route's")
        if len(houses) > 1:
            carried, first = ([one.carried(given.cores) for one in turns] for turns in (cost, costs[0]))
            more = _spread([one / base for one, base in zip(carried, first, strict=True)])
            print(f"   carries {median(carried):.0f} a second on {given.cores} cores, {more} times the first house")
    print(f"   bare route: {together(bases)}", flush=True)


def _spread(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


async def followed(quiet: House, house: House, given: argparse.Namespace) -> None:
    """A house that nobody follows and one that many do, in turns."""
    tables, at = given.tables[0] if len(given.tables) == 1 else 64, house.addresses
    seen, takens = Taken(), (Taken(), Taken())
    seats = [
        await seated(one.addresses, one.token, tables, taken, given.rules)
        for one, taken in zip((quiet, house), takens, strict=True)
    ]
    for player in (*seats[0], *seats[1]):
        player.pace = given.pace
    enough = asyncio.Semaphore(AT_ONCE)
    tasks = [
        asyncio.create_task(follow(at[each % len(at)], seats[1][each % tables].table, seen, enough))
        for each in range(given.followers)
    ]
    await _going(tasks, WARM)
    while enough.locked():
        await _going(tasks, WARM)
    seen.on = True
    gc.disable()  # or what the generator collects for so many connections would count as the house's
    costs = list[tuple[Cost, Cost]]()
    for _ in range(TURNS):
        alone = await loaded(seats[0], takens[0], given.seconds / TURNS, quiet.pids)
        costs.append((alone, await loaded(seats[1], takens[1], given.seconds / TURNS, house.pids)))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    alone, among = (together(turns) for turns in zip(*costs, strict=True))
    print(f"{tables:4} tables alone: {alone}")
    print(f"{given.followers} followers: {among}")
    p50, p99 = (1000 * quantile(seen.seconds, share) for share in (0.5, 0.99))
    print(f"{len(seen.seconds)} events, old when they came: median {p50:.1f} ms, p99 {p99:.1f} ms")
    shares = (quantile(among.seconds, share) / quantile(alone.seconds, share) for share in (0.5, 0.99))
    print("play's median and p99 are {:.2f} and {:.2f} times those without followers".format(*shares), flush=True)


# What is loaded.


@contextmanager
def bare_route(folder: Path, server: PostgreSQL | None) -> Iterator[House]:
    database = str(folder / "bare.db") if server is None else server.database()
    words = [sys.executable, "-m", "tests.load.bare", database]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        pids = [each.pid for each in (process, server and server.process) if each is not None]
        yield House([found[0]], "", pids)
    finally:
        process.kill()
        process.wait()


def main(words: list[str] | None = None) -> int:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__, formatter_class=form)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 64, 512])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--database", default="")
    parser.add_argument("--processes", type=int, nargs="+", default=[1])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--aside", action="store_true")
    parser.add_argument("--sync-ms", type=float, default=0)
    parser.add_argument("--followers", type=int, default=0)
    parser.add_argument("--pace", type=float, default=1)
    parser.add_argument("--rules", default="casino")
    given = parser.parse_args(words)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        more = ["--queue", "1024", "--followers", str(given.followers + 1)]
        server = None
        if given.database == "postgresql":
            server = stack.enter_context(PostgreSQL(sync=True, slow=given.sync_ms / 1000))
        houses = list[House]()
        counts = given.processes[:1] * 2 if given.followers else given.processes
        for count in counts:
            url, data = given.database if server is None else server.database(), folder / f"data-{len(houses)}"
            words = [*more, "--database", url] if url else more
            services = [stack.enter_context(Serving(data, *words)) for _ in range(count)]
            pids = [each.process.pid for each in (*services, server) if each is not None and each.process is not None]
            asked = services[1:] if given.aside and count > 1 else services
            name = f", {count} processes" if len(counts) > 1 else ""
            houses.append(House([each.address for each in asked], services[0].token, pids, name))
        try:
            if given.followers:
                asyncio.run(followed(houses[0], houses[1], given))
            else:
                bare = stack.enter_context(bare_route(folder, server))
                for tables in given.tables:
                    asyncio.run(compare(houses, bare, tables, given))
        except (Refused, OSError) as error:
            print(f"FAIL: {error!r}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
