"""What a witness remembers, on disk: of each log its key, the checkpoint last cosigned, leaf hashes, evidence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.checkpoint import Checkpoint, open_checkpoint
from fairshoe.log.cosignature import CosignerKey, cosigned_at, cosigner_key_of
from fairshoe.log.leaves import HASH, Leaves
from fairshoe.log.note import Verifier, verifier_of
from fairshoe.terminal.durable import TEMPORARY, alone_in, replace, settle

from .shelf import Shelf

MARK = "witness.vkey"
LOGS = "logs"
KEY = "log.vkey"
CHECKPOINT = "checkpoint"
LEAVES = "leaves"


def origin_hash(origin: str) -> str:
    """SHA-256 of an origin in hex: the name of a log's directory, and of its place in a monitor's URL."""
    return sha256(origin.encode()).hexdigest()


class LogMemory:
    """One log. `note` is the checkpoint last cosigned, with the log's signature and the witness's; None before. `shelf`
    has what was refused."""

    def __init__(self, path: Path, verifier: Verifier, witness: CosignerKey) -> None:
        self.path = path
        self.verifier = verifier
        self.shelf = Shelf(path, verifier)
        self.note: str | None = None
        self.seen: Checkpoint | None = None
        self.time = 0
        """When that was, POSIX seconds."""
        if (path / CHECKPOINT).exists():
            self.note = _text(path / CHECKPOINT)
            try:
                self.seen = open_checkpoint(self.note, verifier)
                self.time = cosigned_at(self.note, witness)
            except FairshoeError as error:
                raise _changed(path / CHECKPOINT, error.what) from None

    def leaves(self) -> Leaves:
        """The leaf hashes of the entries that were seen, at most those that were cosigned. OSError."""
        size = 0 if self.seen is None else self.seen.size
        if not (self.path / LEAVES).exists():
            return Leaves()
        with open(self.path / LEAVES, "rb") as file:
            return Leaves(file.read(size * HASH))

    def accept(self, note: str, checkpoint: Checkpoint, time: int) -> None:
        """Remember a checkpoint before anybody hears of its cosignature. OSError."""
        replace(self.path / CHECKPOINT, note)
        self.note, self.seen, self.time = note, checkpoint, time

    def keep_leaves(self, leaves: Leaves, since: int) -> None:
        """Remember leaf hashes; the first `since` of them are remembered already. OSError."""
        with open(self.path / LEAVES, "ab") as file:
            file.truncate(since * HASH)
            file.write(leaves.hashes(since))
            file.flush()
            os.fsync(file.fileno())


class Memory:
    """A witness's directory. `logs` by origin."""

    def __init__(self, path: Path, witness: CosignerKey) -> None:
        self.path = path
        self.witness = witness
        self._claim()
        self.logs: dict[str, LogMemory] = {}
        for folder in sorted((path / LOGS).iterdir()):
            if (folder / KEY).exists():
                self._open(folder, verifier_of(_text(folder / KEY)))

    def _claim(self) -> None:
        """Make the directory this witness's, if it is nobody's; refuse another's."""
        names = {each.name for each in self.path.iterdir() if not each.name.endswith(TEMPORARY)}
        mark = self.path / MARK
        if not names - {LOGS}:
            (self.path / LOGS).mkdir(exist_ok=True)
            replace(mark, f"{self.witness}\n")
        elif MARK not in names or LOGS not in names:
            raise InputError("holds something else", where=str(self.path), remedy="name a directory for the witness")
        elif (found := cosigner_key_of(_text(mark))) != self.witness:
            remedy = f"give the key that it was made with; a witness that changes its key replaces {MARK}"
            raise InputError(f"the memory of {found}", where=str(mark), expected=str(self.witness), remedy=remedy)

    def _open(self, folder: Path, verifier: Verifier) -> LogMemory:
        log = self.logs[verifier.name] = LogMemory(folder, verifier, self.witness)
        return log

    def add(self, verifier: Verifier) -> LogMemory:
        """Witness a log from here on. Raises InputError where its origin has another key, OSError."""
        known = self.logs.get(verifier.name)
        if known is None:
            folder = self.path / LOGS / origin_hash(verifier.name)
            folder.mkdir(exist_ok=True)
            replace(folder / KEY, f"{verifier}\n")
            settle(folder.parent)
            return self._open(folder, verifier)
        if known.verifier != verifier:
            what, remedy = "the log is remembered with another key", "a log has one key here; ask the house why"
            raise InputError(what, where=str(known.path / KEY), expected=str(known.verifier), remedy=remedy)
        return known


@contextmanager
def opened(path: Path, witness: CosignerKey) -> Iterator[Memory]:
    """A witness's directory, made if it is not there; no other process works in it then. InputError, OSError."""
    if not path.exists():
        path.mkdir(parents=True)
        settle(path.resolve().parent)
    with alone_in(path, "witness"):
        yield Memory(path, witness)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise _changed(path, "not UTF-8") from None


def _changed(path: Path, what: str) -> InputError:
    remedy = "restore it as it was: without its memory a witness is none"
    return InputError(f"the memory was changed: {what}", where=str(path), remedy=remedy)
