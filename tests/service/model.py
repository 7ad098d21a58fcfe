"""The machine of fairshoe/ceremony/acting as the model of a house: what it must answer, log and store, to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fairshoe.ceremony.acting.commands import Command, GiveHash
from fairshoe.ceremony.acting.machine import apply, create, receipt_of, restart, standing_receipt
from fairshoe.ceremony.acting.phase import due
from fairshoe.ceremony.acting.playing import rebuild_round
from fairshoe.ceremony.acting.state import CommandResult, Keys, LiveRound, State
from fairshoe.ceremony.acting.view import expects, table_view
from fairshoe.ceremony.policy import policy_of
from fairshoe.engine.rules import rules_of
from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import Entry, encode
from fairshoe.log.times import timestamp
from fairshoe.record.entries import start_entry
from fairshoe.service.api.context import address_of
from fairshoe.service.api.problems import problem_of
from fairshoe.service.clock import HouseClock
from fairshoe.service.errors import AlreadyClaimed, Unauthorized

Body = dict[str, Any]
Told = tuple[int, Body]
"""A status and what is answered with it."""
NOBODYS = Unauthorized("nobody has this token", where="token", remedy="take a seat, or see `fairshoe keys token`")


class Model:
    """One house and its table `t1`. `clock` has the same moments as the house's; `fresh` are the keys that the house
    made for shoes in the request that is being modelled; `sign` signs a receipt as the house does."""

    def __init__(self, clock: HouseClock, sign: Callable[[Entry], str]) -> None:
        self.clock, self.sign = clock, sign
        self.fresh: list[bytes] = []
        self.log: list[bytes] = []
        self.opened: set[str] = set()
        """The seeds that the log shows."""
        self.tokens: dict[str, int] = {}
        self.key: bytes | None = None
        self._at = 0
        self._due: int | None = None
        self._claimed: set[str] = set()

    @property
    def players(self) -> dict[int, str]:
        return dict(self.state.table.players)

    def create(self, rules: str, options: Body, policy: Body) -> Told:
        now = self.clock.now(self._at)
        self._store(create("t1", rules_of(rules, options), policy_of(policy), now), now)
        return 201, self._view(None, now)

    def act(self, token: str | None, seat: int | None, command: Command, *, made: str = "") -> Told:
        """What `command` is answered with, given by the holder of `token` for `seat`, or by the operator or anybody;
        `made` is the token that somebody has made who takes a chair."""
        if token is not None and seat is not None and self.tokens.get(token) != seat:
            return told(NOBODYS)
        now = self.clock.now(self._at)
        if self._is_due(now):
            self._catch_up(now)
            now = self.clock.now(self._at)
        if token is not None and seat is not None and self.tokens.get(token) != seat:
            return told(NOBODYS)
        before = self.state
        try:
            outcome = apply(before, command, now, self._keys())
            for taken in self._claimed.intersection(outcome.claims):
                where = "hash" if isinstance(command, GiveHash) else "seed"
                remedy = "draw a fresh random seed or key for every shoe"
                raise AlreadyClaimed(f"{taken} was used before in this log", where=where, remedy=remedy)
        except FairshoeError as error:
            return told(error)
        said = receipt_of(before, command, outcome, now)
        self._store(outcome, now)
        receipt = {} if said is None else {"receipt": self.sign(said)}
        if outcome.seat is None:
            return 200, self._view(seat, now) | receipt
        self.tokens[made] = outcome.seat
        return 201, self._view(outcome.seat, now) | receipt

    def look(self, token: str | None, seat: int | None) -> Told:
        if token is not None and seat is not None and self.tokens.get(token) != seat:
            return told(NOBODYS)
        if self._is_due(self.clock.present):
            self._catch_up(self.clock.now(self._at))
        return 200, self._view(seat, self.clock.present)

    def tick(self) -> None:
        """Do what is due, as the house does by itself."""
        if self._is_due(self.clock.present):
            self._catch_up(self.clock.now(self._at))

    def start(self, clock: HouseClock) -> None:
        """The house is opened again, with a clock that knows nothing of before."""
        self.clock = clock
        now = clock.now(self._at)
        entry = start_entry(timestamp(now))
        self.log.append(encode(entry))
        self._at = max(now, self._at)
        self.state = restart(self.state, entry, now)
        self._due = due(self.state, now)

    def wanted(self, seat: int) -> Iterator[Body]:
        """What the chair can do now, the most urgent first."""
        dealt = self._dealt()
        return expects(self.state, seat, None if dealt is None else dealt.round, self.clock.present)

    def _is_due(self, now: int) -> bool:
        return self._due is not None and self._due <= now

    def _catch_up(self, now: int) -> None:
        self._store(apply(self.state, None, now, self._keys()), now)

    def _keys(self) -> Keys:
        """The house makes a fresh key for each step, and most steps need none."""
        current = self.key
        return Keys(lambda: current or b"", self.fresh.pop(0) if self.fresh else b"")

    def _store(self, outcome: CommandResult[State], now: int) -> None:
        self.state: State = outcome.state
        self._claimed |= set(outcome.claims)
        self.log += map(encode, outcome.entries)
        self.opened |= {entry["seed"] for entry in outcome.entries if entry["kind"] in ("opened", "late")}
        self._at = max(self._at, now + max(0, len(outcome.entries) - 1))
        self.clock.now(self._at)
        self.key = None if self.state.shoe is None else self.key if outcome.key is None else outcome.key
        self._due = due(self.state, now)
        self.tokens = {token: seat for token, seat in self.tokens.items() if seat in self.state.table.players}

    def _dealt(self) -> LiveRound | None:
        """The open round, made anew from the key."""
        return rebuild_round(self.state, self.key or b"") if self.state.cards_on_table else None

    def _view(self, seat: int | None, now: int) -> Body:
        state = self.state
        seat = seat if seat in state.table.players else None
        view = table_view(state, seat, now, self._dealt()) | {"log": len(self.log)}
        if state.last_round is not None:
            view["verify"] = address_of(f"t1#{state.last_round['round']}")
        if seat is not None and (form := standing_receipt(state, seat)) is not None:
            view["you"]["receipt"] = self.sign(form)
        return view


def told(error: FairshoeError) -> Told:
    problem = problem_of(error)
    return problem["status"], problem
