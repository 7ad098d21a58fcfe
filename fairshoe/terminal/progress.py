"""How far a command is and how long it will take: on standard error, on a terminal, gone when it is done."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .style import printable, steers

FIRST_SHOWN = 1.0
"""After so many seconds: what takes less needs no bar."""
SHOWN_EVERY = 0.1
_CURSOR = "\033[?25h"  # which a bar hides: a killed program would leave it hidden
_GONE = "\r\033[K" + _CURSOR


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Gives a function to be told, as often as one likes, how much is done in all, of `total` where that is known.

    The bar appears after a second and says how long the rest will take; without a total it says how much is done.
    """
    if not steers(sys.stderr):
        yield lambda _: None
        return
    bar = _Bar(printable(label), total)
    try:
        yield bar.at
    finally:
        bar.remove()


class _Bar:
    def __init__(self, label: str, total: int | None) -> None:
        import click

        amount: dict[str, Any] = {"length": total} if total else {"iterable": itertools.count(), "show_pos": True}
        self._bar = click.progressbar(**amount, label=label, file=sys.stderr, width=0)
        self._done = 0
        self._next = time.monotonic() + FIRST_SHOWN
        self._shown = False

    def at(self, done: int) -> None:
        if (now := time.monotonic()) >= self._next:
            self._next = now + SHOWN_EVERY
            self._bar.update(done - self._done)
            self._done = done
            self._shown = True
            print(_CURSOR, end="", file=sys.stderr, flush=True)

    def remove(self) -> None:
        if self._shown:
            print(_GONE, end="", file=sys.stderr, flush=True)
