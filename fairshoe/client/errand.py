"""The request of a seat that is under way: in memory, and in the book where there is one, until it is answered."""

from __future__ import annotations

from typing import Any

from .book import Book
from .requests import BETS, Request, new_request

IN_BOOK = "the request is in the book: the same call, or `resume`, sends it again, and it is done once"
IN_MEMORY = "it may have been done: the same call on this seat sends it again, and it is done once"


class Errand:
    """`waiting` is the request that nobody has answered yet. `sent`: it has been sent before. `lost`: there was one of
    which nobody has told whether it was done; `bets`: such a one to the route of bets."""

    def __init__(self, book: Book | None) -> None:
        self._book = book
        self.waiting: Request | None = None if book is None else book.waiting
        self.sent = self.waiting is not None
        self.lost = False
        self.bets: dict[str, Any] | None = None

    @property
    def remedy(self) -> str:
        """What to do where no answer comes."""
        return IN_MEMORY if self._book is None else IN_BOOK

    def begin(self, what: str, fields: dict[str, Any], log: int) -> Request:
        """The request that is to be sent now: the one that is waiting where it is this very one."""
        waiting = self.waiting
        if waiting is None or waiting.stale or not waiting.asks(what, fields):
            self._lose(waiting)
            waiting, self.sent = new_request(what, fields, log), False
            self.waiting = waiting
            if self._book is not None:
                self._book.ask(waiting)
        return waiting

    def answered(self, *, done: bool) -> None:
        """It was done, or refused for good; where it was sent before, it may have been done then."""
        if self.sent and not done:
            self._lose(self.waiting)
        if self._book is not None and self.waiting is not None:
            self._book.answered(self.waiting, done=done)
        self.waiting, self.sent = None, False

    def _lose(self, request: Request | None) -> None:
        self.lost |= request is not None
        if request is not None and request.what == BETS:
            self.bets = request.fields
