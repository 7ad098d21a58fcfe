"""The parts of a demonstration: bots that play over HTTP, a directory of its own, commands to copy."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..client import Client, RemoteTable, Seat
from ..engine.hand import VALUE, Hand
from ..engine.moves import Move
from ..engine.rules import RULES, Rules, rules_of
from ..engine.strategies import advice
from ..errors import InputError, LogError
from ..log.note import Signer
from ..protocol.commitment import new_key
from ..service import placement_file
from ..service.house import OpenedHouse, open_house
from ..service.settings import Settings

Form = dict[str, Any]
Progress = Callable[[int], None]
BUY_IN = 10_000
LOW_ON_CHIPS = 20
"""A bot with less than this many lowest bets buys in again."""
PLAYERS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace")
FIRST = PLAYERS[0]
DEMO_TIMEOUT = 120.0
"""Seconds without anything happening after which the demonstration gives up."""
MARK = ".fairshoe-demo"
PLACED = placement_file.FILE
RECEIPTS, PROOF, PAGE = "alice.receipts", "hand.json", "verify.html"
"""Files that the first player keeps."""
TEXT = (
    f"`fairshoe demo` wrote log.jsonl, checkpoint, log.vkey, {RECEIPTS}, {PROOF}, {PAGE} and {PLACED} here, and "
    "replaces them when it is run again.\n"
)
REMEDY = "name another directory with --out"
AUDITOR = "fairshoe-audit"


class Bot:
    """A seat that plays the reference advice where there is an upcard, like the bank elsewhere."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.rules = rules_of(seat.state["rules"], seat.state["options"])

    def act(self, rounds: int) -> bool:
        """Do one thing, if the table expects one; no shoe or bet once `rounds` were opened."""
        wanted = self.seat.next() or next(iter(self.seat.expects("waiver") + self.seat.expects("here")), None)
        if wanted is None:
            return False
        what = wanted["do"]
        if what in ("shoe", "bets") and self.seat.state["rounds"] >= rounds:
            return False
        if what in ("shoe", "here"):
            self.seat.send(what)
        elif what == "bets":
            self._bet(wanted)
        elif what == "decisions":
            self.seat.decide(**self._choose(wanted))
        else:
            self.seat.contribute(waive=True)
        return True

    def buy_in(self) -> None:
        self.seat.send("chips", op="buy-in", amount=BUY_IN)

    def _bet(self, wanted: Form) -> None:
        if self.seat.state["chips"][str(self.seat.seat)] < LOW_ON_CHIPS * wanted["low"]:
            self.buy_in()
        self.seat.bet(wanted["low"])

    def _choose(self, wanted: Form) -> Form:
        moves = tuple(Move(move["move"]) for move in wanted["moves"])
        if wanted["about"] != "round" or not {"hit", "stand"} <= {move.name for move in moves}:
            default: Form = wanted["default"]
            return default
        view = self.seat.state["round"]["view"]
        dealer, own = view["dealer"]["cards"], view["hand"]
        hand = hand_of(dealer if own < 0 else view["hands"][own]["cards"])
        if own < 0 or self.rules.upcard is None:
            return {"move": "hit" if self.rules.bank_hits(hand) else "stand"}
        return {"move": advice(hand, VALUE[dealer[self.rules.upcard]], moves)}


def hand_of(cards: list[str]) -> Hand:
    """Return the engine's hand of the cards that a seat sees."""
    hand = Hand(0, 0, 0)
    for label in cards:
        hand.cards.append(label)
        hand.hard += VALUE[label]
        hand.aces += VALUE[label] == 1
    return hand


def seats_for(rules: Rules, wanted: int) -> int:
    """How many bots sit down: as many as wanted, within what the rules seat."""
    return max(rules.players_needed, min(wanted, rules.chairs[1]))


def play(
    operator: Client,
    name: str,
    rounds: int,
    seats: int,
    progress: Progress,
    *,
    receipts: Path | None = None,
    placer: str = "",
) -> RemoteTable:
    """Play `rounds` rounds by bots; then everybody leaves. The first keeps its `receipts`. `placer`: the table's key.
    Raises Problem, LogError."""
    table = operator.create_table(name, table=name, **({"placer": placer} if placer else {}))
    count = seats_for(rules_of(name), seats)
    names = [*PLAYERS, *(f"player-{number}" for number in range(len(PLAYERS) + 1, count + 1))][:count]
    bots = [Bot(table.sit(name, BUY_IN, receipts=receipts if name == FIRST else None)) for name in names]
    _rounds(bots, rounds, progress)
    _everybody_leaves(bots)
    table.send("close")
    return table


def _rounds(bots: list[Bot], rounds: int, progress: Progress) -> None:
    last, shown = time.monotonic(), 0
    while True:
        acted = False
        for bot in bots:
            state = bot.seat.refresh()
            while bot.act(rounds):
                acted = True
                state = bot.seat.state
            if state["rounds"] != shown:
                shown = state["rounds"]
                progress(shown)
            if state["rounds"] >= rounds and state["round"] is None:
                return
        if acted:
            last = time.monotonic()
        elif state["phase"] == "idle":  # nobody may ask for a shoe: the chips, or lounge's pool, are used up
            for bot in bots:
                bot.buy_in()
        elif time.monotonic() - last > DEMO_TIMEOUT:
            raise LogError("the table stands still", where=bots[0].seat.table.name)
        else:
            bots[0].seat.wait()


def _everybody_leaves(bots: list[Bot]) -> None:
    """A shoe on which nobody plays any more is revealed. Who banks it leaves after that."""
    last = time.monotonic()
    while bots:
        for bot in list(bots):
            while bot.seat.refresh() and bot.act(0):
                pass
            if any("leave" in form["ops"] for form in bot.seat.expects("chips")):
                bot.seat.leave()
                bots.remove(bot)
                last = time.monotonic()
        if time.monotonic() - last > DEMO_TIMEOUT:
            raise LogError("a chair cannot be left", where=bots[0].seat.table.name)


@contextmanager
def house_in(data: Path, placer: bool) -> Iterator[tuple[OpenedHouse, str]]:
    """A house with its data in this directory, and the verifier key of the placer that runs beside it, or ""."""
    if not placer:
        yield open_house(data, settings=Settings(limits=False)), ""
        return
    from ..placer.app import listen, server
    from ..placer.store import Store

    signer = Signer("placer.demo", new_key())
    key = str(signer.verifier)
    with listen("127.0.0.1", 0) as listening:
        named = (f"http://127.0.0.1:{listening.getsockname()[1]}={key}",)
        house = open_house(data, settings=Settings(limits=False, placers=named))
        with server(Store(data / "placer", signer), signer.verifier, [house.sequencer.signer.verifier], listening):
            yield house, key


def settle(house: OpenedHouse, tables: Sequence[str]) -> None:
    """Wait until the placer's keys of all shoes of these tables are there. Raises LogError."""
    end = time.monotonic() + DEMO_TIMEOUT
    while any(house.sequencer.awaited(table).questions for table in tables):
        if time.monotonic() > end:
            raise LogError("the placer stands still", where=", ".join(tables))
        time.sleep(0.05)


def rule_sets(name: str) -> list[str]:
    """Return the rule sets that `--rules` means. Raises InputError."""
    if name == "all":
        return sorted(RULES)
    rules_of(name)
    return [name]


def make_folder(path: Path) -> None:
    """Make and mark the directory. Raises InputError where something is in it that no demo wrote."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not (path / MARK).exists() and any(path.iterdir()):
            what = "there is something that no demo wrote"
            raise InputError(what, where=str(path), expected="a new or empty directory", remedy=REMEDY)
        (path / MARK).write_text(TEXT)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", where=str(path), remedy=REMEDY) from None


def as_argument(path: Path) -> str:
    """A path that no command takes for an option or for standard input."""
    text = str(path)
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def audit_hint(*arguments: str) -> str:
    """Return a shell line that runs the auditor: by its name if the shell finds it, else by its path."""
    beside = Path(sys.executable).with_name(AUDITOR)
    path = beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside
    by_path = [str(path)] if beside.exists() else [sys.executable, "-m", "audit_cli.main"]
    return shlex.join([*([AUDITOR] if shutil.which(AUDITOR) else by_path), *arguments])
