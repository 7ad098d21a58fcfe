"""Time passes at the tables: what is due is done, as long as commands are answered."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait

from .errors import StorageError
from .sequencer import Sequencer

TICK = 0.25
logger = logging.getLogger("fairshoe.service")


class Ticker(threading.Thread):
    """Does what is due at every table, so that nobody has to ask. Before each look it asks in the commands' own queue
    whether they are answered; where that takes long, limits begin anew (`outages`)."""

    def __init__(self, sequencer: Sequencer, submit: Callable[[Callable[[], None]], Future[None]]) -> None:
        super().__init__(name="fairshoe-ticker", daemon=True)
        self._sequencer = sequencer
        self._submit = submit
        self._stop_now = threading.Event()
        self._last = time.monotonic()
        self._lost = False

    @property
    def silent(self) -> float:
        """Seconds since it last came around."""
        return time.monotonic() - self._last

    def run(self) -> None:
        self._sequencer.outages.begin()
        try:
            while not self._stop_now.wait(TICK):
                try:
                    self._tell_of_the_clock()
                    if self._answered():
                        for table in self._sequencer.late():
                            self._catch_up(table)
                        self._last = time.monotonic()
                except StorageError:
                    continue  # the database has said it
                except Exception:
                    logger.exception("the ticker cannot read the tables")
        finally:
            self._sequencer.outages.end()

    def _answered(self) -> bool:
        """Wait until a command is answered; False where the service stops before one is."""
        beat = self._submit(self._sequencer.beat)
        while not wait([beat], TICK).done:
            if self._stop_now.is_set():
                return False
        if beat.cancelled():
            return False
        beat.result()
        return True

    def _catch_up(self, table: str) -> None:
        """One table's trouble is not another's."""
        try:
            self._sequencer.catch_up(table)
        except StorageError:
            raise
        except Exception:
            logger.exception("table %s", table)

    def _tell_of_the_clock(self) -> None:
        """Once, when the machine's clock is lost, and once when it is right again."""
        clock = self._sequencer.outages.clock
        if clock.lost != self._lost:
            self._lost = clock.lost
            if self._lost:
                logger.error("the machine's clock was set by more than an hour: it is not followed")
            else:
                logger.warning("the machine's clock is followed again")

    def stop(self) -> None:
        self._stop_now.set()
        self.join()
