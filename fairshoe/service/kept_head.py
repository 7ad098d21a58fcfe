"""The newest signed tree head, kept outside the database: what a start has to reach.

It is on the disk before anybody is answered, so that a database that lost what somebody was told is noticed: an older
copy of it, one that was damaged, one that is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from ..errors import InputError, VerificationError
from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.directory import read_text
from ..log.note import Signer, Verifier
from ..terminal.durable import replace
from .errors import Unusable
from .running import turn_in
from .store.faults import told_of_the_kept

KEPT_FILE = "newest.checkpoint"
"""In the data directory; it may be a symbolic link to a file on another disk."""
RESTORE = "see docs/recovery.md: `fairshoe restore` goes on from a backup and a copy of the log"


class KeptHead:
    """The file of a house. `present` gives the head over all entries that are committed."""

    def __init__(self, path: Path, signer: Signer, present: Callable[[], Checkpoint]) -> None:
        self._path = path
        self._signer = signer
        self._present = present
        self._turn = threading.Lock()
        self._size = -1

    def catch_up(self) -> None:
        """Have all that is committed covered. Raises StorageError."""
        self.cover(self._present().size)

    def cover(self, size: int) -> None:
        """Return once a head over `size` entries or more is on the disk; one write covers all who wait.

        Raises StorageError."""
        if size <= self._size:
            return
        with self._turn, turn_in(self._path.parent):
            if size <= self._size:
                return
            head = self._present()  # under the lock: of two services here neither writes an older one over a newer
            with told_of_the_kept():
                replace(self._path.resolve(), head.signed(self._signer))
            self._size = head.size


def read_kept(path: Path, verifier: Verifier) -> Checkpoint:
    """The head that is kept. Raises Unusable, also where there is none."""
    try:
        note = read_text(path)
        if note is not None:
            return open_checkpoint(note, verifier)
    except (InputError, VerificationError) as error:
        raise Unusable(
            f"not a checkpoint of the house whose database is here: {error.what}",
            where=str(path),
            expected=f"signed by {verifier}",
            remedy=f"put the right one back; {RESTORE}",
        ) from None
    raise Unusable(
        "missing: nothing shows that this database is the newest",
        where=str(path),
        expected="the newest checkpoint, which is kept beside every database",
        remedy=f"put it back; {RESTORE}",
    )


def check_reached(path: Path, kept: Checkpoint, *, size: int, root: Callable[[int], bytes]) -> None:
    """Raise Unusable unless the log, of `size` entries, has or extends the head that was kept; `root` gives the log's
    head over its first entries."""
    if kept.size > size:
        raise Unusable(
            f"the database has {size} entries, and {kept.size} were signed: it is an older copy, or damaged",
            where=str(path),
            expected="a database whose log reaches the newest checkpoint",
            remedy=RESTORE,
        )
    if root(kept.size) != kept.root:
        raise Unusable(
            f"the database's first {kept.size} entries are not those that were signed: it has another history",
            where=str(path),
            expected=f"entries that hash to {kept.root.hex()}",
            remedy=RESTORE,
        )
