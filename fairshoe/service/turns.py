"""Jobs that change what is stored, in the order in which they came: whoever finds nobody at work does all that wait by
then, and answers them together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from .replies import Sent

Result = TypeVar("Result")
MOST = 64
"""So many jobs are done in one transaction."""


class Job:
    """What is to be done within a transaction, for a request that was `sent`; then what came of it, or the error that
    it ended with."""

    def __init__(self, do: Callable[[Connection], Any], sent: Sent | None = None) -> None:
        self.do = do
        self.sent = sent
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False
        self.woken = threading.Lock()
        self.woken.acquire()


class Turns:
    """`run` does some jobs in one transaction. What it raises is what all of them end with."""

    def __init__(self, run: Callable[[Sequence[Job]], None]) -> None:
        self._run = run
        self._lock = threading.Lock()
        self._waiting: list[Job] = []

    def take(self, do: Callable[[Connection], Result], sent: Sent | None = None) -> Result:
        """Do it in turn; returns once it is on the disk, or raises what it ended with."""
        job = Job(do, sent)
        with self._lock:
            self._waiting.append(job)
            first = self._waiting[0] is job
        if not first:
            job.woken.acquire()
        if not job.done:
            self._lead()
        if job.error is not None:
            raise job.error
        result: Result = job.result
        return result

    def _lead(self) -> None:
        """Do what waits: the first of it is one's own. It waits on until it is done, so that nobody else begins."""
        with self._lock:
            batch = self._waiting[:MOST]
        try:
            self._run(batch)
        except BaseException as error:
            for job in batch:
                job.error = error
        with self._lock:
            del self._waiting[: len(batch)]
            following = self._waiting[:1]
        for job in batch:
            job.done = True
        for job in (*batch, *following):
            job.woken.release()
