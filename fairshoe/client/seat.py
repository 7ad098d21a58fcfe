"""A seat that plays: do what the table waits for, wait for the others, go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from .book import CHIPS
from .chair import Chair
from .errors import Form, Problem, SeedRefused

Choose = Callable[["Seat", Form], Form]
"""Gives the decision, `{"move", "amount", "chosen"}`, from the seat and what it is asked (`you.expects`)."""
PAUSE = 0.2
"""Seconds between two looks at a table that waits for somebody else."""
PATIENCE = 3_600.0
"""Seconds in which something must happen at the table: an hour without a bet ends a shoe."""
NOT_NOW = 409
TRIES = 5


class Seat(Chair):
    """A chair, and the loop of whoever sits there."""

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
        return self.send(CHIPS, op="cash-out", leave=True)

    def step(self, choose: Choose | None = None, stake: int | None = None, *, ends: bool = False) -> bool:
        """Do the first thing that the table waits for from the seat, as of `state`; gives whether there was any.

        `choose` makes the decisions (by default as the table would), `stake` is every bet (the lowest; 0 passes). With
        `ends` the seat asks for no shoe and passes. Never waives a seed. Raises Problem, Unreachable, WrongReceipt,
        SeedKept where the signed log does not show that a seed may be opened, SeedRefused where the house has heard
        one.
        """
        wanted = self.next() or next(iter(self.expects("here")), None)
        if wanted is None or (ends and wanted["do"] == "shoe"):
            return False
        match wanted["do"]:
            case "hash" | "seed":
                return self.contribute()
            case "bets":
                amount = 0 if ends else wanted["low"] if stake is None else stake
                self.bet(*([amount] if amount else []))
            case "decisions":
                self.decide(**(wanted["default"] if choose is None else choose(self, wanted)))
            case _:
                self.send(wanted["do"])
        return True

    def play(
        self,
        rounds: int = 1,
        choose: Choose | None = None,
        stake: int | None = None,
        *,
        pause: float = PAUSE,
        patience: float = PATIENCE,
    ) -> int:
        """Play, as `step` does, until so many rounds more of the table are over; gives the number of the last one.

        Looks every `pause` seconds while others are waited for, for `patience` seconds at most while nothing happens at
        the table: Problem then.
        """
        self.refresh()
        goal = self._ended + rounds
        self._go_on(lambda: self._ended >= goal, lambda: self.step(choose, stake), pause, patience)
        return self._ended

    def finish(self, choose: Choose | None = None, *, pause: float = PAUSE, patience: float = PATIENCE) -> Form:
        """Play without new bets until the chair may be left, and leave it with all chips; gives the table then."""
        self.refresh()
        refused = 0
        while True:
            self._go_on(self._may_leave, lambda: self.step(choose, ends=True), pause, patience)
            try:
                return self.leave()
            except Problem as problem:  # somebody was faster: a shoe is being opened
                refused += 1
                if problem.status != NOT_NOW or refused > TRIES:
                    raise
                self.refresh()

    @property
    def _ended(self) -> int:
        """The number of the last round that is over."""
        return int(self.state["last"]["round"]) if self.state["last"] else 0

    def _may_leave(self) -> bool:
        return any("leave" in form["ops"] for form in self.expects("chips"))

    def _go_on(self, over: Callable[[], bool], act: Callable[[], bool], pause: float, patience: float) -> None:
        """Act and wait until it is over. Somebody may have been faster: what is refused now is looked at again."""
        moved, log, refused = time.monotonic(), self.state["log"], 0
        while not over():
            try:
                acted = act()
                refused = 0
            except SeedRefused:
                raise
            except Problem as problem:
                refused += 1
                if problem.status != NOT_NOW or refused > TRIES:
                    raise
                acted = False
            if not acted:
                if self.state["phase"] == "closed" and self.state["shoe"] is None:
                    raise Problem(0, {"detail": "the table is closed, and nothing is played there any more: leave"})
                if time.monotonic() - moved > patience:
                    raise Problem(0, {"detail": f"nothing has happened at the table for {patience:g} s"})
                time.sleep(pause)
                self.refresh()
            if self.state["log"] != log:
                moved, log = time.monotonic(), self.state["log"]
