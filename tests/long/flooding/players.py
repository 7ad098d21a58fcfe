"""Tables of all games on which bots play on and on, at the pace of quick people, and what their commands took."""

from __future__ import annotations

import threading
import time

from fairshoe.client import Client
from fairshoe.commands._demo import BUY_IN, Bot
from fairshoe.engine.rules import RULES

PACE = 0.05
"""Seconds between two commands at a table."""
SEATS = 2
ENDLESS = 1_000_000


class Table(threading.Thread):
    """One table; `took` are seconds of a command, `failed` what went wrong."""

    def __init__(self, operator: Client, rules: str, stop: threading.Event) -> None:
        super().__init__(name=rules, daemon=True)
        self.took: list[float] = []
        self.failed: list[str] = []
        self._ended = stop
        table = operator.create_table(rules, table=rules)
        self._bots = [Bot(table.sit(f"{rules}-{index}", BUY_IN)) for index in range(1 if rules == "banker" else SEATS)]

    def run(self) -> None:
        while not self._ended.is_set():
            for bot in self._bots:
                try:
                    self._turn(bot)
                except Exception as error:
                    self.failed.append(f"{type(error).__name__}: {error}")
                    self._ended.wait(1)

    def _turn(self, bot: Bot) -> None:
        bot.seat.refresh()
        while not self._ended.is_set():
            began = time.perf_counter()
            acted = bot.act(ENDLESS)
            if not acted:
                break
            self.took.append(time.perf_counter() - began)
            self._ended.wait(PACE)
        if bot.seat.state["phase"] == "idle":
            bot.buy_in()
        self._ended.wait(PACE)


class Play:
    """All tables, for a while at a time."""

    def __init__(self, address: str, token: str) -> None:
        operator = Client(address, token)
        self._ended = threading.Event()
        self.tables = [Table(operator, rules, self._ended) for rules in sorted(RULES)]
        for table in self.tables:
            table.start()

    def during(self, seconds: float) -> list[float]:
        """What commands took, sorted, in the time that is beginning."""
        before = {table.name: len(table.took) for table in self.tables}
        time.sleep(seconds)
        return sorted(took for table in self.tables for took in table.took[before[table.name] :])

    def stop(self) -> list[str]:
        """Gives what went wrong."""
        self._ended.set()
        for table in self.tables:
            table.join()
        return [f"{table.name}: {what}" for table in self.tables for what in table.failed]
