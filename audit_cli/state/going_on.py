"""An audit that goes on where an earlier one ended: what is known is not checked again, and must be the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fairshoe.errors import InputError, LogError
from fairshoe.log.tree import Tree

from .codec import Unknown
from .file import DELETE, Kept
from .kept import kept, put
from .prefix import take_again

if TYPE_CHECKING:
    from ..evidence.head import Head
    from ..walk.audit import Audit


class NotTheSame(Exception):
    """The log does not begin with the entries that the earlier audit checked."""


class GoingOn:
    """Has the entries that `before` covers hashed and not checked, and at the end holds `after` to go on from.

    They are the same if the tree over them has the root that it had; that is known before any later entry is taken.
    `after` is None where nobody can go on: `why` says the reason. `bound`: what the audit was given.
    """

    def __init__(self, before: Kept | None, bound: Mapping[str, Any]) -> None:
        self.before = before
        self.bound = bound
        self.after: Kept | None = None
        self.why = ""
        self._size = 0 if before is None else before.size
        self._taken = 0
        self._audit: Audit
        self._roots: Mapping[int, bytes] = {}

    def check(self, head: Head) -> None:
        """Raise NotTheSame where the checkpoint covers fewer entries."""
        if self.before is not None and (head.checkpoint is None or head.checkpoint.size < self._size):
            raise NotTheSame

    def begin(self, audit: Audit) -> Callable[[bytes], None]:
        """Have a new audit know what is known; gives what takes each line. Raises InputError."""
        self._audit = audit
        if self.before is None:
            return audit.take
        try:
            put(self.before.known, audit)
        except (Unknown, KeyError, TypeError, ValueError) as error:
            raise InputError(f"not a state that this version knows: {error}", remedy=DELETE) from None
        return self._take

    def watch(self, roots: Mapping[int, bytes], marks: set[int]) -> None:
        """Told where the tree's heads will stand by size, and at which sizes they are kept."""
        self._roots = roots
        marks.add(self._size)

    def end(self, tree: Tree, head: Head) -> None:
        """There are no more lines, and the audit's books are not closed yet. Raises NotTheSame."""
        self._check()
        signed = head.checkpoint
        if signed is None or head.note is None or (tree.size, tree.root) != signed[1:]:
            self.why = "there is no checkpoint that covers just these entries"
            return
        try:
            self.after = Kept(head.note, tree.size, tree.root.hex(), self.bound, kept(self._audit))
        except Unknown as error:
            self.why = str(error)

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
