"""A placer's shoes in SQLite: a key for each, and questions with answers, which are on the disk first."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError, RuleError
from ..log.note import Signer, signatures_of
from ..protocol.commitment import commitment_of, new_key
from ..protocol.placer_chain import Chain, ParsedQuestion, new_chain, parse_question
from ..protocol.placer_state import PlacerState, answer_question
from ..terminal.durable import replace

FILE = "placer.sqlite3"
MARK = "placer.mark"
"""Made anew at each start. When its inode was last changed stands in the database too: no copy brings that back."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS placer (name TEXT NOT NULL, mark TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS shoes (placer TEXT PRIMARY KEY, origin TEXT NOT NULL, shoe TEXT NOT NULL,
    commitment TEXT NOT NULL, key BLOB NOT NULL, steps INTEGER NOT NULL, head BLOB NOT NULL, size INTEGER NOT NULL,
    taken TEXT NOT NULL, shuffled TEXT NOT NULL, ended INTEGER NOT NULL, restored INTEGER NOT NULL,
    UNIQUE (origin, shoe, commitment));
CREATE TABLE IF NOT EXISTS questions (placer TEXT NOT NULL, step INTEGER NOT NULL, text TEXT NOT NULL,
    signed TEXT NOT NULL, given TEXT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (placer, step));
"""


class UnknownShoe(RuleError):
    """No shoe has this commitment here."""


class RestoredShoe(RuleError):
    """A shoe from a backup: what was given after it is not known here, so nothing more is."""

    fault = "machine"


class Store:
    """One process at a time. `restored`: the data come from a backup, as the starter says or the data show."""

    def __init__(self, folder: Path, signer: Signer, *, restored: bool = False) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / FILE
        path.touch(mode=0o600)
        self._signer = signer
        self._turn = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=0)
        try:
            self._open(folder / MARK, restored)
        except sqlite3.OperationalError as error:
            self._database.close()
            remedy = "one placer works in a directory: stop the other, or give another --data"
            raise InputError(f"cannot use the database: {error}", where=str(path), remedy=remedy) from None
        except BaseException:
            self._database.close()
            raise

    def _open(self, mark: Path, restored: bool) -> None:
        for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"):
            self._database.execute(f"PRAGMA {pragma}")
        self._database.executescript(SCHEMA)
        name = self._signer.verifier.name
        with self._transaction() as database:
            known = database.execute("SELECT name, mark FROM placer").fetchone()
            if known is not None and known[0] != name:
                what = f"the data are of the placer {known[0]}, the key is of {name}"
                raise InputError(what, where=str(mark.parent), remedy="give the key that belongs to --data")
            if known is not None and (restored or known[1] != _marked(mark)):
                database.execute("UPDATE shoes SET restored = 1 WHERE ended = 0")
            database.execute("DELETE FROM placer")
            database.execute("INSERT INTO placer VALUES (?, '')", (name,))
        replace(mark, "The time of this file's last change is how a placer sees that it was restored.\n", mode=0o600)
        with self._transaction() as database:
            database.execute("UPDATE placer SET mark = ?", (_marked(mark),))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction: its changes are on the disk at its end, or none of them."""
        with self._turn:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def close(self) -> None:
        self._database.close()

    def commit(self, origin: str, shoe: str, commitment: str) -> str:
        """The commitment to this shoe's key, which is made when the shoe is first asked for. Raises RestoredShoe."""
        with self._transaction() as database:
            named = (origin, shoe, commitment)
            where = "origin = ? AND shoe = ? AND commitment = ?"
            found = database.execute(f"SELECT placer, restored FROM shoes WHERE {where}", named).fetchone()
            if found is not None:
                _check_not(restored=found[1])
                return str(found[0])
            key = new_key()
            placer = commitment_of(key)
            chain = new_chain(*named, self._signer.verifier.name, placer)
            row = (placer, *named, key, 0, chain.head, 0, "0", "[]", 0, 0)
            database.execute("INSERT INTO shoes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            return placer

    def ask(self, placer: str, text: str, signed: str) -> tuple[list[int], str]:
        """Return the places that a question is given, and the note; always the same. Raises InputError, UnknownShoe,
        RestoredShoe, RuleError."""
        question = parse_question(text)
        with self._transaction() as database:
            now, key, restored = self._shoe(database, placer)
            _check_not(restored=restored)
            before = database.execute(
                "SELECT given, note FROM questions WHERE placer = ? AND step = ? AND text = ?",
                (placer, question.chain.steps, text),
            ).fetchone()
            if before is not None:
                return json.loads(before[0]), str(before[1])
            after, given = answer_question(now, key, question)
            note = self._note(after, key)
            self._keep(database, question, after, (text, signed, json.dumps(given), note))
            return given, note

    def newest(self, placer: str, start: int = 0) -> tuple[str, list[str], list[int]]:
        """Return a shoe's newest note, the signed questions from step `start` on, and their places. Raises
        UnknownShoe."""
        with self._transaction() as database:
            now, key, _ = self._shoe(database, placer)
            wanted = "SELECT signed, given FROM questions WHERE placer = ? AND step >= ? ORDER BY step"
            rows = database.execute(wanted, (placer, start)).fetchall()
            places = [place for _, given in rows for place in json.loads(given)]
            return self._note(now, key), [str(signed) for signed, _ in rows], places

    def _note(self, placing: PlacerState, key: bytes) -> str:
        return self._signer.sign(placing.chain.note(key if placing.ended else b""))

    def _shoe(self, database: sqlite3.Connection, placer: str) -> tuple[PlacerState, bytes, bool]:
        columns = "origin, shoe, steps, head, size, taken, shuffled, ended, key, restored"
        row = database.execute(f"SELECT {columns} FROM shoes WHERE placer = ?", (placer,)).fetchone()
        if row is None:
            raise UnknownShoe("no such shoe", where="placer", expected="a commitment that this placer gave")
        origin, shoe, steps, head, size, taken, shuffled, ended, key, restored = row
        digests = tuple(bytes.fromhex(digest) for digest in json.loads(shuffled))
        last = digests[-1] if digests else b""
        chain = Chain(origin, shoe, placer, steps, head)
        return PlacerState(chain, size, last, int(taken, 16), digests, bool(ended)), key, bool(restored)

    def _keep(
        self,
        database: sqlite3.Connection,
        question: ParsedQuestion,
        after: PlacerState,
        kept: tuple[str, str, str, str],
    ) -> None:
        chain, shuffled = after.chain, json.dumps([digest.hex() for digest in after.shuffled])
        database.execute(
            "UPDATE shoes SET steps = ?, head = ?, size = ?, taken = ?, shuffled = ?, ended = ? WHERE placer = ?",
            (chain.steps, chain.head, after.size, f"{after.place_mask:x}", shuffled, after.ended, chain.placer),
        )
        row = (chain.placer, question.chain.steps, *kept)
        database.execute("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?)", row)


def _check_not(*, restored: bool) -> None:
    if restored:
        raise RestoredShoe("this placer was restored from a backup", expected="only GET, for the shoes of that time")


def _marked(mark: Path) -> str:
    try:
        about = os.stat(mark)
    except FileNotFoundError:
        return "none"
    return f"{about.st_dev} {about.st_ino} {about.st_ctime_ns}"


def text_of(note: str) -> str:
    """Return the signed text of a note, nothing of it checked. Raises VerificationError."""
    return signatures_of(note)[0]
