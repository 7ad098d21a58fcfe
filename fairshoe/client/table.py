"""A table, and a chair at it that makes and guards its seeds."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .client import Client, Form
from .errors import Problem
from .receipts import Keeper

SEED_BYTES = 32
KEPT_SEEDS = 16


class Table:
    """A table, as the client's token sees it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name

    def path(self, what: str = "") -> str:
        return f"/v1/tables/{quote(self.name, safe='')}{what and '/' + what}"

    def state(self) -> Form:
        state: Form = self.client.get(self.path())
        return state

    def send(self, what: str, **fields: Any) -> Form:
        answer: Form = self.client.post(self.path(what), fields)
        return answer

    def sit(
        self,
        player: str,
        amount: int,
        seat: int | None = None,
        name: str | None = None,
        *,
        receipts: Path | None = None,
        key: str | None = None,
    ) -> Seat:
        """Take a seat. `receipts`: the file to keep receipts in, by the house's `key` or the one that it shows."""
        keeper = None if receipts is None else Keeper(receipts, self.client, key)
        optional = {"seat": seat, "name": name}
        fields: Form = {"player": player, "amount": amount, **{k: v for k, v in optional.items() if v is not None}}
        taken = self.send("seats", **fields)
        sitting = Seat(Table(self.client.with_token(taken["token"]), self.name), taken)
        if keeper is not None:
            sitting.keep(keeper, fields)
        return sitting


class Seat:
    """A chair with its token. `state` is the table as the seat saw it last.

    Makes a fresh random seed for every shoe, and opens it only after seeing its own hash in the log and a
    checkpoint that holds it; `checkpoint` is that one, to be kept.

    `receipts`: the file in which the house's receipts are kept as they come, each checked; `key` is the house's, else
    the one that the service shows. Where a receipt is missing or wrong WrongReceipt is raised, with the step done.
    """

    def __init__(
        self,
        table: Table,
        taken: Form,
        *,
        fresh: Callable[[int], bytes] = secrets.token_bytes,
        receipts: Path | None = None,
        key: str | None = None,
    ) -> None:
        self.table = table
        self.seat: int = taken["seat"]
        self.token: str = taken["token"]
        self.state: Form = taken["state"]
        self.player: str = self.state["you"]["player"]
        self._fresh = fresh
        self._seeds: dict[str, bytes] = {}
        self.checkpoint = ""
        self._keeper = None if receipts is None else Keeper(receipts, table.client, key)

    def send(self, what: str, **fields: Any) -> Form:
        seen, self.state = self.state, self.table.send(what, **fields)
        if self._keeper is not None:
            self._keeper.keep(self._place, what, fields, self.state, seen)
        return self.state

    def refresh(self) -> Form:
        self.state = self.table.state()
        if self._keeper is not None:
            self._keeper.look(self._place, self.state)
        return self.state

    def keep(self, keeper: Keeper, sent: Form) -> None:
        """Keep receipts from the first step on, which is the buy-in that was sent."""
        self._keeper = keeper
        keeper.keep(self._place, "seats", sent, self.state)

    @property
    def _place(self) -> Form:
        return {"table": self.table.name, "seat": self.seat, "player": self.player}

    def next(self) -> Form | None:
        """The first thing that the table waits for from this seat, as of `state`."""
        return next((form for form in self.expects() if not form.get("may")), None)

    def expects(self, do: str = "") -> list[Form]:
        """What the seat may send as of `state`: everything, or by one route."""
        expected: list[Form] = self.state.get("you", {}).get("expects", [])
        return [form for form in expected if do in ("", form["do"])]

    def contribute(self, cut: int | None = None, *, waive: bool = False) -> bool:
        """Send what the ceremony wants of this seat now, if anything; gives whether it did.

        `cut` where to cut if the seat is to (the middle, left out). `waive`: agree to bet on a shoe that
        the seat has no seed in.
        """
        wanted = self.next()
        if wanted is None or wanted["do"] not in ("hash", "seed"):
            if waive and self.expects("waiver"):
                self.send("waiver")
                return True
            return False
        extra = {"cut": cut if cut is not None else sum(wanted["cut"]) // 2} if "cut" in wanted else {}
        if wanted["do"] == "hash":
            self.send("hash", hash=sha256(self._seed(wanted["shoe"])).hexdigest(), **extra)
        else:
            self._open(wanted, extra)
        return True

    def _open(self, wanted: Form, extra: Form) -> None:
        """Open a seed: after its hash is in the log, and a signed checkpoint holds all that stands before it."""
        seed = self._seed(wanted["shoe"])
        if not wanted.get("owed"):
            hashes = self.state["shoe"]["hashes"]
            if hashes is not None and hashes.get(self.player) != sha256(seed).hexdigest():
                raise Problem(0, {"detail": "the log does not have this seat's hash: the seed stays closed"})
            self.checkpoint = self.table.client.checkpoint()
            if int(self.checkpoint.split("\n")[1]) < self.state["log"]:
                raise Problem(0, {"detail": "no checkpoint holds the entries so far: the seed stays closed"})
        self.send("seed", seed=seed.hex(), **extra)

    def _seed(self, shoe: str) -> bytes:
        """The seat's seed of a shoe; the last ones are kept, since one may be owed."""
        if shoe not in self._seeds:
            kept = list(self._seeds.items())[-KEPT_SEEDS:]
            self._seeds = {**dict(kept), shoe: self._fresh(SEED_BYTES)}
        return self._seeds[shoe]

    def bet(self, *amounts: int, boxes: Mapping[int, int] | None = None) -> Form:
        """Bet on the next round: an amount on this seat's own place, or amounts by box; nothing is a pass."""
        bets: list[Form] = [{"amount": amount} for amount in amounts]
        bets += [{"amount": amount, "box": box} for box, amount in (boxes or {}).items()]
        return self.send("bets", round=self.state["rounds"] + 1, bets=bets)

    def decide(self, move: str, **fields: Any) -> Form:
        wanted = self.next() or {}
        place = {"round": wanted.get("round", self.state["rounds"]), "step": wanted.get("step", 0)}
        return self.send("decisions", **place, move=move, **fields)

    def leave(self) -> Form:
        return self.send("chips", op="cash-out", leave=True)
