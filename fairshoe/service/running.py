"""Who is at work in a data directory: services share it, a restore or a new master key has it for itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..errors import InputError

RUNNING_FILE = "running"
"""Each service here holds a shared lock on it for its whole life; what stands in it means nothing."""


class Hold:
    """A lock on a data directory, until it is closed or its process ends; `alone`: nobody else has one. A context
    manager that closes it. Where the system has no locks everybody gets one."""

    def __init__(self, directory: Path, *, alone: bool = False) -> None:
        """Raises InputError where others are at work, OSError."""
        self._handle: int | None = os.open(directory / RUNNING_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise InputError(
                "a service runs on this directory" if alone else "`fairshoe restore` or `keys` is at work here",
                where=str(directory),
                remedy="stop it first" if alone else "start again when it is done",
            ) from None

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    __del__ = close

    def __enter__(self) -> Hold:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def stopped(*directories: Path) -> Iterator[None]:
    """No service runs in any of these directories, nor begins to. Raises InputError, OSError."""
    with ExitStack() as held:
        for directory in {each.resolve() for each in directories}:
            if (directory / RUNNING_FILE).is_file():
                held.enter_context(Hold(directory, alone=True))
        yield


@contextmanager
def turn_in(directory: Path) -> Iterator[None]:
    """Wait until no other process is at work here for a moment, where the system can tell. Raises OSError."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
