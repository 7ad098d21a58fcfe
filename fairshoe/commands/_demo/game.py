"""One table of bots, from the first buy-in to the last reveal, over HTTP only."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ...client import Client, Problem, Seat, Table
from ...engine.rules import RULES, rules_of
from ...errors import LogError
from .bots import BUY_IN, Bot, refused_for_chips, seats_for

PLAYERS = ("alice", "bob", "carol", "dave", "erin", "frank", "grace")
PATIENCE = 120.0
"""Seconds without anything happening after which the demonstration gives up."""

Progress = Callable[[int], None]


def player_name(index: int) -> str:
    return PLAYERS[index] if index < len(PLAYERS) else f"player-{index + 1}"


def play(
    operator: Client, name: str, rounds: int, seats: int, progress: Progress, bot: Callable[[Seat], Bot] = Bot
) -> Table:
    """Play `rounds` rounds of the rule set `name` by bots, then close the table. Raises Problem, LogError."""
    table = operator.create_table(name, table=name)
    count = seats_for(rules_of(name), seats)
    bots = [bot(table.sit(player_name(index), BUY_IN)) for index in range(count)]
    _rounds(bots, rounds, progress)
    table.send("close")
    _until_closed(table)
    return table


def _rounds(bots: list[Bot], rounds: int, progress: Progress) -> None:
    last, shown = time.monotonic(), 0
    while True:
        acted = False
        for bot in bots:
            state = bot.seat.refresh()
            while _act(bot, bots, rounds):
                acted = True
                state = bot.seat.state
            if state["rounds"] != shown:
                shown = state["rounds"]
                progress(shown)
            if state["rounds"] >= rounds and state["round"] is None:
                return
        if acted:
            last = time.monotonic()
        elif time.monotonic() - last > PATIENCE:
            raise LogError("the table stands still", where=bots[0].seat.table.name)


def _act(bot: Bot, bots: list[Bot], rounds: int) -> bool:
    try:
        return bot.act(rounds)
    except Problem as problem:
        if not refused_for_chips(problem):
            raise
        for each in bots:
            each.buy_in()
        return True


def _until_closed(table: Table) -> None:
    state: dict[str, Any] = table.state()
    while state["phase"] != "closed":
        time.sleep(0.05)
        state = table.state()


def rule_sets(name: str) -> list[str]:
    """The rule sets that `--rules` means. Raises InputError."""
    if name == "all":
        return sorted(RULES)
    rules_of(name)
    return [name]
