"""What the service counts and measures, as Prometheus reads it."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..ceremony.acting.phase import phase
from ..ceremony.acting.state import State
from ..log.times import HOUR, SECOND, microseconds
from ..serving.requests import Exchange
from .errors import StorageError
from .health import Check
from .sequencer import Sequencer
from .workers import Workers

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})


class Metrics:
    """Of one server: nothing is shared between two in one process."""

    def __init__(self, sequencer: Sequencer, workers: Workers, checks: Callable[[], Sequence[Check]]) -> None:
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
        self._registry.register(_Now(sequencer, workers, checks))
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


class _Now(Collector):
    """What is looked up when it is asked for."""

    def __init__(self, sequencer: Sequencer, workers: Workers, checks: Callable[[], Sequence[Check]]) -> None:
        self._sequencer = sequencer
        self._workers = workers
        self._checks = checks

    def describe(self) -> list[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        outages = self._sequencer.outages
        ready = GaugeMetricFamily("fairshoe_ready", "1 where a check of /readyz is fine.", labels=["check"])
        for check in self._checks():
            ready.add_metric([check.name], float(not check.what))
        yield ready
        waiting = GaugeMetricFamily("fairshoe_waiting", "Requests taken and not done.", labels=["lane"])
        for lane in self._workers.lanes:
            waiting.add_metric([lane.name], lane.waiting)
        yield waiting
        yield CounterMetricFamily("fairshoe_outages", "Starts that were logged while running.", value=outages.counted)
        yield GaugeMetricFamily(
            "fairshoe_clock_off_seconds", "How far the machine's clock was set.", value=outages.clock.off / 1_000_000
        )
        with suppress(StorageError):  # which fairshoe_ready tells
            yield from self._house()

    def _house(self) -> Iterator[Metric]:
        states, now = self._sequencer.all_tables(), self._sequencer.outages.clock.present
        ends = [end for state in states if (end := _end(state)) is not None]
        players = sum(len(state.table.players) for state in states)
        rounds = sum(state.book.rounds for state in states)
        old = sum(end - now < HOUR for end in ends)
        yield GaugeMetricFamily("fairshoe_log_entries", "Entries of the log.", value=self._sequencer.log_size())
        phases = GaugeMetricFamily("fairshoe_tables", "Tables, by what they are doing.", labels=["phase"])
        for name, number in sorted(collections.Counter(map(phase, states)).items()):
            phases.add_metric([name], number)
        yield phases
        yield GaugeMetricFamily("fairshoe_players", "Chairs that are taken.", value=players)
        yield CounterMetricFamily("fairshoe_rounds", "Rounds opened.", value=rounds)
        yield GaugeMetricFamily("fairshoe_shoes", "Sealed shoes in play.", value=len(ends))
        yield GaugeMetricFamily("fairshoe_shoes_old", "Those that reach their age within an hour.", value=old)


def _end(state: State) -> int | None:
    """When the age of the table's sealed shoe is reached, in microseconds."""
    shoe = state.shoe
    if shoe is None or not shoe.sealed:
        return None
    return microseconds(shoe.sealed) + shoe.policy.shoe * SECOND
