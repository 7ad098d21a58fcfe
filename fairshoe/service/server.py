"""The service on a socket: who answers what, the ticker that does what is due at the tables, whoever submits to
witnesses."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, suppress

from ..serving import server as serving
from ..serving.followers import FollowedView, FollowerHub
from ..serving.requests import AsgiServer, Lane, Observer, serves
from ..serving.server import listen
from . import monitoring
from .api.events import show
from .api.routes import MAX_BODY
from .app import create_app
from .beacons import BeaconThread
from .errors import StorageError
from .house import OpenedHouse
from .placers import PlacerThread
from .sequencer import Sequencer
from .store.faults import free_bytes
from .witnesses import WitnessAddress, Witnesses

LIVENESS_PATH = "/healthz"
OPERATIONS = frozenset({"/readyz", "/metrics"})
TABLE = "/v1/tables/"
COMMAND_THREADS = 32
MAX_LOOKS, MAX_READINGS, MAX_OPERATIONS = 256, 128, 16
"""Maximum number of waiting requests for tables, for the log and pages, and for operations."""


class RequestLanes:
    """The lanes. Readers of tables, log and pages take no thread of commands, of which `queue` may wait."""

    def __init__(self, queue: int) -> None:
        self.commands = Lane("commands", COMMAND_THREADS, queue)
        self.looks = Lane("looks", 2, MAX_LOOKS)
        self.reading = Lane("reading", 1, MAX_READINGS)
        self.operations = Lane("operations", 1, MAX_OPERATIONS)
        self.lanes = (self.commands, self.looks, self.reading, self.operations)

    def of(self, method: str, path: str) -> Lane | None:
        """None: answered at once, whatever waits."""
        if path == LIVENESS_PATH:
            return None
        if path in OPERATIONS:
            return self.operations
        if method not in ("GET", "HEAD"):
            return self.commands
        return self.looks if path.startswith(TABLE) else self.reading

    def close(self) -> None:
        for lane in self.lanes:
            lane.close()


TICK = 0.25
logger = logging.getLogger("fairshoe.service")


class Ticker(threading.Thread):
    """Does what is due at every table. Before each look it sends a probe through the commands' queue; a slow answer is
    an outage."""

    def __init__(self, sequencer: Sequencer, submit: Callable[[Callable[[], None]], Future[None]]) -> None:
        super().__init__(name="fairshoe-ticker", daemon=True)
        self._transactions, self._log = sequencer.transactions, sequencer.log
        self._submit = submit
        self._stop_now = threading.Event()
        self._lost = False

    def run(self) -> None:
        self._transactions.outages.begin()
        try:
            while not self._stop_now.wait(TICK):
                try:
                    self._tell_of_the_clock()
                    if self._await_probe():
                        for table in self._transactions.overdue_tables():
                            self._catch_up(table)
                        self._log.index()
                except StorageError:
                    continue  # the database has said it
                except Exception:
                    logger.exception("the ticker cannot read the tables")
        finally:
            self._transactions.outages.end()

    def _await_probe(self) -> bool:
        """Wait until a command is answered; False where the service stops before one is."""
        beat = self._submit(self._transactions.beat)
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
            self._transactions.catch_up(table)
        except StorageError:
            raise
        except Exception:
            logger.exception("table %s", table)

    def _tell_of_the_clock(self) -> None:
        """Once, when the machine's clock is lost, and once when it is right again."""
        clock = self._transactions.outages.clock
        if clock.lost != self._lost:
            self._lost = clock.lost
            if self._lost:
                logger.error("the machine's clock was set by more than an hour: it is not followed")
            else:
                logger.warning("the machine's clock is followed again")

    def stop(self) -> None:
        self._stop_now.set()
        self.join()


class HouseServer(serving.Server):
    """The server of a house, which it closes at the end. Port 0: any free one; `listening`: an open socket."""

    def __init__(
        self,
        house: OpenedHouse,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        clock_is_right: bool = False,
        witnesses: Sequence[WitnessAddress] = (),
        listening: socket.socket | None = None,
    ) -> None:
        sequencer, settings = house.sequencer, house.sequencer.settings
        taken = listening or listen(host, port)
        try:
            self._house = house
            self._witnesses = Witnesses(sequencer.heads, lambda size: sequencer.log.nodes(size).node, witnesses)
            self.workers = RequestLanes(settings.queue)
            sequencer.tables.behind = self.workers.commands.lag
            self._ticker = Ticker(sequencer, self._queue_job)
            self._placers = PlacerThread(sequencer, settings.placers)
            self.beacons = BeaconThread(sequencer, settings.beacons)
            following = FollowerHub(self._shown, settings.followers, settings.followers_by_address)
            sequencer.transactions.changed = self.beacons.listen_with(self._placers.listen_with(following.publish))
            metrics = monitoring.Metrics(
                monitoring.PresentFigures(sequencer, self.workers.lanes, self._checks, following)
            )
            operations = monitoring.Operations(
                self._checks, self._health, metrics.text, monitoring.MEDIA_TYPE, settings.metrics_public
            )
            self._application = create_app(sequencer, operations)
            observers: list[Observer] = [metrics, monitoring.RequestLines(all=settings.log_requests)]
            super().__init__(
                AsgiServer(
                    self._application, self.workers.of, MAX_BODY, following, observers, serves(self._application)
                ),
                taken,
                self._working(),
                trusted=settings.trusted_proxies,
                stop_seconds=settings.stop_seconds,
            )
            house.begin(clock_is_right=clock_is_right)
        except BaseException:
            taken.close()
            raise

    @asynccontextmanager
    async def _working(self) -> AsyncIterator[None]:
        self._witnesses.start()
        self._placers.start()
        self.beacons.start()
        self._ticker.start()
        if self._house.lead is not None:
            self._house.lead.start(self._house.sequencer)
        try:
            yield
        finally:
            await asyncio.to_thread(self._ticker.stop)
            self._witnesses.stop()
            self._placers.stop()
            self.beacons.stop()
            self.workers.close()
            self._house.close()

    async def _shown(self, table: str, tokens: Sequence[str | None]) -> Mapping[str | None, FollowedView]:
        return await self.workers.looks.run(lambda: show(self._application, table, tokens))

    def _checks(self) -> list[monitoring.Check]:
        return monitoring.checks_of(self._house.sequencer, self._house.database)

    def _health(self) -> monitoring.HouseHealth:
        directory = self._house.sequencer.heads.path.parent
        free = None
        with suppress(OSError):  # which the check of the storage tells
            free = free_bytes(directory)
        where, witnesses = self._house.database.where, self._witnesses.standing()
        return monitoring.HouseHealth(where, free, witnesses, self._placers.troubles(), self.beacons.trouble())

    def _queue_job(self, job: Callable[[], None]) -> Future[None]:
        """Have a job done on the way that every command takes, by the loop and the commands' threads."""

        async def do() -> None:
            await asyncio.wrap_future(self.workers.commands.submit(job))

        return asyncio.run_coroutine_threadsafe(do(), self.loop)
