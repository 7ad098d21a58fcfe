"""One seat, played by a thread of its own: what a player chooses is done in turn, and the table is followed."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from ..client import Problem, Seat, SeedKept, SeedRefused, Unreachable, WrongReceipt
from ..client.errors import Form
from ..client.service import Routes
from ..errors import FairshoeError
from .actions import Action, bets_of, chips_of, choice_of
from .hands import Hands

AGAIN = 1.0
"""Seconds after which a house that does not answer is asked again."""
Tell = Callable[[str, Any], None]
"""Called with "state", "hand" (a hand's form), "alarm" (the house is wrong), "line" (a refusal), or "away" (seconds
without an answer; 0: it answers again). From another thread."""


class Player:
    """Plays `seat`; `hands` are its own. Hashes without a cut and seeds are sent by themselves, a seed as soon as the
    signed log shows that it may be known. After an alarm no seed leaves for that shoe."""

    def __init__(self, seat: Seat, hands: Hands, tell: Tell) -> None:
        self.seat, self.hands, self._tell = seat, hands, tell
        self._jobs: queue.Queue[Callable[[], object] | None] = queue.Queue()
        self._stopped: set[str] = set()
        self._ended = threading.Event()
        self._followed = Routes(seat.table.client.with_token(seat.token), seat.table.name)
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._work, self._follow)]

    def start(self) -> None:
        self._jobs.put(self.seat.refresh)
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """The chair stays taken: the book has what goes on with it."""
        self._ended.set()
        self._jobs.put(None)
        self._threads[0].join(timeout=5)

    def do(self, action: Action, typed: str = "") -> None:
        """Send what a player chose. Raises InputError where it was typed wrong."""
        match action.wish["do"]:
            case "decisions":
                fields = choice_of(action, typed)
                self._jobs.put(lambda: self.seat.decide(**fields))
            case "bets":
                own, boxes = bets_of(typed)
                self._jobs.put(lambda: self.seat.bet(*own, boxes=boxes))
            case "chips":
                moved = chips_of(typed)
                self._jobs.put(lambda: self.seat.send("chips", **moved))
            case "hash":
                (cut,) = bets_of(typed)[0] or [0]
                self._jobs.put(lambda: self.seat.contribute(cut))
            case "waiver":
                self._jobs.put(lambda: self.seat.contribute(waive=True))
            case what:
                self._jobs.put(lambda: self.seat.send(what))

    def _follow(self) -> None:
        """Have the seat look whenever its table has changed."""
        while not self._ended.is_set():
            try:
                if self._followed.newer() is not None:
                    self._jobs.put(self.seat.refresh)
            except FairshoeError:
                self._ended.wait(AGAIN)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            away = 0.0
            while not self._ended.is_set():
                try:
                    job()
                    self._contribute()
                    self._tell("away", 0)
                    break
                except Unreachable:
                    away = away or time.monotonic()
                    self._tell("away", time.monotonic() - away)
                    self._ended.wait(AGAIN)  # the same call sends the same request again: it is done once
                except (WrongReceipt, SeedKept, SeedRefused) as error:
                    self._stopped.add((self.seat.state.get("shoe") or {}).get("shoe", ""))
                    self._tell("alarm", _words(error))
                    break
                except Problem as error:
                    if not self._refused(error):
                        return
                    break
                except FairshoeError as error:
                    self._tell("line", _words(error))
                    break
            self._tell("state", self.seat.state)
            if self.seat.book.left:
                return

    def _refused(self, problem: Problem) -> bool:
        """Tell of it, and look again; whether this goes on."""
        self._tell("line", _words(problem))
        if problem.status == 401:
            return False
        self._jobs.put(self.seat.refresh)
        return True

    def _contribute(self) -> None:
        """Send what needs no choice, as long as there is any; look after the hands."""
        while (wanted := self.seat.next()) and not self._waits(wanted) and self.seat.contribute():
            pass
        if "you" in self.seat.state and (hand := self.hands.seen(self.seat.state)):
            self._tell("hand", hand)
        for hand in self.hands.check(self.seat):
            self._tell("hand", hand)

    def _waits(self, wanted: Form) -> bool:
        """Whether a player chooses first, or there was an alarm about this shoe."""
        return "cut" in wanted or wanted.get("shoe") in self._stopped


def _words(error: FairshoeError) -> str:
    remedy = getattr(error, "remedy", "")
    return f"{error}; {remedy}" if remedy and remedy not in str(error) else str(error)
