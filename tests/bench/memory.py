"""The memory of an audit over logs of growing size, and its time a round; each audit is a process of its own.

What may not come twice is held in memory up to a bound, and then on the disk. So there are two figures: the most memory
that was resident; and by how much the living objects grow with each round when that bound is met from the start, as it
is in a long log, and caches of bounded size are left out. `python -m tests.bench.memory ROUNDS...` takes other sizes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from fairshoe.simulate.house import plan_house, write_house_log

GAMES = ("casino", "banker", "boxes", "lounge")
SIZES = (10_000, 100_000)
TRACED = 10_000
AUDIT = """
import json, resource, sys, time
from pathlib import Path
from audit_cli.verify.run import verify
report = verify(Path(sys.argv[1]))
resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps([report.failed, report.rounds, resident, time.process_time()]))
"""
TRACE = """
import gc, json, sys, tracemalloc
from pathlib import Path
from functools import lru_cache
from audit_cli import seen
from audit_cli.verify.run import verify
seen.MAX_KEPT = 512
CACHE = type(lru_cache(len))
marks, lines = [], sum(1 for _ in open(Path(sys.argv[1]) / "log.jsonl", "rb"))
def watch(audit, line):
    audit.take(line)
    if audit.index in (lines // 2, lines - 1):
        for each in gc.get_objects():
            if type(each) is CACHE:
                each.cache_clear()  # of bounded size
        gc.collect()
        marks.append((tracemalloc.get_traced_memory()[0], audit.report.rounds))
tracemalloc.start()
report = verify(Path(sys.argv[1]), watch=watch)
(half, before), (whole, rounds) = marks
print(json.dumps([report.failed, (whole - half) / (rounds - before)]))
"""


def asked(code: str, game: str, rounds: int) -> Any:
    """What a process prints that audits a log of the game."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        write_house_log(log, plan_house([game], rounds, bytes(32)))
        failed, *told = json.loads(
            subprocess.run([sys.executable, "-c", code, str(log)], check=True, stdout=subprocess.PIPE).stdout
        )
    if failed:
        raise SystemExit(f"the log of {game} does not pass the audit")
    return told


def run(sizes: tuple[int, ...] = SIZES) -> None:
    for game in GAMES:
        each = []
        for size in sizes:
            rounds, resident, seconds = asked(AUDIT, game, size)
            each.append((rounds, resident, seconds / rounds * 1e6))
        (slope,) = asked(TRACE, game, TRACED)
        told = ", ".join(f"{rounds:,} rounds {resident} MB {spent:.1f} µs a round" for rounds, resident, spent in each)
        ratio = each[-1][2] / each[0][2]
        print(f"memory, {game}: {told} (× {ratio:.2f}); past the bounds {slope:+.1f} bytes a round", flush=True)


if __name__ == "__main__":
    run(tuple(map(int, sys.argv[1:])) or SIZES)
