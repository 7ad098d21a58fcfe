"""Bring a directory up to date with a house's log.

The signed checkpoint comes first, then exactly the entries that it covers, and when they hash to it they join the
log in the directory, and it becomes the directory's checkpoint. At every moment the directory holds a log that
begins with all that its checkpoint covers.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from ..client import Client, Problem, Unreachable
from ..client.log import LogAt, LogBefore, log_before
from ..errors import VerificationError
from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.directory import read_lines
from ..log.note import Verifier
from ..terminal.durable import told_of_the_disk
from .folder import Folder, Tail, opened
from .refusing import Refusing, shown_key

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows how far something is: what, and of how many; `fairshoe.terminal.progress.progress` is one."""


NOT_SO_MANY = 422
"""The status with which the service refuses numbers beyond its log's end."""


class Pulled(NamedTuple):
    """The checkpoint that the directory has now, how many entries are new, and the key; `first_use`: it was
    believed because the service showed it. `before`: of a log that is new here, the one whose place it took."""

    checkpoint: Checkpoint
    new: int
    verifier: Verifier
    first_use: bool
    before: LogBefore | None


def pull(
    client: Client, directory: Path, progress: Progress, key: Verifier | None = None, *, witnesses: int = 0
) -> Pulled:
    """Fetch what is new. `key`: the house's verifier key, known from elsewhere. `witnesses`: take what the newest
    checkpoint covers that at least so many witnesses cosigned; their cosignatures are not checked.

    Raises VerificationError where the house's log does not extend what the directory holds or is not what it signed;
    the refused checkpoint is kept beside the old one then, and nothing else is changed. Raises InputError for a
    directory that holds something else or was changed, LogError, Problem, Unreachable.
    """
    with told_of_the_disk(directory), opened(directory, key) as folder:
        return _Pull(LogAt(client), folder, progress, key, witnesses).run()


class _Pull:
    def __init__(self, source: LogAt, folder: Folder, progress: Progress, key: Verifier | None, witnesses: int) -> None:
        self.source = source
        self.folder = folder
        self.progress = progress
        self.first_use = key is None and folder.checkpoint is None
        self.verifier = key or folder.verifier or shown_key(source)
        self.witnesses = witnesses
        self.note = source.checkpoint(witnesses)
        self.refusing = Refusing(source, folder, self.note)
        self.signed = self._signed()

    def run(self) -> Pulled:
        folder, signed, before = self.folder, self.signed, self.folder.size
        with self.progress("checking", before) as done:
            root = folder.follow(done, min(signed.size, before))
        if not folder.whole:
            raise self.refusing.changed()
        if signed.size <= before and root != signed.root:
            raise self.refusing.not_extended(signed)
        if signed.size < before and not self.witnesses:
            raise self.refusing.shrunk(signed.size)
        folder.trust(self.verifier)
        if signed.size > before or folder.checkpoint is None:
            self._extend()
        elif folder.goes_on:
            raise self.refusing.goes_on()
        elif signed.size == before:
            folder.add_cosignatures(self.note)
        folder.tidy()
        newest = folder.checkpoint if signed.size < before and folder.checkpoint is not None else signed
        named = None if before or not newest.size else log_before(next(read_lines(folder.log)).removesuffix(b"\n"))
        return Pulled(newest, newest.size - before, self.verifier, self.first_use, named)

    def _signed(self) -> Checkpoint:
        """The service's checkpoint, verified."""
        try:
            signed = open_checkpoint(self.note, self.verifier)
        except VerificationError as error:
            raise self.refusing.unsigned(self.verifier, error) from None
        old = self.folder.checkpoint
        origin = self.verifier.name if old is None else old.origin
        if signed.origin != origin:
            raise self.refusing.another_log(signed.origin, origin)
        return signed

    def _extend(self) -> None:
        """Fetch the entries that the directory lacks; what an earlier pull left is fetched anew if it does not fit."""
        folder, signed = self.folder, self.signed
        with Tail(folder.log, folder.tree, folder.offset) as tail:
            if not tail.go_on(signed.size):
                raise self.refusing.goes_on()
            self._fetch(tail)
            if tail.tree.root != signed.root and tail.found:
                tail.start_again()
                self._fetch(tail)
            if tail.tree.root != signed.root:
                tail.remove()
                raise self.refusing.not_extended(signed)
            if not tail.join():
                raise self.refusing.goes_on()
            folder.accept(self.note)

    def _fetch(self, tail: Tail) -> None:
        """Read up to the checkpoint's last entry, again and again as long as more comes."""
        tree, size = tail.tree, self.signed.size
        with self.progress("pulling", size) as done:
            while tree.size < size:
                before = tree.size
                try:
                    for line in self.source.entries(before, size):
                        tail.add(line)
                        done(tree.size)
                except Problem as error:
                    if error.status != NOT_SO_MANY:
                        raise
                except Unreachable as error:
                    if not error.dropped or tree.size == before:
                        raise
                if tree.size == before:
                    raise self.refusing.missing(size, before)
