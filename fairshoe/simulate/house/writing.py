"""A simulated log on disk: whole, or not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import InputError
from ...log.checkpoint import Checkpoint
from ...log.directory import CHECKPOINT, ENTRIES, VERIFIER, write_log
from ...terminal.durable import PART, alone_in, told_of_the_disk
from .merging import all_lines
from .plan import HousePlan


def write_house_log(
    directory: Path, plan: HousePlan, *, jobs: int = 1, progress: Callable[[int], None] = lambda played: None
) -> Checkpoint:
    """Play the plan in `jobs` processes and write `log.jsonl`, `checkpoint` and `log.vkey`; `progress` hears how many
    rounds are over. Other processes import the caller's main module. Raises InputError where the directory holds
    anything, LogError."""
    with _new(directory):
        return write_log(directory, _entries(plan, jobs, progress), plan.signer())


def _entries(plan: HousePlan, jobs: int, progress: Callable[[int], None]) -> Iterator[bytes]:
    played = 0
    for _, rounds, entry in all_lines(plan, jobs):
        yield entry
        if rounds:
            played += rounds
            progress(played)


@contextmanager
def _new(directory: Path) -> Iterator[None]:
    """A directory that is empty, and is so again, or gone, where anything goes wrong."""
    with told_of_the_disk(directory):
        there = directory.exists()
        directory.mkdir(parents=True, exist_ok=True)
        with alone_in(directory, "simulation"):
            if any(not path.name.endswith(PART) for path in directory.iterdir()):
                what, expected = "is not empty", "a new directory, or an empty one"
                raise InputError(what, where=str(directory), expected=expected, remedy="name another")
            try:
                yield
            except BaseException:
                for name in (ENTRIES, CHECKPOINT, VERIFIER):
                    (directory / name).unlink(missing_ok=True)
                if not there:
                    directory.rmdir()
                raise
