"""Threads for one kind of request, with a queue that has an end."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Lane:
    """What comes first is done first. `waiting` counts what was taken in and is not done; `most` of it wait for a
    thread."""

    def __init__(self, name: str, threads: int, most: int) -> None:
        self.name = name
        self.threads = threads
        self._most = most + threads
        self._taken: dict[object, float] = {}
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"fairshoe-{name}")

    @property
    def waiting(self) -> int:
        return len(self._taken)

    @property
    def full(self) -> bool:
        return self.waiting >= self._most

    @property
    def behind(self) -> float:
        """For how many seconds the oldest request has been here that is not done; 0 without any."""
        return max((time.monotonic() - taken for taken in list(self._taken.values())), default=0.0)

    async def run(self, job: Callable[[], Result]) -> Result:
        """Do it when its turn has come; whoever asks has looked whether the lane is full."""
        mark = object()
        self._taken[mark] = time.monotonic()
        try:
            return await asyncio.wrap_future(self.submit(job))
        finally:
            del self._taken[mark]

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """The same for a thread that is none of the loop's; it takes no place in the queue from a request."""
        return self._pool.submit(contextvars.copy_context().run, job)

    def close(self) -> None:
        """Finish what has begun; what has not is not begun."""
        self._pool.shutdown(cancel_futures=True)
