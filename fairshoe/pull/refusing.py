"""Why a pull is refused: what the house did that no honest one does, or what became of the log here."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..client import Problem, Unreachable
from ..client.errors import NotTheHouses
from ..client.log import LogAt, LogBefore, key_shown, log_before
from ..errors import FairshoeError, InputError, LogError, VerificationError
from ..log.checkpoint import Checkpoint, open_checkpoint
from ..log.directory import CHECKPOINT, read_lines
from ..log.note import Verifier
from ..log.tree import Tree
from .folder import Folder

NOT_EXTENDED = "the house's log does not extend what is here"
ANEW = "pull into a new directory"


class Refusing:
    """Makes the errors. Those that accuse the house keep its checkpoint, `note`, beside the one that it stands
    against, if there is one."""

    def __init__(self, source: LogAt, folder: Folder, note: str) -> None:
        self._source = source
        self._folder = folder
        self._note = note

    def _house(self, what: str, expected: str, remedy: str = "") -> VerificationError:
        told = [remedy] if remedy else []
        if self._folder.checkpoint is not None:
            told.append(f"keep {self._evidence()}: they are the evidence")
        return VerificationError(what, where=self._source.address, expected=expected, remedy="; ".join(told))

    def _evidence(self) -> str:
        return f"{self._folder.path / CHECKPOINT} and {self._folder.keep_refused(self._note)}"

    def unsigned(self, verifier: Verifier, error: VerificationError) -> NotTheHouses:
        """The checkpoint is not signed with the key."""
        what = f"the service's checkpoint is not signed: {error.what}"
        with suppress(FairshoeError):
            if (shown := shown_key(self._source)) != verifier:
                what = f"the service signs with another key, {shown}"
        before = self._log_before(verifier)
        if before is not None:
            what = f"{what}; {before.said}"
            remedy = "pull into a new directory, and audit both: fairshoe-audit verify NEW --before OLD"
        elif self._folder.checkpoint is None:
            remedy = "check the address, and the key"
        else:
            remedy = f"check the address; if it is the house's, keep {self._evidence()}"
        return NotTheHouses(what, where=self._source.address, expected=f"a signature by {verifier}", remedy=remedy)

    def _log_before(self, verifier: Verifier) -> LogBefore | None:
        """What the service's log says of the one with this key, if it says that it took its place."""
        with suppress(FairshoeError):
            before = log_before(next(self._source.entries(0, 1), b""))
            if before is not None:
                open_checkpoint(before.note, verifier)
            return before
        return None

    def another_log(self, found: str, origin: str) -> VerificationError:
        return self._house(f"the service has another log, {found}", f"the log {origin}")

    def shrunk(self, size: int) -> VerificationError:
        return self._house(
            f"the house's log has {size} entries, and had {self._folder.size}",
            f"a log that extends the {self._folder.size} entries here",
            "pull again in a moment, in case somebody between here and the house repeats an old answer",
        )

    def not_extended(self, signed: Checkpoint) -> VerificationError:
        """The entries do not hash to the signed tree head: they are not those here, or not those that it covers."""
        folder = self._folder
        expected = f"a log that extends the {folder.size} entries here"
        try:
            found = first_difference(self._source, folder.log, min(folder.size, signed.size))
        except FairshoeError:
            return self._house(f"{NOT_EXTENDED}: which entry differs is unknown", expected)
        if found.entry is not None:
            return self._house(f"{NOT_EXTENDED}: entry {found.entry} differs first", expected)
        what = "the service's entries are not those that the house signed"
        return self._house(what, f"{signed.size} entries that hash to {signed.root.hex()}")

    def missing(self, size: int, given: int) -> LogError:
        """Entries that are signed and not given."""
        remedy = "pull again in a moment: what is here is kept"
        what = f"the service signed {size} entries and gives {given} so far"
        return LogError(what, where=self._source.address, remedy=remedy)

    def changed(self) -> InputError:
        """The log here is not what its checkpoint covers; where the house has that still, it shows the place."""
        folder, place = self._folder, ""
        with suppress(FairshoeError):
            found = first_difference(self._source, folder.log, folder.size)
            if folder.checkpoint is not None and found.root == folder.checkpoint.root and found.entry is not None:
                place = f": entry {found.entry} differs first"
        what = f"the log here was changed after it was pulled{place}"
        expected = f"the {folder.size} entries that the checkpoint beside it covers"
        return InputError(what, where=str(folder.log), expected=expected, remedy=ANEW)

    def goes_on(self) -> InputError:
        """The log here has more than the checkpoint covers, and not what the house has there."""
        what = f"after {self._folder.size} entries there is something that the house's log does not have"
        return InputError(what, where=str(self._folder.log), expected="the log as it was pulled", remedy=ANEW)


class Difference(NamedTuple):
    """The first entry that differs or is missing on a side, if any does; `root` is that of the service's entries."""

    entry: int | None
    root: bytes


def first_difference(source: LogAt, log: Path, size: int) -> Difference:
    """Compare the first `size` entries. Raises LogError, Problem, Unreachable."""
    here = read_lines(log) if log.exists() else iter(())
    tree, entry = Tree(), None
    for line in source.entries(0, size) if size else ():
        if entry is None and next(here, b"") != line + b"\n":
            entry = tree.size
        tree.append(line)
    if entry is None and tree.size < size:
        entry = tree.size
    return Difference(entry, tree.root)


def shown_key(source: LogAt) -> Verifier:
    """Raises InputError where a log is served without one, Unreachable, Problem."""
    try:
        text = source.verifier()
    except Problem:
        with suppress(Problem, Unreachable):
            source.checkpoint()
            what, remedy = "a log without its key", "give the house's key with --key"
            raise InputError(what, where=source.address, expected="log.vkey", remedy=remedy) from None
        raise
    return key_shown(text, source.address)
