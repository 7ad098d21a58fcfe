"""Whoever loads a service: a player at each table, callers of the bare route, followers."""

from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
import time
from collections.abc import Sequence

from tests.load.asking import Asking, Form, Refused

CHIPS = 1_000_000
AT_ONCE = 16
"""So many begin at a time."""


class Taken:
    """What was measured: the seconds of each command while `on`, and how many rounds ended then. Whoever plays finishes
    the command that they have begun, and stops once it is `over`."""

    def __init__(self) -> None:
        self.on = self.over = False
        self.seconds: list[float] = []
        self.rounds = 0


class Player:
    """Sits alone at a table, and takes what the table does by itself where it asks for a decision. `pace`: seconds
    between two commands, at the mean."""

    def __init__(self, address: str, operator: str, table: str, taken: Taken, rules: str) -> None:
        self._operator = Asking(address, operator)
        self._asking = Asking(address)
        self._path, self._rules, self.table, self.pace = f"/v1/tables/{table}", rules, table, 0.0
        self._seed = secrets.token_bytes(32)
        self._taken = taken
        self.state: Form = {}

    async def sit(self) -> None:
        token = f"fs_{secrets.token_urlsafe(32)}"
        await self._operator.post("/v1/tables", {"rules": self._rules, "table": self.table})
        self._operator.close()
        digest = hashlib.sha256(token.encode()).hexdigest()
        await self._send("seats", {"player": "alice", "amount": CHIPS, "token_sha256": digest})
        self._asking.token = token

    async def deal(self) -> None:
        """Until a shoe is live and wants bets."""
        while self._wanted["do"] != "bets":
            await self.act()

    async def play(self) -> None:
        """Until it is over."""
        while not self._taken.over:
            await asyncio.sleep(self.pace * random.uniform(0, 2))
            await self.act()

    @property
    def _wanted(self) -> Form:
        return next((form for form in self.state["you"]["expects"] if not form.get("may")), {"do": ""})

    async def act(self) -> None:
        wanted = self._wanted
        match wanted["do"]:
            case "hash":
                self._seed = secrets.token_bytes(32)
                fields = {"hash": hashlib.sha256(self._seed).hexdigest(), "shoe": wanted["shoe"]}
                if "cut" in wanted:
                    fields["cut"] = sum(wanted["cut"]) // 2
            case "seed":
                fields = {"seed": self._seed.hex()}
            case "bets":
                fields = {"round": wanted["round"], "bets": [{"amount": wanted["low"]}]}
            case "decisions":
                fields = {"round": wanted["round"], "step": wanted["step"], **wanted["default"]}
            case _:
                fields = {}
        await self._send(wanted["do"], fields)

    async def _send(self, what: str, fields: Form) -> None:
        rounds, began = self.state.get("rounds", 0), time.perf_counter()
        self.state = await self._asking.post(f"{self._path}/{what}", fields, secrets.token_urlsafe(15))
        if self._taken.on:
            self._taken.seconds.append(time.perf_counter() - began)
            self._taken.rounds += self.state["rounds"] - rounds


class Caller:
    """Asks the bare route, again and again."""

    def __init__(self, address: str, taken: Taken) -> None:
        self._asking, self._taken = Asking(address), taken

    async def play(self) -> None:
        while not self._taken.over:
            began = time.perf_counter()
            await self._asking.post("/bare", {"round": 1, "bets": [{"amount": 2}]})
            if self._taken.on:
                self._taken.seconds.append(time.perf_counter() - began)


async def follow(address: str, table: str, taken: Taken, enough: asyncio.Semaphore) -> None:
    """Take a table's events until cancelled, once there is room. Their ids are the house's time of each change,
    in microseconds: `taken` has how old each is when it comes."""
    asking = Asking(address)
    async with enough:
        reader = await asking.say("GET", f"/v1/tables/{table}/events")
        if b" 200 " not in (head := await reader.readline()):
            raise Refused(f"{table}/events: {head!r}")
    while line := await reader.readline():
        if line.startswith(b"id: ") and taken.on:
            taken.seconds.append(time.time() - int(line[4:]) / 1e6)


async def seated(addresses: Sequence[str], operator: str, tables: int, taken: Taken, rules: str) -> list[Player]:
    """A player at each of so many tables, with a live shoe."""
    name = secrets.token_hex(4)
    players = [
        Player(addresses[number % len(addresses)], operator, f"{name}-{number}", taken, rules)
        for number in range(tables)
    ]
    enough = asyncio.Semaphore(AT_ONCE)

    async def begin(player: Player) -> None:
        async with enough:
            await player.sit()
            await player.deal()

    await asyncio.gather(*map(begin, players))
    return players
