"""`python -m tests.load.placed [--tables 1 16] [--seconds 10] [--rules casino]`: what a table with a placer costs,
beside one without.

One house, and a placer as a process of its own on the same loopback and disk; as many tables with it as without, which
play in turns, each followed by its player. One line each: rounds a second, and processor milliseconds a round of house
and placer; then the rounds with a placer as a share of those without, by the clock and by the house's processor; at
last the bytes of log a round at either, and of questions and notes. On a machine with other work look at the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from fairshoe.client import Client
from fairshoe.service.house import open_house
from fairshoe.service.placement_file import FILE
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


def weigh(house: Serving, kept: Path) -> None:
    """Bytes a round, of the log and of what the house keeps of its placer's answers."""
    entries = [(json.loads(line), len(line) + 1) for line in Client(house.address).log()]
    placed = {entry["table"] for entry, _ in entries if entry["kind"] == "table" and "placer" in entry}
    rounds, size = Counter[bool](), Counter[bool]()
    for entry, length in entries:
        is_placed = (entry.get("table") or entry.get("shoe", "").rpartition("/")[0]) in placed
        rounds[is_placed] += entry["kind"] == "round"
        size[is_placed] += length
    plain, among = (size[each] / rounds[each] for each in (False, True))
    more = kept.stat().st_size / rounds[True]
    print(f"     bytes of log a round: {plain:.0f} without, {among:.0f} with a placer, and {more:.0f} of {kept.name}")


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
        weigh(house, folder / "data" / FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
