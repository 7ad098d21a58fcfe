"""The executor that the shares of an audit are given to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from concurrent.futures import Executor


class WorkerPool(NamedTuple):
    """The processes that do the work, and how `many` they are. `elsewhere`: on other machines, which have the log's
    file, but no temporary files of this one."""

    executor: Executor
    many: int
    elsewhere: bool = False
