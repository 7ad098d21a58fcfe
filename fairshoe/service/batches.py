"""A queue of jobs in order of arrival: the caller that finds no worker does all jobs that wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
MAX_BATCH_SIZE = 64
"""Maximum number of tasks in a batch."""


class Job(Generic[Task]):
    """A task; then what came of it, or the error that it ended with."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = False
        self.woken = threading.Lock()
        self.woken.acquire()


class BatchQueue(Generic[Task]):
    """`run` does some jobs together. What it raises is what all of them end with."""

    def __init__(self, run: Callable[[Sequence[Job[Task]]], None]) -> None:
        self._run = run
        self._lock = threading.Lock()
        self._waiting: list[Job[Task]] = []

    def take(self, task: Task) -> Any:
        """Do it in turn; gives what came of it, or raises what it ended with."""
        job = Job(task)
        with self._lock:
            self._waiting.append(job)
            first = self._waiting[0] is job
        if not first:
            job.woken.acquire()
        if not job.done:
            self._lead()
        if job.error is not None:
            raise job.error
        return job.result

    def _lead(self) -> None:
        """Do what waits: the first of it is one's own. It waits on until it is done, so that nobody else begins."""
        with self._lock:
            batch = self._waiting[:MAX_BATCH_SIZE]
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
