"""`python -m tests.long.kill --kills 200`: the service is killed at random moments while all six games are played.

Each table's players send again what was not answered. At the end: every acknowledged move of chips stands in the log
once and no other does, every receipt agrees with the log, every checkpoint that was kept is a beginning of it, no entry
that was read has changed, and the audit is clean.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from fairshoe.client import Client, Unreachable
from fairshoe.engine.rules import RULES
from tests.long.held import audit_faults, checkpoint_faults, chips_faults, log_of, receipt_faults
from tests.long.patrons import Patrons
from tests.long.serving import Serving

EARLY = 0.1
"""How often the service is killed while it starts."""
STARTING, RUNNING = 2.0, 1.5
"""Within how many seconds of its start, or after it listens, it is killed."""
PACE = 0.1
PATIENCE = 600.0


class Reader(threading.Thread):
    """Reads the log as it grows: `lines` is all that it saw."""

    def __init__(self, address: str) -> None:
        super().__init__(name="reader", daemon=True)
        self._client = Client(address)
        self._over = threading.Event()
        self.lines: list[bytes] = []

    def stop(self) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(PACE):
            try:
                for line in self._client.log(len(self.lines)):
                    self.lines.append(line)
            except Unreachable:
                continue


def played(serving: Serving, directory: Path, names: list[str], kills: int, seed: int) -> tuple[list[Patrons], Reader]:
    """Let the tables be played until the service has been killed so often, and what was begun is finished."""
    directory.mkdir()
    operator = Client(serving.address, serving.token, patience=PATIENCE)
    patrons = [Patrons(operator.with_token(serving.token), name, directory, seed) for name in names]
    reader = Reader(serving.address)
    for thread in (*patrons, reader):
        thread.start()
    chance = random.Random(seed)
    for number in range(kills):
        time.sleep(chance.uniform(0, RUNNING))
        serving.end()
        serving.start()
        if chance.random() < EARLY and number < kills - 1:
            time.sleep(chance.uniform(0, STARTING))
        else:
            serving.wait()
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {kills}", end="", file=sys.stderr, flush=True)
    for each in patrons:
        each.stop()
    reader.stop()
    return patrons, reader


def faults_of(data: Path, patrons: list[Patrons], reader: Reader) -> tuple[int, list[str]]:
    """How many entries the log has, and what is wrong."""
    copy = data.with_name("log")
    lines, verifier = log_of(data, copy)
    faults = [f"{each.name}: {each.fault!r}" for each in patrons if each.fault is not None]
    faults += [f"entry {i} was another" for i, line in enumerate(reader.lines) if lines[i : i + 1] != [line]]
    faults += checkpoint_faults(lines, verifier, [note for each in patrons for _, note in each.checkpoints])
    faults += chips_faults(lines, patrons) + receipt_faults(copy, patrons) + audit_faults(copy)
    return len(lines), faults


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.kill", description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULES", help=f"of {', '.join(RULES)} (default: all)")
    parser.add_argument("--kills", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory) / "data"
        began = time.monotonic()
        with Serving(data) as serving:
            receipts = data.with_name("receipts")
            patrons, reader = played(serving, receipts, args.rules or sorted(RULES), args.kills, args.seed)
            code = serving.end(signal.SIGTERM)
        entries, faults = faults_of(data, patrons, reader)
    moved = sum(sum(each.chips.values()) for each in patrons)
    print(f"{serving.starts - 1} kills in {time.monotonic() - began:.0f} s, {len(patrons)} games, {entries} entries")
    print(f"{sum(each.sent for each in patrons)} requests acknowledged, {moved} of them moves of chips")
    print(f"{sum(len(each.receipts) for each in patrons)} files of receipts, ", end="")
    print(f"{sum(len(each.checkpoints) for each in patrons)} checkpoints and {len(reader.lines)} entries kept")
    faults += [f"the last stop: exit code {code}"] if code else []
    print("\n".join(faults) or "nothing was lost, nothing done twice, the audit is clean")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
