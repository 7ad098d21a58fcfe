"""A seat at work: what the player chose is sent, what the ceremony wants is sent by itself, and the table is followed.

One thread has the seat; another one, with a connection of its own, tells it when the table has moved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

from ..client import Problem, Seat, Unreachable
from ..client.book import SeatBook
from ..client.retries import BUSY, GATEWAY_ERRORS
from ..client.service import TableRoutes
from ..errors import FairshoeError, VerificationError
from ..terminal.screen import explain
from .choices import Act
from .hands import HandVerdicts

RETRY_SECONDS = 1.0
"""Seconds before the table is looked at once more where nobody answered."""
CONFLICT = 409
AUTOMATIC_ROUTES = ("hash", "seed", "commitment", "places")


def seat_in(book: Path) -> bool:
    """Whether somebody sits by this book. Raises InputError."""
    if not book.exists():
        return False
    kept = SeatBook(book)
    try:
        return not kept.is_free
    finally:
        kept.close()


class SeatSession:
    """`last_state`: the table as last seen, at `looked`. `trouble`: the last one, in words. `silent`: why the house
    does not answer, or "". `sent_at`: when the request on its way was sent, or 0. `alarm`: the house is at fault by
    what it signed: nothing is sent by itself. `has_left`: the chair is free, its hands are checked."""

    def __init__(self, seat: Seat, book: Path) -> None:
        self.seat = seat
        self.hands = HandVerdicts(seat, book)
        self.trouble = "; ".join(seat.notes)
        self.silent = ""
        self.sent_at = 0.0
        self.alarm = False
        self.has_left = False
        self.last_state = seat.state
        self.looked = time.monotonic()
        self._on_change: Callable[[], object] = lambda: None
        self._over = Event()
        self._worker = ThreadPoolExecutor(1, "seat")
        self._follower = Thread(target=self._follow, daemon=True)

    def start(self, on_change: Callable[[], object]) -> None:
        """`on_change` is called after each change, from another thread."""
        self._on_change = on_change
        self._submit(self._work)
        self._follower.start()

    def do(self, act: Act) -> None:
        """Have something sent, one thing at a time: what is chosen while another is on its way is not heard."""
        if not self.sent_at:
            self.sent_at = time.monotonic()
            self._submit(partial(self._work, act))

    def close(self) -> None:
        """Let go of the seat; it stays taken, and its book goes on later."""
        self._over.set()
        self.seat.table.client.close()  # or what is on its way would be sent again for a while
        self._worker.shutdown(wait=True, cancel_futures=True)
        self.hands.close()
        self.seat.close()

    def _submit(self, work: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # it was closed meanwhile
            self._worker.submit(work)

    def _work(self, act: Act | None = None) -> None:
        """Do one thing, and what the ceremony wants after it."""
        with self._telling(asked=act is not None):
            if act is not None:
                self.trouble = ""
                act(self.seat)
            elif not self.seat.book.has_left:
                self.seat.refresh()
            if not self.seat.book.has_left:
                self._contribute()
            self.trouble = self.trouble or "; ".join(self.seat.unknown_signature)
        if act is not None:
            self.sent_at = 0.0
        if "you" in self.seat.state:
            self.last_state, self.looked = self.seat.state, time.monotonic()
        self._on_change()
        self._submit(self._check)

    def _check(self) -> None:
        """Check a hand where one is due, and the others after what was asked for meanwhile."""
        with self._telling(asked=False):
            if self.hands.check_next():
                self._submit(self._check)
            else:
                self.has_left = self.seat.book.has_left
        self._on_change()

    @contextmanager
    def _telling(self, asked: bool) -> Iterator[None]:
        """Say what goes wrong; that nobody answers only where the player `asked`, else the follower says it."""
        try:
            yield
        except Unreachable as error:
            if asked:
                self._say(error)
        except FairshoeError as error:
            self._say(error)
        except OSError as error:
            self.trouble = f"cannot read or write: {error}"

    def _contribute(self) -> None:
        """Send hashes and seeds, or give places, as long as they are wanted; where to cut the player says."""
        while not self.alarm and (wanted := self.seat.next()) is not None:
            if wanted["do"] not in AUTOMATIC_ROUTES or "cut" in wanted:
                return
            if not self.seat.contribute():
                return

    def _say(self, error: FairshoeError) -> None:
        house = isinstance(error, VerificationError)
        if self.alarm and not house:
            return
        self.alarm = self.alarm or house
        self.trouble = explain(error, "the house does not keep to what it signed" if house else "refused")
        if isinstance(error, Unreachable):
            self.trouble = explain(error, "no answer")
        if isinstance(error, Problem) and error.status == CONFLICT:
            with suppress(FairshoeError):
                self.seat.refresh()

    def _follow(self) -> None:
        """Have the seat look whenever the table has moved, and say so while nobody answers."""
        client = self.seat.table.client.with_token(self.seat.token, patience=0)
        table = TableRoutes(client, self.seat.table.name)
        while not self._over.is_set():
            pause, silent, moved = 0.0, "", True
            try:
                moved = table.newer() is not None
            except Problem as error:
                pause = max(RETRY_SECONDS, error.retry_after or 0)
                if error.status in (*GATEWAY_ERRORS, *BUSY):
                    silent = error.what
                elif not self.seat.book.has_left:
                    self._say(error)
            except FairshoeError as error:
                pause, silent = RETRY_SECONDS, error.what
            except OSError as error:
                pause, silent = RETRY_SECONDS, str(error)
            if silent != self.silent:
                self.silent = silent
                self._on_change()
            self._over.wait(pause)
            if moved and not silent:
                self._submit(self._work)
        client.close()
