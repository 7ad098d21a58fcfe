"""Who is at work in a data directory: services share it, a restore has it for itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..errors import InputError
from .errors import Unusable

RUNNING_FILE = "running"
"""Each service here holds a shared lock on it for its whole life; what stands in it means nothing."""


class Running:
    """A service's hold on a data directory, until it is closed or its process ends."""

    def __init__(self, directory: Path) -> None:
        """Raises Unusable where a restore is at work, OSError."""
        self._handle: int | None = os.open(directory / RUNNING_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        if not _locked(self._handle, shared=True):
            self.close()
            raise Unusable(
                "`fairshoe restore` is at work here", where=str(directory), remedy="start again when it is done"
            )

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    __del__ = close


@contextmanager
def stopped(*directories: Path) -> Iterator[None]:
    """No service runs in any of these directories, nor begins to. Raises InputError, OSError."""
    with ExitStack() as held:
        for directory in {each.resolve(): each for each in directories}.values():
            if (directory / RUNNING_FILE).is_file():
                held.enter_context(_alone(directory))
        yield


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    handle = os.open(directory / RUNNING_FILE, os.O_RDWR)
    try:
        if not _locked(handle, shared=False):
            raise InputError(
                "a service runs on this directory",
                where=str(directory),
                expected="a backup of it, or that nothing runs here",
                remedy="stop the service first; `fairshoe backup` and `fairshoe restore --check` work while it runs",
            )
        yield
    finally:
        os.close(handle)


def _locked(handle: int, *, shared: bool) -> bool:
    """Whether the lock was to be had at once; where the system has none it always is."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
