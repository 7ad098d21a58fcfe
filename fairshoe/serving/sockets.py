"""The socket that the server listens on: taken before anything is told about it."""

from __future__ import annotations

import socket

from ..errors import InputError

BACKLOG = 512
MOST_UNSENT = 1 << 14
"""Bytes that the kernel takes for a client beyond those that it may send, where it can be told so."""


def listen(host: str, port: int, where: str = "--host") -> socket.socket:
    """Listen on the one address that a host name stands for, IPv4 before IPv6; port 0 is any free one.
    `where` is what names the host to whoever runs this. Raises InputError, OSError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no name that a host can have"
        raise InputError(
            f"no such host: {reason}",
            where=where,
            remedy="give an address of this machine: 127.0.0.1, or 0.0.0.0 for all",
        ) from None
    family, kind, protocol, _, address = min(found, key=lambda info: info[0] == socket.AF_INET6)
    taken = socket.socket(family, kind, protocol)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MOST_UNSENT)
        taken.bind(address)
        taken.listen(BACKLOG)
    except OSError:
        taken.close()
        raise
    return taken


def address_of(taken: socket.socket) -> str:
    """Where a client finds it, as a URL."""
    host, port = taken.getsockname()[:2]
    return f"http://[{host}]:{port}" if taken.family == socket.AF_INET6 else f"http://{host}:{port}"
