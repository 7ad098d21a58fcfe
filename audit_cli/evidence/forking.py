"""Whether two checkpoints of one house contradict each other, and what shows it."""

from __future__ import annotations

from collections.abc import Sequence

from fairshoe.errors import FairshoeError
from fairshoe.log.leaves import Leaves

from .forks import Fork, side_at
from .kept import Kept


class NoFork(FairshoeError):
    """Nothing shows that the two contradict each other."""


def fork_between(one: Kept, other: Kept, copies: Sequence[Leaves]) -> Fork:
    """The fork, by the checkpoints themselves if they have one size, else by copies of the log. Raises NoFork.

    Heads of two sizes contradict each other only given a proof: what the larger log had at the smaller one's size.
    """
    small, large = sorted((one, other), key=lambda kept: kept.checkpoint.size)
    size = small.checkpoint.size
    if small.checkpoint.origin != large.checkpoint.origin:
        raise NoFork("the two checkpoints are of two logs")
    if size == large.checkpoint.size:
        if small.checkpoint.root == large.checkpoint.root:
            raise NoFork(f"both checkpoints have the same tree head, over {size} entries")
        leaves = None
    else:
        leaves = _fitting(large, copies)
        if leaves is None:
            what = f"no copy of the log fits {large.name}, so nothing shows what it had at {size} entries"
            raise NoFork(what, remedy=f"give a copy of the log whose {large.checkpoint.size} entries hash to its root")
        if leaves.root(size) == small.checkpoint.root:
            raise NoFork(f"{large.name} extends {small.name}: they are one history")
    if not size:
        raise NoFork("a log without entries has no history")
    ours, theirs = _fitting(small, copies), _fitting(large, copies)
    entry = None if ours is None or theirs is None else ours.first_difference(theirs)
    first = side_at(small.note, small.checkpoint, size)
    return Fork(size, first, side_at(large.note, large.checkpoint, size, leaves), entry)


def _fitting(kept: Kept, copies: Sequence[Leaves]) -> Leaves | None:
    """A copy whose first entries are those that the checkpoint covers."""
    size, root = kept.checkpoint[1:]
    return next((copy for copy in copies if len(copy) >= size and copy.root(size) == root), None)
