"""The memory of an audit over logs of growing size, and its time a round; each audit is a process of its own.

`python -m tests.bench.memory ROUNDS...` takes other sizes.
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
AUDIT = """
import json, resource, sys, time
from pathlib import Path
from audit_cli.verify.run import verify
report = verify(Path(sys.argv[1]))
resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps([report.failed, report.rounds, resident, time.process_time()]))
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
        told = ", ".join(f"{rounds:,} rounds {resident} MB {spent:.1f} µs a round" for rounds, resident, spent in each)
        ratio = each[-1][2] / each[0][2]
        print(f"memory, {game}: {told} (× {ratio:.2f})", flush=True)


if __name__ == "__main__":
    run(tuple(map(int, sys.argv[1:])) or SIZES)
