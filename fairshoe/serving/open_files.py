"""How many files the process may have open, of which every connection is one."""

from __future__ import annotations

import sys

from ..errors import InputError

OTHERS = 128
"""Left for the database, the log's files and the listening socket."""
LEAST = 16
"""Connections without which nothing can be served."""


def room_for(connections: int) -> int:
    """Have the system allow so many connections, as far as it does; gives how many there may be.

    Raises InputError where the system allows too few to serve anybody."""
    if sys.platform == "win32":
        return connections
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHERS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return connections
    if soft < OTHERS + min(connections, LEAST):
        raise InputError(
            f"the system allows this process {soft} open files",
            where="ulimit -n",
            expected=f"at least {OTHERS + LEAST}, and one for each connection",
            remedy="raise the limit (LimitNOFILE= in a systemd unit)",
        )
    return min(connections, soft - OTHERS)
