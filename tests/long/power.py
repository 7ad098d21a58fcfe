"""`python -m tests.long.power --times 200`: the power is cut at random moments while all six games are played.

What the service writes and syncs is recorded (strace). The data directory is built as a power cut may leave it at a
moment: with any of the writes and names that were not synced lost or torn. A house started on it must start, have all
that was answered before that moment, answer the last requests again, and pass the audit.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from fairshoe.engine.rules import RULES
from fairshoe.errors import FairshoeError
from fairshoe.log.directory import write_log
from fairshoe.service.app import create_app
from fairshoe.service.house import open_house
from tests.long.disk import Op, Recording, cuts, write
from tests.long.patrons import Patrons
from tests.long.serving import Serving
from tests.long.told import Noting, Told, audit_faults


def log_of(data: Path, copy: Path) -> list[bytes]:
    """The whole log of a data directory, written to `copy` as well. Raises Unusable."""
    house = open_house(data)
    lines = list(house.sequencer.log.lines(0, house.sequencer.log.size()))
    write_log(copy, lines, house.sequencer.signer)
    house.database.close()
    return lines


def lost(data: Path, copy: Path, told: Sequence[Told], seen: int, final: Sequence[bytes], again: int) -> list[str]:
    """What a house that starts on `data` has lost of what was told: its log is a beginning of the `final` one with the
    entries that were `seen`, the last answers are given `again`, and the audit is clean once it has started."""
    lines = log_of(data, copy)
    faults = [f"entry {i} is another" for i, line in enumerate(lines) if final[i : i + 1] != [line]]
    wanted = max([seen, *(each.log for each in told)])
    if len(lines) < wanted:
        faults.append(f"{len(lines)} entries are left of {wanted}")
    faults += _not_again(data, told[-again:])
    started = copy.with_name(copy.name + "-started")
    return faults + (audit_faults(started) if log_of(data, started) else [])


def _not_again(data: Path, told: Sequence[Told]) -> list[str]:
    house = open_house(data)
    house.sequencer.transactions.start()
    client, faults = create_app(house.sequencer).test_client(), []
    for each in told:
        headers = {"Idempotency-Key": each.key, "Content-Type": "application/json"}
        if each.token is not None:
            headers["Authorization"] = f"Bearer {each.token}"
        answer = client.post(each.path, data=json.dumps(each.body), headers=headers)
        if answer.headers.get("Idempotent-Replay") != "true" or json.loads(answer.data) != each.answer:
            faults.append(f"{each.path} is not answered as before: {answer.data[:200]!r}")
    house.database.close()
    return faults


AGAIN = 20
"""How many of the last answers are asked for once more."""
FOUNDING = 0.1
"""The part of the cuts that come while the house is founded."""
PATIENCE = 60.0


class Played:
    """Games under the recorder: what was told, with the checkpoints and when they were seen, and what was written."""

    def __init__(self, directory: Path, names: list[str], seconds: float, seed: int) -> None:
        data = directory / "data"
        recording = Recording(data, directory / "traces")
        with Serving(data, under=recording.under) as serving:
            self._play(serving, names, seconds, seed)
        self.ops = recording.ops()
        self.told.sort(key=lambda each: each.at)
        self.seen = [(at, int(note.split("\n")[1])) for each in self.patrons for at, note in each.checkpoints]
        self.lines = log_of(data, directory / "log")
        self.faults = [f"{each.name}: {each.fault!r}" for each in self.patrons if each.fault is not None]
        self.faults += audit_faults(directory / "log")

    def _play(self, serving: Serving, names: list[str], seconds: float, seed: int) -> None:
        self.founded = time.time()
        self.told: list[Told] = []
        operator = Noting(serving.address, serving.token, self.told, patience=PATIENCE)
        self.patrons = [Patrons(operator.with_token(serving.token), name, seed) for name in names]
        for each in self.patrons:
            each.start()
        time.sleep(seconds)
        for each in self.patrons:
            each.stop()
        serving.end(signal.SIGTERM)

    def moments(self, times: int, chance: random.Random) -> list[float]:
        """Just after a call was done: the more is done, the more cuts there are."""
        early = [op for op in self.ops if op.done < self.founded]
        return [chance.choice(early if chance.random() < FOUNDING else self.ops).done for _ in range(times)]

    def lost(self, data: Path, moment: float) -> list[str]:
        told = [each for each in self.told if each.at <= moment]
        seen = max([size for at, size in self.seen if at <= moment], default=0)
        try:
            return lost(data, data.with_name(data.name + "-log"), told, seen, self.lines, AGAIN)
        except FairshoeError as error:
            return [f"the house does not start: {error}"]


def syncs(ops: list[Op]) -> int:
    return sum(op.kind == "sync" for op in ops)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.power", description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULES", help=f"of {', '.join(RULES)} (default: all)")
    parser.add_argument("--times", type=int, default=200, metavar="N")
    parser.add_argument("--seconds", type=float, default=30, metavar="N", help="of play that is recorded")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(words)
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        played = Played(directory, args.rules or sorted(RULES), args.seconds, args.seed)
        faults = list(played.faults)
        for number, (moment, files) in enumerate(cuts(played.ops, played.moments(args.times, chance), chance)):
            data = directory / f"cut-{number}"
            write(files, data)
            faults += [
                f"cut {number} after {moment - played.ops[0].done:.6f} s: {what}" for what in played.lost(data, moment)
            ]
    print(f"the power was cut {args.times} times in {len(played.ops)} calls, {syncs(played.ops)} of them syncs")
    print(f"{len(played.lines)} entries, {len(played.told)} requests acknowledged, {len(played.seen)} checkpoints kept")
    print("\n".join(faults) or "every house started, nothing that was told was lost, each audit is clean")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
