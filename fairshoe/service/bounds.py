"""What the service's clients may take of it: the server's bounds, and how many requests may wait."""

from __future__ import annotations

from dataclasses import dataclass

from ..serving import bounds
from ..serving.addresses import proxies_of
from .api.body import MAX_BODY
from .settings import Settings


@dataclass(frozen=True)
class Bounds(bounds.Bounds):
    """The same with the threads that answer, and how many requests may wait for them."""

    body_bytes: int = MAX_BODY
    command_threads: int = 8
    look_threads: int = 2
    reading_threads: int = 1
    commands_waiting: int = 256
    looks_waiting: int = 256
    readings_waiting: int = 128


def bounds_of(settings: Settings) -> Bounds:
    """What the operator chose."""
    return Bounds(
        connections=settings.connections,
        connections_by_address=settings.connections_by_address,
        looking_by_address=settings.looks_by_address,
        exempt=bounds.THIS_MACHINE + proxies_of(settings.trusted_proxies).networks,
        head_seconds=settings.head_seconds,
        body_seconds=settings.body_seconds,
        write_seconds=settings.write_seconds,
        idle_seconds=settings.idle_seconds,
        commands_waiting=settings.queue,
        stop_seconds=settings.stop_seconds,
    )
