"""Processes of this machine that audit shares of a log."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait

from .pool import WorkerPool

KILL_TIMEOUT = 2
"""Seconds that what was killed may take to be gone."""


@contextmanager
def processes(count: int) -> Iterator[WorkerPool]:
    """Start so many processes of this machine. Whatever ends the work early, Ctrl-C among it, ends them at once."""
    forks = sys.platform == "linux" and threading.active_count() == 1
    others = set(active_children())
    with _shield_from_interrupts():
        executor = ProcessPoolExecutor(count, get_context("fork" if forks else "spawn"), _begin)
        executor.submit(abs, 0)  # with the first task all processes begin
    try:
        yield WorkerPool(executor, count)
    except BaseException:
        manager = getattr(executor, "_executor_manager_thread", None)
        executor.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.kill()
        if manager is not None:  # at exit Python wakes it by a pipe, and says so where it has just closed that
            manager.join(KILL_TIMEOUT)
        raise
    executor.shutdown()


def _begin() -> None:
    """Prepare a worker process: exempt existing objects from garbage collection, and end with the parent process."""
    gc.freeze()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _shield_from_interrupts() -> Iterator[None]:
    """Ctrl-C waits, and processes that begin here never hear of it: it is for the one that the work is for."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
