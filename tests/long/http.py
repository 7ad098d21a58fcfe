"""`python -m tests.long.http [RULES]...`: 500 rounds of each rule set over HTTP with random legal decisions.

A real server on loopback, SQLite with durable commits, several seats; the bank changes hands, decks are
reshuffled in the middle of deals, players ask for reshuffles before the opening. Then the auditor reads the
log, and everything is counted from it. Exit code 0 only if it is clean.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from audit_cli.verify import verify
from fairshoe.client import Client, Seat
from fairshoe.commands._demo import Bot, Form, play
from fairshoe.engine.rules import RULES
from fairshoe.log.directory import write_log
from fairshoe.service.house import open_house
from fairshoe.service.server import Server
from fairshoe.service.settings import Settings

ROUNDS = 500
SEATS = 4
RESHUFFLES = 0.02


class RandomBot(Bot):
    """Any legal decision, any bet; now and then a request for a reshuffle."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.random = random.Random(seat.player)

    def act(self, rounds: int) -> bool:
        if self.seat.expects("reshuffle") and self.random.random() < RESHUFFLES:
            self.seat.send("reshuffle")
            return True
        return super().act(rounds)

    def _bet(self, wanted: Form) -> None:
        unit = wanted["unit"]
        low, high = wanted["low"] // unit, min(wanted["high"], wanted["low"] + 40) // unit
        if self.seat.state["chips"][str(self.seat.seat)] < 3 * high * unit * SEATS:
            self.buy_in()
        self.seat.bet(unit * self.random.randint(low, high))

    def _choose(self, wanted: Form) -> Form:
        move = self.random.choice(wanted["moves"])
        choice: Form = {"move": move["move"]}
        if "high" in move:
            choice["amount"] = self.random.randint(move["low"], move["high"])
        if "among" in move:
            many = self.random.randint(move["fewest"], move["most"])
            choice["chosen"] = sorted(self.random.sample(move["among"], many))
        return choice


def main(names: list[str]) -> int:
    failed = 0
    for name in names or sorted(RULES):
        with tempfile.TemporaryDirectory() as directory:
            house = open_house(Path(directory) / "data", settings=Settings(limits=False))
            log = Path(directory) / "log"
            with Server(house) as server:
                operator = Client(server.address, house.token)
                play(operator, name, ROUNDS, SEATS, _progress(name), RandomBot)
                lines = list(operator.log())
                operator.close()
            write_log(log, lines, house.sequencer.signer)
            report = verify(log)
            kinds = Counter(_sort(json.loads(line)) for line in lines)
            verdict = "FAIL" if report.failed else "pass"
            print(
                f"{name:8} {verdict} {report.rounds} rounds; " + ", ".join(f"{k} {n}" for k, n in sorted(kinds.items()))
            )
            failed += report.failed
    return 1 if failed else 0


def _sort(entry: Form) -> str:
    why = entry.get("why") if entry["kind"] in ("bank", "void", "reveal") else None
    return f"{entry['kind']}:{why}" if why else str(entry["kind"])


def _progress(name: str):  # type: ignore[no-untyped-def]
    if not sys.stderr.isatty():
        return lambda done: None
    return lambda done: print(f"\r{name}: round {done} of {ROUNDS}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
