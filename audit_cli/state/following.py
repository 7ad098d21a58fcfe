"""An audit of a log that grows: of all that it has, only what a signed checkpoint covers is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from fairshoe.log.directory import lines_of, open_entries
from fairshoe.log.tree import Tree

from ..subset import Subset
from .file import Kept
from .going_on import GoingOn
from .seen import Seen

if TYPE_CHECKING:
    from ..evidence.head import Head
    from ..evidence.reading import Reading
    from ..walk.audit import Audit


class Place(NamedTuple):
    """Where an audit stands in a file that it has read itself: after so many bytes, with the tree over them, the heads
    that somebody asked for, and what may not come twice."""

    offset: int
    tree: Tree
    roots: Mapping[int, bytes]
    commitments: Seen
    hashes: Seen
    others: Seen


class Following(GoingOn):
    """Goes on to the newest checkpoint; from `place`, where this process has read the file up to there."""

    live = True

    def __init__(
        self,
        before: Kept | None,
        bound: Mapping[str, Any],
        subset: Subset | None = None,
        place: Place | None = None,
    ) -> None:
        super().__init__(before, bound, subset)
        self.place = place
        self._offset = 0 if place is None else place.offset
        self._tree = Tree()

    def lines(self, reading: Reading, head: Head) -> Iterator[bytes]:
        super().lines(reading, head)
        signed = 0 if head.checkpoint is None else head.checkpoint.size
        return islice(self._lines(reading), signed - (0 if self.place is None else self._size))

    def _lines(self, reading: Reading) -> Iterator[bytes]:
        with open_entries(reading.path) as stream:
            stream.seek(self._offset)
            for line in lines_of(stream, str(reading.path)):
                if not line.endswith(b"\n"):
                    return
                self._offset += len(line)
                yield line[:-1]

    def begin(self, audit: Audit) -> Callable[[bytes], None]:
        take = super().begin(audit)
        if self.place is None:
            return take
        audit.commitments, audit.hashes = self.place.commitments, self.place.hashes
        audit.names.others = self.place.others
        return audit.take

    def watch(self, tree: Tree, roots: dict[int, bytes], marks: set[int]) -> None:
        super().watch(tree, roots, marks)
        self._tree = tree
        if self.place is not None:
            tree.size, tree.peaks = self.place.tree.size, list(self.place.tree.peaks)
            roots.update(self.place.roots)

    def end(self, tree: Tree, head: Head) -> None:
        super().end(tree, head)
        audit = self._audit
        self.place = Place(
            self._offset,
            tree,
            dict(self._roots) | {tree.size: tree.root},
            audit.commitments,
            audit.hashes,
            audit.names.others,
        )
