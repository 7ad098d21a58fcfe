"""`python -m tests.long.kill --times 200`: six games, and shoes without a table, are played at three processes of a
house on PostgreSQL, while at random moments a process or the database is killed, a process stops for a while and wakes,
or a connection is cut after its COMMIT was sent.

Whoever plays sends again what was not answered. At the end: every acknowledged move of chips and every acknowledged
draw stands in the log once and no other does, every answer is the same when its request is sent again, every checkpoint
that was kept is a beginning of the log, and the audit is clean. With `--sqlite` one process is killed. With
`--only minute` whoever leads stops for a minute: another process must lead meanwhile, and go on when it wakes.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from fairshoe.cli import main as fairshoe
from fairshoe.client import Client
from fairshoe.engine.rules import RULES
from fairshoe.log.directory import read_lines
from fairshoe.log.note import verifier_of
from fairshoe.service.leadership import LOCK
from fairshoe.service.signing import KEPT_FILE
from fairshoe.service.vault import MASTER_FILE
from tests.long.cutting import Cutting
from tests.long.patrons import Patrons
from tests.long.serving import Serving
from tests.long.shoe_patrons import ShoePatrons, drawn_faults
from tests.long.told import Noting, Told, audit_faults, checkpoint_faults, chips_faults, not_again
from tests.postgresql import PostgreSQL

PROCESSES = 3
LEADS = f"""SELECT application_name, (SELECT value FROM meta WHERE name = 'leader') FROM pg_stat_activity
    JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND objid = {LOCK} AND granted"""
RUNNING = 2.0
"""Within how many seconds of one harm the next one comes."""
STOPS = 5.0
CUTS = 0.02
"""How long a process stops, and how many of the commits are cut then."""
MINUTE = 60.0
WAKES = 5.0
"""How long whoever leads stops, and how long it is watched when it wakes."""
PATIENCE = 120.0


class Harmed:
    """A house, and what is done to it. `done`: how often each; `replaced`: seconds until another process led in the
    place of one that had stopped; `faults` that were seen meanwhile."""

    def __init__(self, stack: ExitStack, directory: Path, chance: random.Random, count: int, *, sqlite: bool) -> None:
        self._chance = chance
        self.replaced: list[float] = []
        self.faults: list[str] = []
        self.done = Counter[str]()
        self.harms: dict[str, Callable[[], None]] = {"process": self._kill}
        more: list[str] = []
        if not sqlite:
            self._postgresql = stack.enter_context(PostgreSQL(sync=True))
            url, home = self._postgresql.database(), str(self._postgresql.home)
            self._name = urlsplit(url).path[1:]
            self._cutting = Cutting(directory, Path(home), chance.randrange(1 << 30))
            stack.callback(self._cutting.close)
            more = ["--database", url.replace(home, str(directory))]
            self.harms |= {"database": self._crash, "stop": self._stop, "cut": self._cut, "minute": self._minute}
        places = [directory / f"data-{number}" for number in range(1 if sqlite else count)]
        self.processes = [stack.enter_context(Serving(places[0], *more))]
        for place in places[1:]:
            place.mkdir(mode=0o700)
            for name in (MASTER_FILE, KEPT_FILE):
                shutil.copy(places[0] / name, place)
            self.processes.append(stack.enter_context(Serving(place, *more)))
        self.token = self.processes[0].token

    def harm(self) -> None:
        what = self._chance.choice(sorted(self.harms))
        self.harms[what]()
        self.done[what] += 1

    def _kill(self) -> None:
        one = self._chance.choice(self.processes)
        one.end(signal.SIGKILL)
        time.sleep(self._chance.choice((0, RUNNING)))
        one.begin()

    def _crash(self) -> None:
        self._postgresql.end(signal.SIGQUIT)
        time.sleep(self._chance.uniform(0, RUNNING))
        self._postgresql.begin()

    def _stop(self) -> None:
        one = self._chance.choice(self.processes)
        assert one.process is not None
        one.process.send_signal(signal.SIGSTOP)
        time.sleep(self._chance.uniform(0, STOPS))
        one.process.send_signal(signal.SIGCONT)

    def _minute(self) -> None:
        name, number = self._leads()
        (one,) = (each for each in self.processes if each.process and name == f"fairshoe {each.process.pid}")
        assert one.process is not None
        began = time.monotonic()
        one.process.send_signal(signal.SIGSTOP)
        while (after := self._leads())[1] in ("", number) and time.monotonic() < began + MINUTE:
            time.sleep(0.01)
        self.replaced.append(time.monotonic() - began)
        time.sleep(max(0, began + MINUTE - time.monotonic()))
        one.process.send_signal(signal.SIGCONT)
        until = time.monotonic() + WAKES
        while time.monotonic() < until:
            if self._leads() != after or after[0] == name:
                self.faults.append(f"{after} led in place of {name}, and {self._leads()} when it woke")
                return
            time.sleep(0.1)

    def _leads(self) -> tuple[str, str]:
        """The process that holds the lock, and its number; "" where there is none."""
        for name, number in self._postgresql.say(LEADS, self._name):
            return str(name), bytes(number).decode()
        return "", ""

    def _cut(self) -> None:
        before, until = self._cutting.cuts, time.monotonic() + STOPS
        self._cutting.often = CUTS
        while self._cutting.cuts == before and time.monotonic() < until:
            time.sleep(0.01)
        self._cutting.often = 0
        self.done["connections cut"] += self._cutting.cuts - before


def played(
    house: Harmed, names: list[str], times: int, chance: random.Random, told: list[Told]
) -> list[Patrons | ShoePatrons]:
    """Let the tables be played, and shoes without one, until the house was harmed so often, and what was begun is
    finished."""
    patrons: list[Patrons | ShoePatrons] = []
    for number, name in enumerate(names):
        at = house.processes[number % len(house.processes)]
        operator = Noting(at.address, house.token, told, patience=PATIENCE)
        patrons.append(Patrons(operator.with_token(house.token), name, chance.randrange(1 << 30)))
        patrons[-1].start()
    operator = Noting(house.processes[-1].address, house.token, told, patience=PATIENCE)
    patrons.append(ShoePatrons(operator.with_token(house.token), chance.randrange(1 << 30)))
    patrons[-1].start()
    for number in range(times):
        time.sleep(chance.uniform(0, RUNNING))
        house.harm()
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {times}", end="", file=sys.stderr, flush=True)
    for each in patrons:
        each.stop()
    return patrons


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.kill", description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULES", help=f"of {', '.join(RULES)} (default: all)")
    parser.add_argument("--times", type=int, default=200, metavar="N")
    harms = "process, database, stop, cut (default: these) or minute; repeatable"
    parser.add_argument("--only", action="append", metavar="HARM", help=harms)
    parser.add_argument("--processes", type=int, default=PROCESSES, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--sqlite", action="store_true")
    args = parser.parse_args(words)
    chance, told = random.Random(args.seed), list[Told]()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        directory, began = Path(name), time.monotonic()
        directory.chmod(0o755)
        house = Harmed(stack, directory, chance, args.processes, sqlite=args.sqlite)
        only = args.only or house.harms.keys() - {"minute"}
        house.harms = {what: do for what, do in house.harms.items() if what in only}
        patrons = played(house, args.rules or sorted(RULES), args.times, chance, told)
        seconds = time.monotonic() - began
        last = chance.choice(house.processes)
        faults = house.faults + [f"{each.name}: {each.fault!r}" for each in patrons if each.fault is not None]
        faults += not_again(last.address, told)
        fairshoe(["pull", last.address, str(directory / "log")])
        lines = [line.removesuffix(b"\n") for line in read_lines(directory / "log")]
        notes = [note for each in patrons for _, note in each.checkpoints]
        faults += checkpoint_faults(lines, verifier_of(Client(last.address).verifier()), notes)
        faults += chips_faults(lines, told) + drawn_faults(lines, told) + audit_faults(directory / "log")
        starts = sum(b'"kind":"start"' in line for line in lines)
        codes = [each.end(signal.SIGTERM) for each in house.processes]
        faults += [f"the last stop: exit codes {codes}"] if any(codes) else []
    harms = ", ".join(f"{what} {count}" for what, count in sorted(house.done.items()))
    print(f"{harms}; {seconds:.0f} s, {len(patrons)} games, {len(lines)} entries, {starts} of them starts")
    if house.replaced:
        print(f"another process led after {', '.join(f'{each:.1f}' for each in house.replaced)} s")
    print(f"{len(told)} requests acknowledged, each sent again; {len(notes)} checkpoints kept")
    print("\n".join(faults) or "nothing was lost, nothing done twice, the audit is clean")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
