"""Bring a directory up to date with a house's log.

First the signed checkpoint, then exactly its entries; once they hash to it, both join the directory. At every moment
its checkpoint covers the log's beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..client import Client, Problem, Unreachable
from ..client.errors import NO_SERVICE, NotTheHouses
from ..errors import FairshoeError, InputError, LogError, VerificationError
from ..log.checkpoint import Checkpoint, checkpoint_of, open_checkpoint
from ..log.directory import CHECKPOINT, read_lines
from ..log.note import Verifier
from ..log.tree import Tree
from ..terminal.durable import translate_disk_errors
from .folder import Folder, open_folder
from .openings import keep_openings

NOT_EXTENDED = "the house's log does not extend what is here"
UNPROCESSABLE = 422
"""The status with which the service refuses numbers beyond its log's end."""
Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows how far something is: what, and of how many; `fairshoe.terminal.progress.progress` is one."""


class PullResult(NamedTuple):
    """The directory's checkpoint, the number of new entries, the key; `first_use`: it came from the service."""

    checkpoint: Checkpoint
    new: int
    verifier: Verifier
    first_use: bool


def pull(
    client: Client, directory: Path, progress: Progress, key: Verifier | None = None, *, witnesses: int = 0
) -> PullResult:
    """Fetch what is new. `key`: the house's, known from elsewhere. `witnesses`: how many must have cosigned; not
    checked.

    Raises VerificationError if the log does not extend the directory's or is not the signed one: then only the refused
    checkpoint is kept beside the old one. Raises InputError for a changed or other directory, LogError, Problem,
    Unreachable.
    """
    with translate_disk_errors(directory), open_folder(directory, key) as folder:
        pulled = _Pull(client, folder, progress, key, witnesses).run()
        keep_openings(client, folder.path)
        return pulled


class _Pull:
    def __init__(
        self, source: Client, folder: Folder, progress: Progress, key: Verifier | None, witnesses: int
    ) -> None:
        self.source = source
        self.folder = folder
        self.progress = progress
        self.first_use = key is None and folder.checkpoint is None
        self.verifier = key or folder.verifier or source.key()
        self.witnesses = witnesses
        self.note = source.checkpoint(witnesses)
        self.signed = self._signed()

    def run(self) -> PullResult:
        folder, signed, before = self.folder, self.signed, self.folder.size
        with self.progress("checking", before) as done:
            root = folder.follow(done, min(signed.size, before))
        if not folder.is_complete:
            raise self._changed()
        if signed.size <= before and root != signed.root:
            raise self._not_extended()
        if signed.size < before and not self.witnesses:
            raise self._house(
                f"the house's log has {self.signed.size} entries, and had {self.folder.size}",
                f"a log that extends the {self.folder.size} entries here",
                "pull again in a moment, in case somebody between here and the house repeats an old answer",
            )
        folder.trust(self.verifier)
        newest = signed
        if signed.size >= before:
            self._extend()
        elif folder.checkpoint is not None:
            newest = folder.checkpoint
        return PullResult(newest, newest.size - before, self.verifier, self.first_use)

    def _signed(self) -> Checkpoint:
        """The service's checkpoint, verified. Unreachable where what comes is none, whoever signed it."""
        try:
            checkpoint_of(self.note)
            signed = open_checkpoint(self.note, self.verifier)
        except InputError as error:
            what = "what comes is no checkpoint of a log"
            raise Unreachable(what, where=self.source.address, expected=error.expected, remedy=NO_SERVICE) from None
        except VerificationError as error:
            raise self._unsigned(error) from None
        old = self.folder.checkpoint
        origin = self.verifier.name if old is None else old.origin
        if signed.origin != origin:
            raise self._house(f"the service has another log, {signed.origin}", f"the log {origin}")
        return signed

    def _extend(self) -> None:
        """Fetch the entries that the directory lacks."""
        folder, signed, tree = self.folder, self.signed, self.folder.tree
        with folder.new_lines() as new:
            self._fetch(tree, new)
            if tree.root != signed.root:
                raise self._not_extended()
            folder.accept(self.note, new)

    def _fetch(self, tree: Tree, new: BinaryIO) -> None:
        """Read up to the checkpoint's last entry, again and again as long as more comes."""
        size = self.signed.size
        with self.progress("pulling", size) as done:
            while tree.size < size:
                before = tree.size
                try:
                    for line in islice(self.source.log(before, size), size - before):
                        new.write(line + b"\n")
                        tree.append(line)
                        done(tree.size)
                except Problem as error:
                    if error.status != UNPROCESSABLE:
                        raise
                except Unreachable as error:
                    if not error.dropped or tree.size == before:
                        raise
                if tree.size == before:
                    raise self._missing(before)

    # Errors. Those that accuse the house keep its checkpoint beside the one that it stands against, if there is one.

    def _house(self, what: str, expected: str, remedy: str = "") -> VerificationError:
        told = [remedy] if remedy else []
        if self.folder.checkpoint is not None:
            told.append(f"keep {self._evidence()}: they are the evidence")
        return VerificationError(what, where=self.source.address, expected=expected, remedy="; ".join(told))

    def _evidence(self) -> str:
        return f"{self.folder.path / CHECKPOINT} and {self.folder.keep_refused(self.note)}"

    def _unsigned(self, error: VerificationError) -> NotTheHouses:
        """The checkpoint is not signed with the key."""
        what = f"the service's checkpoint is not signed: {error.what}"
        with suppress(FairshoeError):
            if (shown := self.source.key()) != self.verifier:
                what = f"the service signs with another key, {shown}"
        if self.folder.checkpoint is None:
            remedy = "check the address, and the key"
        else:
            remedy = f"check the address; if it is the house's, keep {self._evidence()}"
        return NotTheHouses(what, where=self.source.address, expected=f"a signature by {self.verifier}", remedy=remedy)

    def _not_extended(self) -> VerificationError:
        """The entries do not hash to the signed tree head: they are not those here, or not those that it covers."""
        folder, signed = self.folder, self.signed
        expected = f"a log that extends the {folder.size} entries here"
        try:
            found = first_difference(self.source, folder.log, min(folder.size, signed.size))
        except FairshoeError:
            return self._house(f"{NOT_EXTENDED}: which entry differs is unknown", expected)
        if found.entry is not None:
            return self._house(f"{NOT_EXTENDED}: entry {found.entry} differs first", expected)
        what = "the service's entries are not those that the house signed"
        return self._house(what, f"{signed.size} entries that hash to {signed.root.hex()}")

    def _missing(self, given: int) -> LogError:
        """Entries that are signed and not given."""
        remedy = "pull again in a moment: what is here is kept"
        what = f"the service signed {self.signed.size} entries and gives {given} so far"
        return LogError(what, where=self.source.address, remedy=remedy)

    def _changed(self) -> InputError:
        """The log here is not what its checkpoint covers; where the house has that still, it shows the place."""
        folder, place = self.folder, ""
        with suppress(FairshoeError):
            found = first_difference(self.source, folder.log, folder.size)
            if folder.checkpoint is not None and found.root == folder.checkpoint.root and found.entry is not None:
                place = f": entry {found.entry} differs first"
        what = f"the log here was changed after it was pulled{place}"
        expected = f"the {folder.size} entries that the checkpoint beside it covers"
        return InputError(what, where=str(folder.log), expected=expected, remedy="pull into a new directory")


class EntryDifference(NamedTuple):
    """The first entry that differs or is missing on a side, if any does; `root` is that of the service's entries."""

    entry: int | None
    root: bytes


def first_difference(source: Client, log: Path, size: int) -> EntryDifference:
    """Compare the first `size` entries. Raises LogError, Problem, Unreachable."""
    here = read_lines(log) if log.exists() else iter(())
    tree, entry = Tree(), None
    for line in islice(source.log(0, size), size) if size else ():
        if entry is None and next(here, b"") != line + b"\n":
            entry = tree.size
        tree.append(line)
    if entry is None and tree.size < size:
        entry = tree.size
    return EntryDifference(entry, tree.root)
