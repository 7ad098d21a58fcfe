"""Monitoring of a running service: lines on standard error, checks of its health, figures for Prometheus.
Never a token, a seed, a key or a body."""

from __future__ import annotations

import collections
import json
import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple, TextIO

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..ceremony.acting.phase import phase
from ..errors import FairshoeError
from ..log.times import HOUR, SECOND
from ..serving.followers import FollowerHub
from ..serving.requests import Exchange, Lane, request_id
from .api.problems import ALL
from .clock import OUTAGE_THRESHOLD
from .errors import StorageError
from .sequencer import Sequencer
from .signing import RESTORE
from .store.database import Database, trouble
from .witnesses import WitnessStanding

ROOT = "fairshoe"
FIELDS = "fields"
"""The attribute of a record that holds what is more than its text."""
requests_logger = logging.getLogger("fairshoe.requests")


def to_stderr(form: str, stream: TextIO | None = None) -> logging.Handler:
    """Have the service's lines written; `form` is json, text, or auto (text on a terminal). Gives the handler."""
    stream = stream or sys.stderr
    text = form == "text" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextLines() if text else JsonLines())
    for name in (ROOT, "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
    logging.getLogger(ROOT).setLevel(logging.INFO)
    return handler


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "what": record.getMessage(),
            **({"request": id} if (id := request_id.get()) else {}),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        more = "".join(f" {name}={json.dumps(value)}" for name, value in getattr(record, FIELDS, {}).items())
        line = f"{_moment(record)[11:19]} {record.levelname.lower()}: {record.getMessage()}{more}"
        return line + (f"\n{self.formatException(record.exc_info)}" if record.exc_info else "")


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RequestLines:
    """Writes a line for each failed request, with `all` for every one; refusals by a full queue are only counted."""

    def __init__(self, *, all: bool) -> None:
        self._all = all

    def __call__(self, exchange: Exchange) -> None:
        failed = exchange.status >= 500 and exchange.problem != "busy"
        if not failed and not self._all:
            return
        fields = {
            "request": exchange.id,
            "method": exchange.method,
            "path": exchange.path,
            "address": exchange.address,
            "status": exchange.status,
            "ms": round(1000 * exchange.seconds, 1),
            "waited_ms": round(1000 * exchange.waited, 1),
            **({"problem": exchange.problem} if exchange.problem else {}),
        }
        level = logging.ERROR if failed else logging.INFO
        requests_logger.log(level, "%s answered %d", exchange.method, exchange.status, extra={FIELDS: fields})


class Check(NamedTuple):
    """One thing that must be right; `what` is empty where it is."""

    name: str
    what: str


def checks_of(sequencer: Sequencer, database: Database) -> list[Check]:
    """Return the health checks."""
    outages = sequencer.transactions.outages
    found, clock = trouble(database), outages.clock
    head = lost = limits = ""
    if found is None:
        try:
            signed = sequencer.heads.signed_size()  # first: the log grows meanwhile
            sequencer.heads.catch_up()
            if (size := sequencer.log.size()) < signed:
                head = f"the database has {size} entries, and {signed} were signed; {RESTORE}"
        except (FairshoeError, OSError) as error:
            head = f"the newest checkpoint cannot be kept: {error}"
    if clock.lost:
        side = "forward" if clock.off > 0 else "back"
        lost = f"the machine's clock was set {side} by {abs(clock.off) / HOUR:.1f} hours, and is not followed"
    if (silent := outages.age) >= OUTAGE_THRESHOLD / SECOND:
        limits = f"no command was answered, and no limit looked at, for {silent:.0f} seconds"
    return [
        Check("storage", str(found or outages.refused or "")),
        Check("head", head),
        Check("clock", lost),
        Check("limits", limits),
    ]


class HouseHealth(NamedTuple):
    """Figures of a house for its operator, besides its checks."""

    where: str  # its database is
    free: int | None  # bytes left on the data directory's disk; None if that cannot be told
    witnesses: Sequence[WitnessStanding]
    troubles: Mapping[str, str]  # why a placer does not answer, by table
    beacon: str  # why no source of beacons answers


class Operations(NamedTuple):
    """Health and metrics of the server; `public`: /metrics needs no token."""

    checks: Callable[[], Sequence[Check]]
    health: Callable[[], HouseHealth]
    metrics: Callable[[], bytes]
    media: str
    public: bool = False


MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})


class Metrics:
    """Of one server: nothing is shared between two in one process."""

    def __init__(self, present: Collector) -> None:
        self._registry = CollectorRegistry(auto_describe=True)
        self._requests = Counter(
            "fairshoe_requests", "Requests answered.", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "fairshoe_request_seconds",
            "From a request's headers to the end of its answer.",
            ["route"],
            buckets=SECONDS,
            registry=self._registry,
        )
        self._waited = Histogram(
            "fairshoe_queue_seconds", "Waiting for a thread.", buckets=SECONDS, registry=self._registry
        )
        self._refused = Counter(
            "fairshoe_refusals", "Requests refused, by the kind of problem.", ["kind"], registry=self._registry
        )
        for kind in ALL:
            self._refused.labels(kind.name)  # at 0: what is first seen at 1 has not increased
        self._registry.register(present)
        ProcessCollector(registry=self._registry)

    def __call__(self, exchange: Exchange) -> None:
        method = exchange.method if exchange.method in METHODS else "other"
        self._requests.labels(method, exchange.route, str(exchange.status)).inc()
        self._seconds.labels(exchange.route).observe(exchange.seconds)
        self._waited.observe(exchange.waited)
        if exchange.problem:
            self._refused.labels(exchange.problem).inc()

    def text(self) -> bytes:
        """Everything, in the text format."""
        return generate_latest(self._registry)


class PresentFigures(Collector):
    """Figures that are looked up when somebody asks for them."""

    def __init__(
        self,
        sequencer: Sequencer,
        lanes: Sequence[Lane],
        checks: Callable[[], Sequence[Check]],
        following: FollowerHub,
    ) -> None:
        self._sequencer = sequencer
        self._lanes = lanes
        self._checks = checks
        self._following = following

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        outages = self._sequencer.transactions.outages
        ready = GaugeMetricFamily("fairshoe_ready", "1 where a check of /readyz is fine.", labels=["check"])
        for check in self._checks():
            ready.add_metric([check.name], float(not check.what))
        yield ready
        waiting = GaugeMetricFamily("fairshoe_waiting", "Requests taken and not done.", labels=["lane"])
        for lane in self._lanes:
            waiting.add_metric([lane.name], lane.waiting)
        yield waiting
        yield GaugeMetricFamily("fairshoe_followers", "Who follows tables now.", value=self._following.count)
        yield CounterMetricFamily("fairshoe_outages", "Starts that were logged while running.", value=outages.count)
        yield GaugeMetricFamily(
            "fairshoe_clock_off_seconds", "How far the machine's clock was set.", value=outages.clock.off / 1_000_000
        )
        with suppress(StorageError):  # which fairshoe_ready tells
            yield from self._house()

    def _house(self) -> Iterator[Metric]:
        states = self._sequencer.all_tables()
        players = sum(len(state.table.players) for state in states)
        rounds = sum(state.book.rounds for state in states)
        sealed = sum(state.shoe is not None and bool(state.shoe.sealed) for state in states)
        yield GaugeMetricFamily("fairshoe_log_entries", "Entries of the log.", value=self._sequencer.log.size())
        phases = GaugeMetricFamily("fairshoe_tables", "Tables, by what they are doing.", labels=["phase"])
        for name, number in sorted(collections.Counter(map(phase, states)).items()):
            phases.add_metric([name], number)
        yield phases
        yield GaugeMetricFamily("fairshoe_players", "Chairs that are taken.", value=players)
        yield CounterMetricFamily("fairshoe_rounds", "Rounds opened.", value=rounds)
        yield GaugeMetricFamily("fairshoe_shoes", "Sealed shoes in play.", value=sealed)
