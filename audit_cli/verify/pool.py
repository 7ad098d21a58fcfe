"""The executor that the shares of an audit are given to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from concurrent.futures import Executor


class WorkerPool(NamedTuple):
    """Worker processes, and how `many`. `elsewhere`: on other machines, with no temporary files of here, and
    the log's file at the same path, or at the fsspec address `source`."""

    executor: Executor
    many: int
    elsewhere: bool = False
    source: str = ""
