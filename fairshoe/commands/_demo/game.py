"""One table of bots, from the first buy-in to the last reveal, over HTTP only."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ...client import Client, Seat, Table
from ...engine.rules import RULES, rules_of
from ...errors import LogError
from .bots import BUY_IN, Bot, seats_for

PLAYERS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace")
FIRST = PLAYERS[0]
PATIENCE = 120.0
"""Seconds without anything happening after which the demonstration gives up."""

Progress = Callable[[int], None]


def player_name(index: int) -> str:
    return PLAYERS[index] if index < len(PLAYERS) else f"player-{index + 1}"


def play(
    operator: Client,
    name: str,
    rounds: int,
    seats: int,
    progress: Progress,
    bot: Callable[[Seat], Bot] = Bot,
    *,
    receipts: Path | None = None,
) -> Table:
    """Play `rounds` rounds of the rule set `name` by bots; then everybody leaves. The first one keeps its `receipts`.
    Raises Problem, LogError."""
    table = operator.create_table(name, table=name)
    count = seats_for(rules_of(name), seats)
    kept = [receipts] + [None] * (count - 1)
    bots = [bot(table.sit(player_name(index), BUY_IN, receipts=kept[index])) for index in range(count)]
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
        elif time.monotonic() - last > PATIENCE:
            raise LogError("the table stands still", where=bots[0].seat.table.name)


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
        if time.monotonic() - last > PATIENCE:
            raise LogError("a chair cannot be left", where=bots[0].seat.table.name)


def rule_sets(name: str) -> list[str]:
    """The rule sets that `--rules` means. Raises InputError."""
    if name == "all":
        return sorted(RULES)
    rules_of(name)
    return [name]
