"""What one client, or many, may take of the server."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network

from .addresses import Network

THIS_MACHINE: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


@dataclass(frozen=True)
class Bounds:
    """Numbers of connections and bytes; times in seconds."""

    connections: int = 1_000
    """Open at once; beyond that the one that has been waited for longest makes room."""
    connections_by_address: int = 100
    exempt: tuple[Network, ...] = THIS_MACHINE
    """Whose connections are not counted by address: this machine, and proxies that are trusted."""
    looking_by_address: int = 32
    """Requests of one address that are worked on, or wait, where they take no turn of a command's."""
    body_bytes: int = 64 * 1024
    head_seconds: float = 10.0
    """For a request's line and headers, all of them."""
    body_seconds: float = 20.0
    """For a request's body, all of it."""
    write_seconds: float = 30.0
    """For one part of an answer to be taken."""
    idle_seconds: int = 75
    """For the next request on a connection."""
    stop_seconds: int = 20
    """For the requests that were accepted, once the server is told to stop."""
