"""A table, and how a chair at it is taken, or taken up again."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from .book import Book, begin_book, open_book, receipts_of
from .chairless import check_chairless, seated_by
from .client import Client, Form
from .errors import Problem, WrongReceipt
from .receipts import Keeper
from .requests import SEATS, Request, is_final, new_request
from .seat import Seat

__all__ = ["Seat", "Table"]


class Table:
    """A table, as the client's token sees it."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name

    def path(self, what: str = "") -> str:
        return f"/v1/tables/{quote(self.name, safe='')}{what and '/' + what}"

    def state(self) -> Form:
        return self._form(self.client.get(self.path()), "", "log", "at", "phase")

    def send(self, what: str, **fields: Any) -> Form:
        return self._form(self.client.post(self.path(what), fields), what)

    def ask(self, request: Request) -> Form:
        """Send a request by its own key."""
        names = ("seat", "token", "state") if request.what == SEATS else ("log", "at", "phase")
        return self._form(self.client.post(self.path(request.what), request.fields, request.key), request.what, *names)

    def _form(self, answer: Any, what: str, *names: str) -> Form:
        return self.client.form_of(answer, self.path(what), *names)

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
        """Take a seat. `book`: the file that has what the seat must not lose, for `resume`; it belongs to one seat.

        `receipts`: the file to keep receipts in, beside the book where there is one, by the house's `key` or the one
        that it shows. `more`: other fields of the request. Raises InputError where the book has a seat, WrongReceipt
        with the `seat` that was taken.
        """
        optional = {"seat": seat, "name": name, **more}
        fields: Form = {"player": player, "amount": amount, **{k: v for k, v in optional.items() if v is not None}}
        place = receipts or (None if book is None else receipts_of(book))
        client = self.client.with_token(None)  # nobody's: `resume` may have another client
        keeper = None if place is None else Keeper(place, client, key)
        request = new_request(SEATS, fields)
        kept = None if book is None else begin_book(book, self.name, player, request)
        try:
            return self._take(client, request, kept, keeper)
        except WrongReceipt:
            raise
        except BaseException:
            if kept is not None:
                kept.close()
            raise
        finally:
            client.close()

    def resume(
        self, book: Path, *, receipts: Path | None = None, key: str | None = None, token: str | None = None
    ) -> Seat:
        """Go on with the seat of a book, after a crash too.

        A request that was not answered is sent again, by its key: it is done once, and its receipt is kept. Where the
        house refuses it now it was not done. Where the house may have forgotten it, after 20 hours or a restore, the
        log says whether chips were moved: `found` has what it says. Then a seed that is owed is handed in. `token`:
        one that the operator has made instead of the book's, which may have none. Raises InputError, Problem: ChairGone
        where the chair was left, by the house's word too, TokenGone and TokenLost where the token is.
        """
        kept = open_book(book, self.name, anew=token is not None)
        client = self.client.with_token(None)
        try:
            if token is not None:
                holder = self.client.with_token(token)
                try:
                    seated_by(Table(holder, self.name), kept, token)
                finally:
                    holder.close()
            keeper = Keeper(receipts or receipts_of(book), client, key)
            request = kept.waiting
            if request is not None and request.what == SEATS:
                check_chairless(self, kept, request)
                seat = self._take(client, request, kept, keeper)
            else:
                taken: Form = {"seat": kept.seat, "token": kept.token, "player": kept.player, "state": {}}
                seat = Seat(Table(client.with_token(kept.token), self.name), taken, keeper=keeper, book=kept)
            seat.come_back()
        except BaseException:
            kept.close()
            raise
        finally:
            client.close()
        return seat

    def _take(self, client: Client, request: Request, book: Book | None, keeper: Keeper | None) -> Seat:
        """Sit down. The token is in the book before anything else happens."""
        try:
            taken = Table(client, self.name).ask(request)
        except Problem as refusal:
            if book is not None and is_final(refusal):
                book.answered(request, done=False)
            raise
        if book is not None:
            book.seated(taken["seat"], taken["token"], taken["state"]["log"])
        sitting = Seat(Table(client.with_token(taken["token"]), self.name), taken, keeper=keeper, book=book)
        try:
            sitting.sat_down(request)
        except WrongReceipt as error:
            error.seat = sitting
            raise
        return sitting
