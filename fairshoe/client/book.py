"""The book of a seat: what it must not lose, in memory or in a file that nobody else may read.

A JSON object a line, on the disk before what depends on it goes out: token, requests and which were answered, seeds,
the house's key, the newest checkpoint. Receipts are kept beside it, in the same way.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ..errors import InputError
from ..terminal.durable import lock, settle
from .errors import Form
from .retries import new_key

VERSION = 2
SEED_BYTES = 32
PRIVATE, USUAL = 0o600, 0o666
RECEIPTS = ".receipts"
MAX_RETRY_AGE = 20 * 3600
"""Seconds for which a request may be repeated: the house remembers its answers for a day."""
SEATS, CHIPS, HASH, SEED, BETS, DECISIONS = "seats", "chips", "hash", "seed", "bets", "decisions"
COMMITMENT, PLACES = "commitment", "places"
UNSURE = "unsure"


class Request(NamedTuple):
    """A request to the route `what`, by its own `key`; `at`: when first sent, in seconds of the epoch; `restored`: the
    house's restore that the seat knew of."""

    key: str
    what: str
    fields: Form
    at: int
    restored: str = ""

    def asks(self, what: str, fields: Form) -> bool:
        return (self.what, self.fields) == (what, fields)

    @property
    def leaves(self) -> bool:
        return self.what == CHIPS and bool(self.fields.get("leave"))

    @property
    def stale(self) -> bool:
        """Too old to be repeated: the house may have forgotten it, and would do it once more."""
        return not -MAX_RETRY_AGE < time.time() - self.at < MAX_RETRY_AGE


def new_request(what: str, fields: Form, restored: str = "") -> Request:
    return Request(new_key(), what, fields, int(time.time()), restored)


def new_token() -> str:
    """A fresh token of a chair: 256 bits of chance."""
    return f"fs_{secrets.token_urlsafe(32)}"


def digest_of(token: str) -> str:
    """Return the digest of a token that the house is told."""
    return sha256(token.encode()).hexdigest()


class Pledge(NamedTuple):
    """A player's own seed: its shoe and commitment, its SHA-256, whether that was sent, and the player's placer key if
    any."""

    seed: bytes
    shoe: str
    commitment: str
    hash: str
    promised: bool
    player: str = ""
    placer: bytes = b""


class AnsweredQuestion(NamedTuple):
    """A question of the house that was answered: text, places, signed note; its round, decisions and shown cards if
    any; when that was, in seconds of the epoch."""

    question: str
    given: list[int]
    note: str
    round: int
    decisions: list[str]
    cards: list[str | None]
    at: float


class SeatBook:
    """One sitting of one player at one table; another begins in the same file when that chair was left. Without a
    `path` in memory. Raises InputError for another file, or one in use; OSError."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.table = self.player = self.token = self.house = self.checkpoint = ""
        self.seat = 0
        self.sat: int | None = None  # the log's size just after the chair was taken
        self.has_left = False
        self.waiting: Request | None = None  # the unanswered request
        self.seeds: dict[tuple[str, str], bytes] = {}  # by shoe and commitment
        self._makers: dict[tuple[str, str], tuple[str, bytes]] = {}
        self.hashed: set[str] = set()  # the hashes that were sent
        self.bets: dict[int, Form] = {}  # sent and not refused, by round; `unsure` marks one whose execution is unknown
        self.decisions: dict[tuple[int, int], Form] = {}  # likewise, by round and step
        self.acted: dict[int, int] = {}  # when a round's last decision was sent
        self.placer = b""  # the secret key of a player who places
        self.questions: dict[str, list[AnsweredQuestion]] = {}  # the answered questions by commitment
        self.fresh = secrets.token_bytes
        self._file = None if path is None else self._open(path)

    @property
    def is_free(self) -> bool:
        """Whether somebody may sit down with it."""
        return self.has_left or not (self.seat or self.waiting)

    def sit(self, table: str, player: str, token: str) -> None:
        """Begin a sitting. Raises InputError where the book has one."""
        if not self.is_free:
            what = f"it is {self.player}'s at table {self.table}"
            remedy = "go on with table.resume(book), or name another file"
            raise InputError(what, where=str(self.path), remedy=remedy)
        self._write({"book": VERSION, "table": table, "player": player, "token": token})

    def ask(self, request: Request) -> None:
        """A request goes out now."""
        self._write({"ask": request.key} | {name: value for name, value in request._asdict().items() if name != "key"})

    def mark_answered(self, request: Request, *, done: bool) -> None:
        """It was done, or refused for good."""
        form: Form = {"answered": request.key}
        self._write(form | ({"left": True} if done and request.leaves else {} if done else {"refused": True}))

    def forgotten(self, request: Request) -> None:
        """It is not sent again, and may have been done."""
        self._write({"answered": request.key, UNSURE: True})

    def mark_seated(self, seat: int, log: int | None = None) -> None:
        """The chair was taken. `log`: the log's size just after that."""
        self._write({"seat": seat, "log": log})

    def seed_for(self, shoe: str, commitment: str) -> Pledge:
        """Return the seed for a shoe under a commitment, new if that is; none is forgotten, whatever the house
        shows."""
        if (shoe, commitment) not in self.seeds:
            seed = self.fresh(SEED_BYTES)
            self._write({"shoe": shoe, "commitment": commitment, "seed": seed.hex()})
        return self._pledge(shoe, commitment)

    def replace_seed(self, shoe: str, hash: str) -> None:
        """Replace the seed of this hash, which the house did not take, by a fresh one."""
        for pledge in self.pledges(shoe):
            if pledge.hash == hash:
                del self.seeds[shoe, pledge.commitment]
                self.seed_for(shoe, pledge.commitment)

    def pledges(self, shoe: str) -> list[Pledge]:
        """Return the seeds pledged for a shoe; several if the house has shown several commitments."""
        return [self._pledge(*made) for made in self.seeds if made[0] == shoe]

    def _pledge(self, shoe: str, commitment: str) -> Pledge:
        seed = self.seeds[shoe, commitment]
        digest = sha256(seed).hexdigest()
        return Pledge(seed, shoe, commitment, digest, digest in self.hashed, *self._makers[shoe, commitment])

    def keep_house(self, key: str) -> None:
        """The house's key, once for all. Raises InputError where the book has another house's."""
        if self.house not in ("", key):
            raise InputError("it is of another house", where=str(self.path or "seat"), expected=self.house)
        if not self.house:
            self._write({"house": key})

    def keep_checkpoint(self, checkpoint: str) -> None:
        self._write({"checkpoint": checkpoint})

    def placer_key(self) -> bytes:
        """Return the secret key of the sitting's placer, in the book before anybody hears of it."""
        if not self.placer:
            self._write({"placer": self.fresh(SEED_BYTES).hex()})
        return self.placer

    def keep_placed(self, placed: AnsweredQuestion) -> None:
        """A question is answered now."""
        self._write({"placed": list(placed)})

    def keep_evidence(self, question: str) -> None:
        """A signed question that must not be: it and the one that was answered convict the house."""
        self._write({"evidence": question})

    def close(self) -> None:
        """Let another program go on."""
        if self._file is not None:
            self._file.close()

    def _open(self, path: Path) -> BinaryIO:
        file = open_lines(path, PRIVATE)
        try:
            if not lock(file.fileno()):
                remedy = "stop it, or close its seat"
                raise InputError("another program plays from this book", where=str(path), remedy=remedy)
            lines, rest = whole_lines(file)
            try:
                if rest and not (lines or rest.startswith(b'{"book"'[: len(rest)])):
                    raise KeyError
                for line in lines:
                    self._follow(json.loads(line))
            except (KeyError, TypeError, ValueError, AttributeError):
                raise InputError("not a seat's book", where=str(path), remedy="name another file") from None
        except BaseException:
            file.close()
            raise
        return file

    def _write(self, form: Form) -> None:
        if self._file is not None:
            append(self._file, form)
        self._follow(form)

    def _follow(self, form: Form) -> None:
        """Apply a line of the file."""
        if "book" in form:
            if form["book"] != VERSION:
                raise ValueError
            self.table, self.player, self.token = form["table"], form["player"], form["token"]
            self.seat, self.sat, self.has_left, self.waiting = 0, None, False, None
            self.bets, self.decisions, self.acted, self.placer = {}, {}, {}, b""
        elif not self.table:
            raise KeyError
        elif "ask" in form:
            self.waiting = Request(form["ask"], form["what"], form["fields"], form["at"], form["restored"])
            if form["what"] == HASH:
                self.hashed.add(form["fields"]["hash"])
        elif "answered" in form:
            if self.waiting is not None and not form.get("refused"):
                self._note_end(self.waiting, {UNSURE: True} if form.get(UNSURE) else {})
            self.waiting, self.has_left = None, self.has_left or form.get("left", False)
        elif "seat" in form:
            self.seat, self.sat = form["seat"], form["log"]
        elif "seed" in form:
            made = form["shoe"], form["commitment"]
            self.seeds[made], self._makers[made] = bytes.fromhex(form["seed"]), (self.player, self.placer)
        elif "house" in form:
            self.house = form["house"]
        elif "placer" in form:
            self.placer = bytes.fromhex(form["placer"])
        elif "placed" in form:
            placed = AnsweredQuestion(*form["placed"])
            kept = self.questions.setdefault(placed.question.split("\n")[2], [])
            kept.append(placed)
        elif "checkpoint" in form:
            self.checkpoint = form["checkpoint"]
        elif "evidence" not in form:
            raise KeyError

    def _note_end(self, request: Request, how: Form) -> None:
        """Note a request's end. Decisions of earlier rounds stay, whatever round the house says is dealt."""
        fields = request.fields | how
        if request.what == BETS:
            self.bets = {fields["round"]: fields}
        elif request.what == DECISIONS:
            self.decisions[fields["round"], fields["step"]] = fields
            self.acted[fields["round"]] = request.at


def receipts_of(book: Path) -> Path:
    """Return the default file of a seat's receipts: beside its book, for everybody to see."""
    return book.with_name(book.name + RECEIPTS)


# Files of JSON values, one a line, each on the disk before anything else happens.


def open_lines(path: Path, mode: int = USUAL) -> BinaryIO:
    """A file to append to, made where it is not there. Raises OSError."""
    new = not path.exists()
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags, mode), "r+b", buffering=0)
    if new:
        settle(path.absolute().parent)
    return file


def whole_lines(file: BinaryIO) -> tuple[list[bytes], bytes]:
    """Return the lines without their ends, and what stands after the last of them: the next `append` cuts it off."""
    file.seek(0)
    *lines, rest = file.read().split(b"\n")
    return lines, rest


def append(file: BinaryIO, *values: Any) -> None:
    """Write each value on a line of its own, after the last whole line. Raises OSError."""
    if not _has_whole_end(file):
        _, rest = whole_lines(file)
        file.truncate(file.tell() - len(rest))
    data = b"".join(json.dumps(value).encode() + b"\n" for value in values)
    while data:
        data = data[file.write(data) :]
    os.fsync(file.fileno())


def _has_whole_end(file: BinaryIO) -> bool:
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return True
    file.seek(end - 1)
    return file.read(1) == b"\n"
