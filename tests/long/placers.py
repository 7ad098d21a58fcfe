"""`python -m tests.long.placers --times 40`: tables with a placer are played, while at random moments the house, the
placer or both are killed.

At the end: whatever was acknowledged stands in the log once, every answer is the same when its request is sent again,
the audit is clean, each card that the placer was asked for is in an entry, and house and placer agree.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import urllib3

from audit_cli.cases.placement import audit_placement
from fairshoe.cli import main as fairshoe
from fairshoe.log.directory import read_lines
from fairshoe.log.note import Verifier
from fairshoe.placer.command import signer_of
from fairshoe.service.house import open_house
from fairshoe.service.placement_file import FILE
from tests.long.patrons import Patrons
from tests.long.serving import Serving, free_port
from tests.long.told import Noting, Told, audit_faults, checkpoint_faults, chips_faults, not_again

PATIENCE = 120.0
RUNNING = 2.0
COMMITTED = re.compile('"commitment":"(.{64})","key"')
RULES = ("boxes", "casino", "pontoon")


class Placing:
    """`fairshoe placer` as a process of its own."""

    def __init__(self, folder: Path, log: Verifier) -> None:
        port = str(free_port())
        self.address, self.key = f"http://127.0.0.1:{port}", str(signer_of(folder / "key", "placer.example").verifier)
        known = ["--name", "placer.example", "--key", str(folder / "key"), "--data", str(folder / "data")]
        self._command = [sys.executable, "-m", "fairshoe.placer", *known, "--log", str(log), "--port", port]
        self.begin()

    def begin(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        said = self._process.stdout.readline() if self._process.stdout else ""
        assert "listens on" in said, said

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        self._process.send_signal(how)
        self._process.communicate()

    def kept(self, commitment: str) -> dict[str, object]:
        """What it answers of a shoe."""
        form: dict[str, object] = urllib3.request("GET", f"{self.address}/shoes/{commitment}").json()
        return form


def harm(house: Serving, placer: Placing, chance: random.Random) -> str:
    what = chance.choice(("house", "placer", "both"))
    if what != "placer":
        house.end(signal.SIGKILL)
    if what != "house":
        placer.end()
    time.sleep(chance.choice((0, RUNNING)))
    if what != "house":
        placer.begin()
    if what != "placer":
        house.begin()
    return what


def pulled(house: Serving, folder: Path) -> list[bytes]:
    """The log, once nothing more comes of what is over."""
    while True:
        fairshoe(["pull", house.address, str(folder)])
        lines = [line.removesuffix(b"\n") for line in read_lines(folder)]
        kinds = Counter(json.loads(line)["kind"] for line in lines)
        if kinds["placed"] == kinds["reveal"] + kinds["void"] + kinds["lost"]:
            return lines
        time.sleep(0.5)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.placers", description=__doc__)
    parser.add_argument("--times", type=int, default=40, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args(words)
    chance, told, done = random.Random(args.seed), list[Told](), Counter[str]()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        directory = Path(name)
        (directory / "placer").mkdir()
        opened = open_house(directory / "house")
        token, log = opened.token, opened.sequencer.signer.verifier
        opened.close()
        placer = Placing(directory / "placer", log)
        stack.callback(placer.end)
        house = stack.enter_context(Serving(directory / "house", "--placer", f"{placer.address}={placer.key}"))
        patrons = []
        for rules in RULES:
            operator = Noting(house.address, token, told, patience=PATIENCE).with_token(token)
            patrons.append(Patrons(operator, rules, chance.randrange(1 << 30), placer=placer.key))
            patrons[-1].start()
        for _ in range(args.times):
            time.sleep(chance.uniform(0, RUNNING))
            done[harm(house, placer, chance)] += 1
        for each in patrons:
            each.stop()
        faults = [f"{each.name}: {each.fault!r}" for each in patrons if each.fault is not None]
        faults += not_again(house.address, told)
        lines = pulled(house, directory / "log")
        notes = [note for each in patrons for _, note in each.checkpoints]
        faults += checkpoint_faults(lines, log, notes) + chips_faults(lines, told) + audit_faults(directory / "log")
        of_house = [json.loads(line) for line in (directory / "house" / FILE).read_text().splitlines()]
        of_placer = [
            placer.kept(found) for line in lines for found in re.findall('"commitment":"(.{64})","key"', line.decode())
        ]
        (directory / "kept").write_text(json.dumps([*of_house, *of_placer]))
        found = audit_placement(directory / "kept", directory / "log", log)
        faults += [str(fault) for fault in found.faults] + (["not all is signed"] if found.left else [])
        rounds = sum(b'"kind":"round"' in line for line in lines)
    harms = ", ".join(f"{what} {count}" for what, count in sorted(done.items()))
    print(f"{harms}; {len(lines)} entries, {rounds} rounds, {len(told)} requests acknowledged, each sent again")
    print(f"{found.held} questions and notes")
    print("\n".join(faults) or "nothing was lost, nothing dealt twice, the audit is clean, house and placer agree")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
