"""A player's loop: do what the table waits for, wait for the others, go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .errors import Form, Problem, SeedRefused

if TYPE_CHECKING:
    from .seat import Seat

Choose = Callable[["Seat", Form], Form]
"""Gives the decision, `{"move", "amount", "chosen"}`, from the seat and what it is asked (`you.expects`)."""
PAUSE = 0.2
"""Seconds between two looks at a table that waits for somebody else."""
PATIENCE = 3_600.0
"""Seconds in which something must happen at the table: an hour without a bet ends a shoe."""
NOT_NOW = 409
TRIES = 5


def by_default(seat: Seat, wanted: Form) -> Form:
    """What the table would do at the time limit."""
    default: Form = wanted["default"]
    return default


def step(seat: Seat, choose: Choose | None = None, stake: int | None = None, *, ends: bool = False) -> bool:
    """Do the first thing that the table waits for from the seat, as of `state`; gives whether there was any.

    `choose` makes the decisions (by default as the table would), `stake` is every bet (the lowest; 0 passes). With
    `ends` the seat asks for no shoe and passes. Never waives a seed. Raises Problem, Unreachable, WrongReceipt,
    SeedKept where the signed log does not show that a seed may be opened, SeedRefused where the house has heard one.
    """
    wanted = seat.next() or next(iter(seat.expects("here")), None)
    if wanted is None or (ends and wanted["do"] == "shoe"):
        return False
    match wanted["do"]:
        case "hash" | "seed":
            return seat.contribute()
        case "bets":
            amount = 0 if ends else wanted["low"] if stake is None else stake
            seat.bet(*([amount] if amount else []))
        case "decisions":
            seat.decide(**(choose or by_default)(seat, wanted))
        case _:
            seat.send(wanted["do"])
    return True


def play(
    seat: Seat,
    rounds: int = 1,
    choose: Choose | None = None,
    stake: int | None = None,
    *,
    pause: float = PAUSE,
    patience: float = PATIENCE,
) -> int:
    """Play, as `step` does, until so many rounds more of the table are over; gives the number of the last one.

    Waits for the other players, for `patience` seconds at most while nothing happens at the table: Problem then.
    """
    goal = _ended(seat.refresh()) + rounds
    _go_on(seat, lambda: _ended(seat.state) >= goal, lambda: step(seat, choose, stake), pause, patience)
    return _ended(seat.state)


def finish(seat: Seat, choose: Choose | None = None, *, pause: float = PAUSE, patience: float = PATIENCE) -> Form:
    """Play without new bets until the chair may be left, and leave it with all chips; gives the table then."""
    seat.refresh()
    refused = 0
    while True:
        _go_on(seat, lambda: _may_leave(seat), lambda: step(seat, choose, ends=True), pause, patience)
        try:
            return seat.leave()
        except Problem as problem:  # somebody was faster: a shoe is being opened
            refused += 1
            if problem.status != NOT_NOW or refused > TRIES:
                raise
            seat.refresh()


def _ended(state: Form) -> int:
    """The number of the last round that is over."""
    return int(state["last"]["round"]) if state["last"] else 0


def _may_leave(seat: Seat) -> bool:
    return any("leave" in form["ops"] for form in seat.expects("chips"))


def _go_on(seat: Seat, over: Callable[[], bool], act: Callable[[], bool], pause: float, patience: float) -> None:
    """Act and wait until it is over. Somebody may have been faster: what is not to be sent now is looked at again."""
    moved, log, refused = time.monotonic(), seat.state["log"], 0
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
            if seat.state["phase"] == "closed" and seat.state["shoe"] is None:
                raise Problem(0, {"detail": "the table is closed, and nothing is played there any more: leave"})
            if time.monotonic() - moved > patience:
                raise Problem(0, {"detail": f"nothing has happened at the table for {patience:g} s"})
            time.sleep(pause)
            seat.refresh()
        if seat.state["log"] != log:
            moved, log = time.monotonic(), seat.state["log"]
