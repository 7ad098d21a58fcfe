"""The honest house's clock and log, and who sits at a table of it with which chips, debts and lapsed limits."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairshoe.engine.moves import Decision
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.lounge import BUY_IN, Lounge
from fairshoe.engine.table import HOUSE, POOL, Bet, changed_accounts, fresh_table, move_chips
from fairshoe.errors import IllegalBet
from fairshoe.log.canonical import encode
from fairshoe.log.checkpoint import Checkpoint
from fairshoe.log.directory import write_log
from fairshoe.log.note import Signer
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.record import entries

SIGNER = Signer("fairshoe.test/log", hashlib.sha256(b"a signing key for tests").digest())
POLICY = {"hash": 30, "seed": 30, "cut": 30, "bet": 60, "decision": 30, "shoe": 86_400}
START = microseconds("2026-01-01T00:00:00.000000Z")
NAMES = {2: "Bjørn", 4: "千代", 5: "Ann-Marie O’Neil"}
"""Seats whose players write their names otherwise than the log does."""


class House:
    """Writes `lines`, at as many tables as there are. Everything comes from `random`, so that a log repeats."""

    def __init__(self, seed: int = 1) -> None:
        self.random = random.Random(seed)
        self.lines: list[bytes] = []
        self.now = self.started = START

    def at(self) -> str:
        """A little later than the entry before."""
        self.now += self.random.randint(1, 900_000)
        return timestamp(self.now)

    def wait(self, seconds: int, since: int) -> None:
        """Until a limit of so many seconds is over, which began at the moment `since`, or anew at the last start."""
        self.now = max(self.now, max(since, self.started) + seconds * SECOND)

    def log(self, entry: dict[str, Any]) -> None:
        self.lines.append(encode(entry))

    def start(self, *tables: str) -> None:
        """The service stops and starts again, at these `tables` or at all; the house waits anew at every one."""
        self.log(entries.entry("start", self.at(), {"tables": list(tables)}))
        self.started = self.now

    def write(self, directory: Path) -> Checkpoint:
        return write_log(directory, self.lines, SIGNER)


@dataclass
class Prepared:
    """A shoe from its commitment on: what the house knows about it before it is dealt.

    `seeds` are those that may still come into it. `alone`: a sole player's, who sends no hash. `cutter` is the
    player whose cut is waited for, `turn` the seat whose turn it was, `cut` what came with a hash; `waived` are the
    players who bet without a seed.
    Moments: `committed`, `hashed`, `opening` (since when seeds are waited for), `sealed`.
    """

    id: str
    key: bytes
    roster: list[str]
    seeds: dict[str, bytes]
    committed: int
    purpose: str | None = None
    alone: bool = False
    cutter: str | None = None
    turn: int = 0
    cut: dict[str, Any] | None = None
    waived: set[str] = field(default_factory=set)
    hashed: int = 0
    opening: int = 0
    sealed: int = 0


@dataclass
class Debt:
    """A seed that somebody owes, and whether it has been handed in since."""

    shoe: str
    seed: bytes
    paid: bool = False


class Chairs:
    """A table of the house between its shoes: chairs, chips, who owes a seed, who let limits pass.

    Moments by player: `taken`, the chair; `newest`, the chair or the seed handed in late. `missed` counts the
    limits that a player let pass in a row; who is in `lapsed` was struck at the last opening of theirs.
    """

    beacon_delay = 0

    def __init__(
        self, house: House, name: str, rules: str, seats: Sequence[int], chips: int, options: dict[str, Any]
    ) -> None:
        self.house = house
        self.random = house.random
        self.name = name
        self.rules = rules_of(rules, options)
        self.table = fresh_table(self.rules)
        self.stack = BUY_IN if self.rules.first_account == POOL else chips
        self.taken: dict[str, int] = {}
        self.newest: dict[str, int] = {}
        self.missed: Counter[str] = Counter()
        self.owing: dict[str, Debt] = {}
        self.spoiled: int | None = None
        self.lapsed: set[str] = set()
        self.keeping: set[str] = set()
        """Players who do not hand in a seed that they owe."""
        self.closed = False
        house.log(entries.table_entry(house.at(), name, self.rules, POLICY, beacon_delay=self.beacon_delay))
        for seat in seats:
            self.chips("buy-in", seat, self.stack, name=NAMES.get(seat))

    # Chips.

    def chips(
        self,
        op: str,
        seat: int,
        amount: int,
        *,
        player: str | None = None,
        game: int | None = None,
        gifts: int = 0,
        name: str | None = None,
        why: str | None = None,
        by: str | None = None,
        **more: Any,
    ) -> None:
        """Chips move. `more`: `to`, `leaves`; `gifts`: what a payer of a game not played out had won."""
        who = player or self.table.players.get(seat) or f"{self.name}-p{seat}"
        new = seat not in self.table.players
        owed: dict[str, Any] = {"game": game, "gifts": gifts} if game else {}
        after = move_chips(self.table, op, seat, who, amount, **owed, **more)
        accounts = changed_accounts(self.table, after, seat)
        more |= {"name": name, "game": game, "why": why, "by": by}
        self.house.log(entries.chips_entry(self.house.at(), self.name, op, seat, who, amount, accounts, **more))
        if op == "buy-in" and new:
            self.taken[who] = self.newest[who] = self.house.now
        self.acted(who)
        self.table = after

    def leave(self, seat: int, by: str | None = None) -> None:
        if self.table.purse[seat] < 0:
            self.chips("buy-in", seat, -self.table.purse[seat])
        self.chips("cash-out", seat, self.table.purse[seat], leaves=True, by=by)

    def leave_all(self, *, but: int = HOUSE) -> None:
        """Everybody leaves, the banker last; the pool of a game that nobody plays on is shared (LO-04)."""
        for seat in sorted(self.table.players, key=lambda seat: (seat == self.table.bank, seat)):
            if seat != but:
                self.leave(seat)
        if not self.table.players and isinstance(self.rules, Lounge):
            self.share(self.rules.payers(self.table))

    def share(self, payers: list[int]) -> None:
        for turn, seat in enumerate(payers):
            pool, left = self.table.purse[POOL], len(payers) - turn
            if pool:
                self.chips("share", seat, pool // left + pool % left)

    def covers(self, seat: int) -> bool:
        """Whether a chair could stand the lowest bet."""
        needed = self.lowest if self.rules.takes_stakes else 0
        return self.rules.can_bank(self.table, seat) and self.table.purse[seat] >= needed

    @property
    def lowest(self) -> int:
        """The lowest bet."""
        return -(-self.rules.minimum // self.rules.bet_unit) * self.rules.bet_unit

    def top_up(self, *, but: int = HOUSE) -> None:
        """Who cannot play any more buys in; in the lounge everybody, for a new game."""
        if isinstance(self.rules, Lounge):
            if not self.closed and self.rules.game_over(self.table):
                for seat in sorted(self.table.players):
                    self.chips("buy-in", seat, BUY_IN)
            return
        for seat in sorted(self.table.players):
            if seat != but and not self.covers(seat):
                self.chips("buy-in", seat, self.stack + max(0, -self.table.purse[seat]))

    def close(self) -> None:
        self.house.log(entries.close_entry(self.house.at(), self.name))
        self.closed = True

    # Who contributes.

    def roster(self, away: Iterable[int] = ()) -> list[str]:
        """Names in the order of chairs, less who is away; less who owes a seed, or sat down since one made a shoe void
        and none was sealed, unless without them nobody could bet."""
        names = [self.table.players[chair] for chair in sorted(self.table.players) if chair not in away]
        handed_in = [who for who in names if who not in self.owing or self.owing[who].paid]
        free = [who for who in handed_in if who not in self.owing]
        waits = self.spoiled is not None and self.rules.first_account != POOL
        banker = self.table.players.get(self.table.bank)
        old = [who for who in free if not waits or self.taken[who] < (self.spoiled or 0) or who == banker]
        for some in (old, free, handed_in):
            if any(self.could_bet(who) for who in some):
                return some
        return handed_in or names

    def left_out(self, roster: Sequence[str]) -> dict[str, list[int]]:
        """The chairs of those who are not in the roster, by the first reason that holds."""
        reasons: dict[str, list[int]] = {"owes": [], "waits": [], "away": []}
        waits = self.spoiled is not None and self.rules.first_account != POOL
        for seat, who in sorted(self.table.players.items()):
            if who not in roster:
                newcomer = waits and self.taken[who] > (self.spoiled or 0) and seat != self.table.bank
                reasons["owes" if who in self.owing else "waits" if newcomer else "away"].append(seat)
        return reasons

    def could_bet(self, who: str) -> bool:
        """Whether the lowest bet of this player would be taken; before there is a banker, whether there is a player."""
        rules = self.rules
        if rules.needs_first_bank(self.table):
            return True
        lowest = rules.minimum + rules.minimum % rules.bet_unit
        seat = next(chair for chair, name in self.table.players.items() if name == who)
        try:
            rules.check_round_bets(self.table, [Bet(seat, lowest, seat)])
        except IllegalBet:
            return False
        return True

    def opening_order(self, names: Iterable[str]) -> list[str]:
        """Newest chair first."""
        return sorted(names, key=lambda who: self.newest[who], reverse=True)

    def strike_leavers(self, shoe: Prepared) -> None:
        """Who left before the opening began is out of the shoe; who came back since is somebody new."""
        seated = set(self.table.players.values())
        for who in list(shoe.seeds):
            if who not in seated or self.taken[who] > shoe.committed:
                del shoe.seeds[who]

    def owe(self, shoe: Prepared, who: str) -> None:
        self.owing[who] = Debt(shoe.id, shoe.seeds[who])

    def hand_in(self, who: str) -> None:
        """The seed of an earlier shoe; its owner contributes again once another shoe is sealed."""
        debt = self.owing[who]
        debt.paid = True
        self.house.log(entries.late_entry(self.house.at(), debt.shoe, who, debt.seed.hex()))
        self.newest[who] = self.house.now
        self.lapsed.discard(who)
        self.acted(who)

    def hand_in_all(self) -> None:
        for who, debt in list(self.owing.items()):
            if not debt.paid and who not in self.keeping:
                self.hand_in(who)

    def forgive(self, shoe: Prepared) -> None:
        """Another shoe is sealed, or came to nothing: who has handed in contributes again."""
        self.owing = {who: debt for who, debt in self.owing.items() if not debt.paid or debt.shoe == shoe.id}

    # Limits that passed.

    def acted(self, who: str) -> None:
        self.missed[who] = 0

    def missed_limit(self, who: str) -> None:
        self.missed[who] += 1

    def decided(self, decisions: Iterable[Decision], since: int) -> list[str]:
        """Mark who decided and who did not; the moments at which the table did instead, one limit after the other."""
        moments = []
        for decision in decisions:
            who = self.table.players[decision.actor]
            if decision.by == "table":
                self.house.wait(POLICY["decision"], since)
                moments.append(self.house.at())
                since = self.house.now
                self.missed_limit(who)
            else:
                self.acted(who)
        return moments


__all__ = ["POLICY", "SIGNER", "Chairs", "Debt", "House", "Prepared"]
