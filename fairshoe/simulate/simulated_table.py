"""A simulated table: its book, its clock, its lines, and the chance by which its players choose."""

from __future__ import annotations

import hmac
from functools import partial
from random import Random
from typing import NamedTuple

from ..ceremony.fold import apply_entry, open_table
from ..ceremony.policy import Policy
from ..engine.cards import ShoeCards
from ..engine.moves import Ask, Decision
from ..engine.round import Round, Strategy
from ..engine.rules import Rules
from ..engine.strategies import STRATEGIES, choose_legal, random_legal, reference_decision
from ..engine.table import Bet, Table, fresh_table
from ..errors import IllegalBet
from ..log.canonical import Entry, encode
from ..log.times import SECOND, microseconds, timestamp
from ..record.entries import table_entry

RANDOM = "random"
"""Any legal decision."""


class KeyedRandom:
    """Choices that follow from a key: quick, not secret, and by `Random.random`, which is the same in every Python.
    `fraction()` is 0 or more, and below 1."""

    def __init__(self, key: bytes) -> None:
        self.fraction = Random(int.from_bytes(key)).random

    def below(self, count: int) -> int:
        """An index 0 … count−1."""
        return int(self.fraction() * count)

    def happens(self, share: float) -> bool:
        """True in a `share` of the cases, 0 to 1."""
        return self.fraction() < share


START = microseconds("2026-01-01T00:00:00.000000Z")
MAX_PAUSE = 900_000
"""The longest time in microseconds between two entries where nobody is waited for."""
MINUTE = 60 * SECOND
MAX_BET_FACTOR = 10
"""Highest bet, in multiples of the lowest bet."""
BUY_IN = 10_000
"""A buy-in that every game takes: LO-02 fixes it, the others take any amount."""

Line = tuple[int, int, bytes]
"""An entry's moment in microseconds, how many rounds end with it, and its canonical bytes."""


class TablePlan(NamedTuple):
    """A table to play: its name, rules, chairs taken, rounds; its players' strategy, and share of lapsed limits."""

    name: str
    rules: Rules
    seats: int
    rounds: int
    strategy: str
    careless: float


class SimulatedClock:
    """Moments in microseconds since 1970 that rise; clock `slot` of `slots` leaves the remainder `slot`."""

    def __init__(self, slot: int, slots: int, chance: KeyedRandom) -> None:
        self.now = START - START % slots + slot
        self._slots = slots
        self._pauses = max(MAX_PAUSE // slots, 1)
        self._fraction = chance.fraction
        self._minute = 0
        self._text = ""

    def tick(self) -> str:
        """A little later: the text of the new moment."""
        self.now += self._slots * (1 + int(self._fraction() * self._pauses))
        past = self.now - self._minute
        if past >= MINUTE:
            past = self.now % MINUTE
            self._minute = self.now - past
            self._text = timestamp(self._minute)[:17]
        second, micro = divmod(past, SECOND)
        return f"{self._text}{second:02}.{micro:06}Z"

    def wait(self, seconds: int, since: int) -> None:
        """Until so many seconds have passed since a moment."""
        missing = since + seconds * SECOND - self.now
        if missing > 0:
            self.now += -(-missing // self._slots) * self._slots


class SimulatedTable:
    """A table while it is played.

    `lines`: not fetched yet. `key`, `seeds`, `cards`: the live shoe's, `draws` its named draws once sealed; `bettors`
    bet by their own seed, `newcomers` by a waiver. A bet is the `lowest` or up to `raises` − 1 units more; `stack`: a
    buy-in. `seen` players, `played` rounds, `left_to_table` decisions of the present one. `bank_moves`, `several`
    (boxes a player): by the rules.
    """

    cards: ShoeCards

    def __init__(self, plan: TablePlan, master: bytes, slot: int, slots: int) -> None:
        self.plan = plan
        self.rules = rules = plan.rules
        self.lowest = low = rules.lowest_bet
        self.raises = (min(MAX_BET_FACTOR * low, rules.maximum) - low) // rules.bet_unit + 1
        self._master = master
        self.chance = chance = KeyedRandom(self.secret(f"choices {plan.name}"))
        self.clock = SimulatedClock(slot, slots, chance)
        self.lines: list[Line] = []
        self._fraction, self._careless = chance.fraction, plan.careless
        self._strategy: Strategy = STRATEGIES.get(plan.strategy, random_legal(chance.below))
        by_chance = partial(choose_legal, choose=chance.below)
        self._about_bank = by_chance if plan.strategy == RANDOM else reference_decision
        at = self.clock.tick()
        opening = table_entry(at, plan.name, rules, Policy()._asdict())
        self.book = open_table(opening)
        self._write(opening)
        self.key = b""
        self.seeds: dict[str, bytes] = {}
        self.draws: dict[str, int] = {}
        self.bettors: list[int] = []
        self.newcomers: list[int] = []
        self.stack = max(BUY_IN, 100 * self.lowest) if rules.bets_freely else BUY_IN
        self.seen = self.played = self.left_to_table = 0
        self.bank_moves = type(rules).settle_bank is not Rules.settle_bank
        self.several = several_boxes(rules)

    # The log.

    def log(self, entry: Entry, after: Table | None = None) -> None:
        """An entry of the present moment, which the book follows; `after`: the table afterwards, where it is known."""
        self._write(entry)
        apply_entry(self.book, self.book.shoe, entry, after)

    def _write(self, entry: Entry) -> None:
        self.lines.append((self.clock.now, 0, encode(entry)))

    def fetch(self) -> list[Line]:
        """Return the lines since the last time."""
        lines, self.lines = self.lines, []
        return lines

    # What nobody else knows.

    def secret(self, name: str) -> bytes:
        return hmac.digest(self._master, name.encode(), "sha256")

    def seed(self, shoe: str, player: str) -> bytes:
        return self.secret(f"seed {shoe} {player}")

    # What players do.

    def forgets(self) -> bool:
        """Whether somebody lets a limit pass."""
        return self._fraction() < self._careless

    def decide(self, round: Round, ask: Ask) -> Decision:
        """A choice in a round; who forgets it leaves it to the table."""
        return self._left(ask) if self._fraction() < self._careless else self._strategy(round, ask)

    def decide_bank(self, ask: Ask) -> Decision:
        return self._left(ask) if self.forgets() else self._about_bank(ask)

    def _left(self, ask: Ask) -> Decision:
        self.left_to_table += 1
        return ask.default_decision()

    def wait_for_decisions(self) -> list[str]:
        """Pass the time of the decisions that were left to the table; gives the moment of each."""
        moments = []
        for _ in range(self.left_to_table):
            self.clock.wait(self.book.policy.decision, self.clock.now)
            moments.append(self.clock.tick())
        self.left_to_table = 0
        return moments


def several_boxes(rules: Rules) -> bool:
    """Whether a player may bet on a box that is not the chair's own."""
    low = rules.lowest_bet
    empty = fresh_table(rules)
    table = Table(rules, {1: "a player"}, {**empty.purse, 1: 2 * low}, empty.bank)
    try:
        rules.check_round_bets(table, [Bet(1, low, 1), Bet(1, low, 2)])
    except IllegalBet:
        return False
    return True
