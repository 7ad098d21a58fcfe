"""What is told about each request, to whoever counts or writes it down."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Exchange(NamedTuple):
    """One request and its answer; times in seconds. `route` is empty where there is none, `problem` where it was
    answered; `waited` is the time in the queue."""

    id: str
    method: str
    route: str
    path: str
    address: str
    status: int
    seconds: float
    waited: float
    problem: str


Observer = Callable[[Exchange], None]
ROUTE = "fairshoe.route"
"""Where the application leaves the route in a request's environment."""
CLIENT = "fairshoe.client"
"""Where it leaves the client's address, as the proxies that are trusted say it."""
PROBLEM = "fairshoe.problem"
"""Where it leaves the name of what was wrong."""
