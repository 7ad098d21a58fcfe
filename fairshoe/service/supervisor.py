"""Whoever started the process, told that clients are answered: systemd with `Type=notify`, podman with
`--sdnotify=container`."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

VARIABLE = "NOTIFY_SOCKET"
"""Where sd_notify(3) sends to: a path, or with @ a name that no file has."""


def tell_ready() -> None:
    """Tell it, if anybody asked for that; nobody who cannot be told keeps the service from its work."""
    address = os.environ.get(VARIABLE, "")
    if not address.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
        return
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
        to.sendto(b"READY=1", name)
