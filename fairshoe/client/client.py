"""Where a program begins: a service, its tables, and how a chair is taken, or taken up again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError
from ..log.note import verifier_of
from .book import SEATS, Book, digest_of, new_request, new_token, receipts_of
from .errors import WrongReceipt
from .receipts import Keeper
from .seat import Seat
from .service import Routes, Service


class Table(Routes):
    """A table, as the client's token sees it."""

    def sit(
        self,
        player: str,
        amount: int,
        seat: int | None = None,
        name: str | None = None,
        *,
        book: Path | None = None,
        receipts: Path | None = None,
        key: str | None = None,
        **more: Any,
    ) -> Seat:
        """Take a seat, by a fresh token that the house does not see before the seat uses it.

        `book`: the file that has what the seat must not lose, for `resume`; it belongs to one seat. `receipts`: the
        file to keep receipts in, beside the book where there is one. `key`: the house's, else the one that it shows.
        `more`: other fields of the request. Raises InputError where the book has a seat, WrongReceipt with the `seat`
        that was taken, Problem, Unreachable.
        """
        kept, token = Book(book), new_token()
        try:
            kept.sit(self.name, player, token)
            taking = self._seat(kept, receipts, key)
            optional = {"seat": seat, "name": name, **more}
            fields = {"player": player, "amount": amount, "token_sha256": digest_of(token)}
            request = new_request(SEATS, fields | {k: v for k, v in optional.items() if v is not None})
            kept.ask(request)
            taking.carry_out(request)
        except WrongReceipt:
            raise
        except BaseException:
            kept.close()
            raise
        return taking

    def resume(
        self, book: Path, *, receipts: Path | None = None, key: str | None = None, token: str | None = None
    ) -> Seat:
        """Go on with the seat of a book, after a crash too.

        A request that was not answered is sent again, by its key: it is done once, and its receipt is kept. Where the
        house refuses it now it was not done. Where the house may have forgotten it, after 20 hours or a restore, it is
        not sent again, and `found` says so. Then a seed that is owed is handed in. `token`: one that takes the place of
        the book's, and that the operator has let in. Raises InputError, Problem (401: nobody has the chair by this
        token), Unreachable.
        """
        if not book.exists():
            raise InputError("no such book", where=str(book), remedy="name the file that `sit` was given")
        kept = Book(book)
        try:
            if kept.left or kept.table != self.name:
                fault = "its chair was left" if kept.left else f"it is of table {kept.table}"
                raise InputError(
                    fault, where=str(book), expected=f"a seat at table {self.name}", remedy="sit down anew"
                )
            if token is not None:
                kept.change_token(token)
            seat = self._seat(kept, receipts, key)
            seat.come_back()
        except BaseException:
            kept.close()
            raise
        return seat

    def _seat(self, book: Book, receipts: Path | None, key: str | None) -> Seat:
        """The seat of a book, on a connection of its own. Raises InputError, NotTheHouses, Unreachable, Problem."""
        table = Table(self.client.with_token(book.token), self.name)
        if key is not None:
            book.keep_house(str(verifier_of(key)))
        path = receipts or (None if book.path is None else receipts_of(book.path))
        if path is None:
            return Seat(table, book)
        if not book.house:
            book.keep_house(self.client.verifier())
        return Seat(table, book, keeper=Keeper(path, self.client, book.house))


class Client(Service):
    """A service, at whose tables somebody may sit down."""

    def create_table(self, rules: str, **fields: Any) -> Table:
        made = self.post("/v1/tables", {"rules": rules, **fields})
        return self.table(self.form_of(made, "/v1/tables", "table")["table"])

    def table(self, name: str) -> Table:
        return Table(self, name)
