"""`python -m tests.load.placed [--tables 1 16] [--seconds 10] [--rules casino]`: what a table with a placer costs,
beside one without.

One house, and a placer as a process of its own on the same loopback and disk; as many tables with it as without, which
play in turns, each followed by its player. One line each: rounds a second, and processor milliseconds a round of house
and placer; then the rounds with a placer as a share of those without, by the clock and by the house's processor. On a
machine with other work look at the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from fairshoe.service.house import open_house
from tests.load.__main__ import TURNS, Cost, loaded, together
from tests.load.players import Taken, seated
from tests.long.placers import Placing
from tests.long.serving import Serving


async def compare(house: Serving, token: str, placer: Placing, tables: int, given: argparse.Namespace) -> None:
    """Tables with a placer beside tables without, in turns."""
    assert house.process is not None
    pids = [house.process.pid, placer.pid]
    plain, beside = Taken(), Taken()
    without = await seated([house.address], token, tables, plain, given.rules, follows=True)
    among = await seated([house.address], token, tables, beside, given.rules, placer.key)
    bases, costs = list[Cost](), list[Cost]()
    for _ in range(TURNS):
        bases.append(await loaded(without, plain, given.seconds / TURNS, pids))
        costs.append(await loaded(among, beside, given.seconds / TURNS, pids))
    for what, each in (("without", together(bases)), ("with a placer", together(costs))):
        parts = " + ".join(f"{part * each.commands / each.rounds:.2f}" for part in each.parts)
        print(f"{tables:4} tables {what}: {each.rounds:.1f} rounds a second, {parts} ms of the processor a round")
    pace = median(cost.rounds / base.rounds for cost, base in zip(costs, bases, strict=True))
    work = median(_of_house(base) / _of_house(cost) for cost, base in zip(costs, bases, strict=True))
    print(f"     by the clock {pace:.2f}, by the house's processor {work:.2f} of tables without", flush=True)


def _of_house(cost: Cost) -> float:
    """Processor milliseconds a round."""
    return cost.parts[0] * cost.commands / cost.rounds


def main(words: Sequence[str] | None = None) -> int:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m tests.load.placed", description=__doc__, formatter_class=form)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rules", default="casino")
    given = parser.parse_args(words)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "placer").mkdir()
        opened = open_house(folder / "data")
        token, log = opened.token, opened.sequencer.signer.verifier
        opened.close()
        placer = Placing(folder / "placer", log)
        stack.callback(placer.end)
        more = [
            "--queue",
            "1024",
            "--followers",
            str(4 * max(given.tables)),
            "--placer",
            f"{placer.address}={placer.key}",
        ]
        house = stack.enter_context(Serving(folder / "data", *more))
        for tables in given.tables:
            asyncio.run(compare(house, token, placer, tables, given))
    return 0


if __name__ == "__main__":
    sys.exit(main())
