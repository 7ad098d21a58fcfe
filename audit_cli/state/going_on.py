"""An audit that goes on where an earlier one ended: what is known is not checked again, and must be the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fairshoe.errors import InputError, LogError
from fairshoe.log.tree import Tree

from ..subset import Share, Subset
from .codec import Unknown
from .file import DELETE, Kept
from .kept import kept, put
from .prefix import take_again

if TYPE_CHECKING:
    from ..evidence.head import Head
    from ..evidence.reading import Reading
    from ..walk.audit import Audit


class NotTheSame(Exception):
    """The log does not begin with the entries that the earlier audit checked."""


class FromStart:
    """Where an audit begins: here with the first entry, and nothing is known. `subset`: which shoes are looked at.

    `live`: the log grows, so that only what is signed is read of it, and nothing beside it is looked at.
    """

    live = False

    def __init__(self, subset: Subset | None = None) -> None:
        self.subset = subset
        self._share: Share | None = None
        self._audit: Audit

    def lines(self, reading: Reading, head: Head) -> Iterator[bytes]:
        """The lines to be taken. Raises NotTheSame; InputError where nothing says which shoes are looked at."""
        root = None if head.checkpoint is None else head.checkpoint.root.hex()
        self._share = None if self.subset is None else self.subset.of(root)
        return iter(reading)

    def begin(self, audit: Audit) -> Callable[[bytes], None]:
        """Have a new audit know what is known; gives what takes each line. Raises InputError."""
        self._audit, audit.share = audit, self._share
        return audit.take

    def watch(self, tree: Tree, roots: dict[int, bytes], marks: set[int]) -> None:
        """Told of the tree that grows by each line, of its heads by size, and at which sizes they are kept."""

    def end(self, tree: Tree, head: Head) -> None:
        """There are no more lines, and the audit's books are not closed yet. Raises NotTheSame."""
        if self._share is not None:  # an audit of a share is never complete
            self._audit.unchecked["cards", self._share.undealt] += 0

    def parameters(self) -> dict[str, Any]:
        """What of it changes what is checked, for the report."""
        return {} if self._share is None else self._share.parameters()


class GoingOn(FromStart):
    """Has the entries that `before` covers hashed and not checked, and at the end holds `after` to go on from.

    They are the same if the tree over them has the root that it had; that is known before any later entry is taken.
    `after` is None where nobody can go on: `why` says the reason. `bound`: what the audit was given.
    """

    def __init__(self, before: Kept | None, bound: Mapping[str, Any], subset: Subset | None = None) -> None:
        super().__init__(subset)
        self.before = before
        self.bound = bound
        self.after: Kept | None = None
        self.why = ""
        self._size = 0 if before is None else before.size
        self._taken = 0
        self._roots: Mapping[int, bytes] = {}

    def lines(self, reading: Reading, head: Head) -> Iterator[bytes]:
        if self.before is not None and (head.checkpoint is None or head.checkpoint.size < self._size):
            raise NotTheSame
        return super().lines(reading, head)

    def begin(self, audit: Audit) -> Callable[[bytes], None]:
        take = super().begin(audit)
        if self.before is None:
            return take
        try:
            put(self.before.known, audit)
        except (Unknown, KeyError, TypeError, ValueError) as error:
            raise InputError(f"not a state that this version knows: {error}", remedy=DELETE) from None
        return self._take

    def watch(self, tree: Tree, roots: dict[int, bytes], marks: set[int]) -> None:
        self._roots = roots
        marks.add(self._size)

    def end(self, tree: Tree, head: Head) -> None:
        self._check()
        signed = head.checkpoint
        if signed is None or head.note is None or (tree.size, tree.root) != signed[1:]:
            self.why = "there is no checkpoint that covers just these entries"
            return
        try:
            self.after = Kept(head.note, tree.size, tree.root.hex(), self.bound, kept(self._audit))
        except Unknown as error:
            self.why = str(error)
        super().end(tree, head)

    def _take(self, line: bytes) -> None:
        if self._taken < self._size:
            self._take_again(line)
        else:
            if self._taken == self._size:
                self._check()
            self._audit.take(line)
        self._taken += 1

    def _take_again(self, line: bytes) -> None:
        try:
            take_again(self._audit, line)
        except LogError:
            raise
        except Exception:  # no line that an audit passed
            raise NotTheSame from None

    def _check(self) -> None:
        root = self._roots.get(self._size)
        if self.before is not None and (root is None or root.hex() != self.before.root):
            raise NotTheSame
