"""Players for a house that is put to the test: they act at random, and note the checkpoints that they see."""

from __future__ import annotations

import random
import threading
import time

from fairshoe.client import Client, Problem, Seat, Unreachable
from fairshoe.commands._demo import BUY_IN, Bot, Form, seats_for
from fairshoe.engine.rules import rules_of

SEATS = 2
PAUSE = 0.05
CHIPS, LEAVES, KEEPS = 0.15, 0.03, 0.1
"""How often a seat that has acted moves chips, leaves, keeps a checkpoint."""
NOT_NOW = (409, 422, 429, 503)
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
        if self.seat.state["chips"][str(self.seat.seat)] < 3 * high * unit * 4:
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


class PatronThread(threading.Thread):
    """Plays, piece by piece (`play`), until it is stopped. `checkpoints` that its players saw, and when; `fault`: what
    ended it early."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._over = threading.Event()
        self.checkpoints: list[tuple[float, str]] = []
        self.fault: BaseException | None = None

    def begin(self) -> None:
        """Do what comes before the first piece."""

    def play(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        """Finish what was begun."""
        self._over.set()
        self.join()

    def run(self) -> None:
        try:
            self.begin()
            while not self._over.is_set():
                self.play()
        except BaseException as error:
            self.fault = error


class Patrons(PatronThread):
    """The players of one table, which they make by the operator's `client`, with this `placer`; `pace`: seconds
    between two commands.

    `took`: the seconds of each command.
    """

    def __init__(self, client: Client, rules: str, seed: int, pace: float = 0, placer: str = "") -> None:
        super().__init__(f"patrons of {rules}")
        self._client, self._rules, self._pace = client, rules, pace
        self._public = client.with_token(None)
        self._fields: Form = {"placer": placer} if placer else {}
        self._random = random.Random(f"{seed} {rules}")
        self._bots: list[RandomBot] = []
        self._sat = 0
        self.took: list[float] = []

    def begin(self) -> None:
        self._client.create_table(self._rules, table=self._rules, **self._fields)
        self._public.verifier()

    def play(self) -> None:
        if len(self._bots) < seats_for(rules_of(self._rules), SEATS):
            self._sit()
        acted = sum(self._act(bot) for bot in list(self._bots))
        self._over.wait(self._pace if acted else PAUSE)

    def _sit(self) -> None:
        self._sat += 1
        try:
            self._bots.append(RandomBot(self._public.table(self._rules).sit(f"{self._rules}-{self._sat}", BUY_IN)))
        except Problem as problem:
            if problem.status not in NOT_NOW:
                raise

    def _act(self, bot: RandomBot) -> bool:
        """One thing that the seat can do; whether it did one."""
        try:
            bot.seat.refresh()
            if not self._over.is_set() and self._random.random() < LEAVES and self._may(bot, "leave"):
                bot.seat.leave()
                self._bots.remove(bot)
                return True
            began = time.perf_counter()
            acted = bot.act(1 << 30)
            if acted:
                self.took.append(time.perf_counter() - began)
            if (acted and self._random.random() < CHIPS) or (not acted and bot.seat.state["phase"] == "idle"):
                self._move_chips(bot)
                acted = True
            if acted and self._random.random() < KEEPS:
                note = self._public.checkpoint()
                self.checkpoints.append((time.time(), note))
            return acted
        except Problem as problem:
            if problem.status not in NOT_NOW:
                raise
            return False
        except Unreachable:  # a look is sent again by whoever looks
            return False

    def _may(self, bot: RandomBot, op: str) -> bool:
        return any(op in form["ops"] for form in bot.seat.expects("chips"))

    def _move_chips(self, bot: RandomBot) -> None:
        has: int = bot.seat.state["chips"][str(bot.seat.seat)]
        cashes = self._random.random() < 0.5 and self._may(bot, "cash-out") and has > 2 * BUY_IN
        op = "cash-out" if cashes else "buy-in"
        if self._may(bot, op):
            bot.seat.send("chips", op=op, amount=BUY_IN)
