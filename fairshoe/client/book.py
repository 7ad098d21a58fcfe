"""The book of a seat: what it must not lose, in one file that nobody else may read.

A JSON object a line, on the disk before anything goes out that depends on it: requests and that they were answered,
the token, seeds, and the newest checkpoint.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import InputError
from .lines import PRIVATE, append, lock, open_lines, whole_lines
from .requests import HASH, Request

VERSION = 1
RECEIPTS = ".receipts"


class Book:
    """One sitting of one player at one table; another begins in the same file when that chair was left.

    `waiting`: the request that nobody has answered yet. `seeds`: by the shoe and the commitment that each was made
    for; `hashed`: the hashes that were sent. `sat`: the log's size just after the chair was taken. Raises
    InputError where the file is something else, or another program plays from it; OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.table = self.player = self.token = self.checkpoint = ""
        self.seat = 0
        self.sat: int | None = None
        self.left = False
        self.waiting: Request | None = None
        self.seeds: dict[tuple[str, str], bytes] = {}
        self.hashed: set[str] = set()
        self._file = self._open()

    @property
    def begun(self) -> bool:
        """Whether it has a chair that was not left, or a request for one."""
        return not self.left and bool(self.token or self.waiting)

    @property
    def free(self) -> bool:
        """Whether somebody may sit down with it: a request for a chair that is too old is not repeated."""
        return not self.begun or (not self.token and self.waiting is not None and self.waiting.stale)

    def sit(self, table: str, player: str, request: Request) -> None:
        """Begin with the request for a chair. Raises InputError where the book has one."""
        if not self.free:
            what = f"it is {self.player}'s at table {self.table}"
            raise InputError(what, where=str(self.path), remedy="go on with table.resume(book), or name another file")
        self._write({"book": VERSION, "table": table, "player": player}, _asked(request))

    def ask(self, request: Request) -> None:
        """A request goes out now."""
        self._write(_asked(request))

    def answered(self, request: Request, *, done: bool) -> None:
        """It was done, or refused for good."""
        self._write({"answered": request.key, "left": True} if done and request.leaves else {"answered": request.key})

    def seated(self, seat: int, token: str, log: int | None = None) -> None:
        """`log`: the log's size just after the chair was taken."""
        self._write({"seat": seat, "token": token} | ({} if log is None else {"log": log}))

    def gone(self) -> None:
        """The chair was left, and not by a request of this book."""
        self._write({"left": True})

    def keep_seed(self, shoe: str, commitment: str, seed: bytes) -> None:
        self._write({"shoe": shoe, "commitment": commitment, "seed": seed.hex()})

    def keep_checkpoint(self, checkpoint: str) -> None:
        self._write({"checkpoint": checkpoint})

    def close(self) -> None:
        """Let another program go on."""
        self._file.close()

    def _open(self) -> BinaryIO:
        file = open_lines(self.path, PRIVATE)
        try:
            if not lock(file, wait=False):
                remedy = "stop it, or close its seat"
                raise InputError("another program plays from this book", where=str(self.path), remedy=remedy)
            lines, rest = whole_lines(file)
            try:
                if rest and not (lines or rest.startswith(b'{"book"'[: len(rest)])):
                    raise KeyError
                for line in lines:
                    self._follow(json.loads(line))
            except (KeyError, TypeError, ValueError, AttributeError):
                raise InputError("not a seat's book", where=str(self.path), remedy="name another file") from None
        except BaseException:
            file.close()
            raise
        return file

    def _write(self, *forms: dict[str, Any]) -> None:
        append(self._file, *forms)
        for form in forms:
            self._follow(form)

    def _follow(self, form: dict[str, Any]) -> None:
        """What a line changes."""
        if "book" in form:
            if form["book"] != VERSION:
                raise ValueError
            self.table, self.player, self.token, self.seat, self.left = form["table"], form["player"], "", 0, False
            self.sat = None
        elif not self.table:
            raise KeyError
        elif "ask" in form:
            self.waiting = Request(form["ask"], form["what"], form["fields"], form["at"], form.get("log", 0))
            if form["what"] == HASH:
                self.hashed.add(form["fields"]["hash"])
        elif "answered" in form:
            self.waiting, self.left = None, form.get("left", False)
        elif "left" in form:
            self.waiting, self.left = None, True
        elif "token" in form:
            self.left = False
            self.seat, self.token, self.sat = form["seat"], form["token"], form.get("log", self.sat)
        elif "seed" in form:
            self.seeds[form["shoe"], form["commitment"]] = bytes.fromhex(form["seed"])
        else:
            self.checkpoint = form["checkpoint"]


def _asked(request: Request) -> dict[str, Any]:
    return {"ask": request.key, "what": request.what, "fields": request.fields, "at": request.at, "log": request.log}


def receipts_of(book: Path) -> Path:
    """Where a seat's receipts stand unless they are wanted elsewhere: beside its book, for everybody to see."""
    return book.with_name(book.name + RECEIPTS)


def begin_book(path: Path, table: str, player: str, request: Request) -> Book:
    """The book of a seat that is to be taken. Raises InputError, OSError."""
    book = Book(path)
    try:
        book.sit(table, player, request)
    except BaseException:
        book.close()
        raise
    return book


def open_book(path: Path, table: str, *, anew: bool = False) -> Book:
    """The book of a seat that was taken at this table; `anew`: its chair is known from elsewhere. Raises InputError,
    OSError."""
    if not path.exists():
        raise InputError("no such book", where=str(path), remedy="name the file that `sit` was given")
    book = Book(path)
    fault = ""
    if not (book.begun or (anew and book.player)):
        fault = "its chair was left" if book.left else "it has no chair"
    elif book.table != table:
        fault = f"it is of table {book.table}"
    if fault:
        book.close()
        raise InputError(fault, where=str(path), expected=f"a seat at table {table}", remedy="sit down anew")
    return book
