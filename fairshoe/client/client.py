"""The client of a service for programs: its tables, taking a chair or resuming one, and a seat that plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..connection import Unreachable
from ..errors import InputError
from ..log.note import verifier_of
from .book import CHIPS, SEATS, SeatBook, digest_of, new_request, new_token, receipts_of
from .chair import ChairSession
from .errors import Form, Problem, SeedRefused, WrongReceipt
from .receipts import ReceiptFile
from .service import POLL_PAUSE, Service, TableRoutes
from .shoes import RemoteShoe, path_of

Choose = Callable[["Seat", Form], Form]
"""Gives the decision, `{"move", "amount", "chosen"}`, from the seat and what it is asked (`you.expects`)."""
PLAY_TIMEOUT = 3_600.0
"""Seconds in which something must happen at the table: an hour without a bet ends a shoe."""
CONFLICT = 409
MAX_TRIES = 5


class Seat(ChairSession):
    """A chair, and the loop of whoever sits there."""

    def bet(self, *amounts: int, boxes: Mapping[int, int] | None = None) -> Form:
        """Bet on the next round: an amount on this seat's own place, or amounts by box; nothing is a pass."""
        bets: list[Form] = [{"amount": amount} for amount in amounts]
        bets += [{"amount": amount, "box": box} for box, amount in (boxes or {}).items()]
        return self.send("bets", round=self.state["rounds"] + 1, bets=bets)

    def decide(self, move: str, **fields: Any) -> Form:
        wanted = self.next() or {}
        place = {"round": wanted.get("round", self.state["rounds"]), "step": wanted.get("step", 0)}
        return self.send("decisions", **place, move=move, **fields)

    def leave(self) -> Form:
        """Leave with all chips. A player who places also gives the key of the shoe that ends, if the house takes it
        now."""
        self.send(CHIPS, op="cash-out", leave=True)
        with suppress(Problem, Unreachable):
            while self.place():
                pass
        return self.state

    def step(self, choose: Choose | None = None, stake: int | None = None, *, ends: bool = False) -> bool:
        """Do the first thing that the table waits for from the seat, by `state`; return whether there was any.

        `choose` makes the decisions (default: the table's), `stake` is every bet (default: the lowest; 0 passes). With
        `ends` the seat asks for no shoe and passes. Never waives a seed. Raises Problem, Unreachable, WrongReceipt,
        SeedKept, SeedRefused.
        """
        wanted = self.next() or next(iter(self.expects("here")), None)
        if wanted is None or (ends and wanted["do"] == "shoe"):
            return False
        match wanted["do"]:
            case "hash" | "seed" | "commitment" | "places":
                return self.contribute()
            case "bets":
                amount = 0 if ends else wanted["low"] if stake is None else stake
                self.bet(*([amount] if amount else []))
            case "decisions":
                self.decide(**(wanted["default"] if choose is None else choose(self, wanted)))
            case _:
                self.send(wanted["do"])
        return True

    def play(self, rounds: int = 1, choose: Choose | None = None, stake: int | None = None) -> int:
        """Play so many more rounds by `step`; return the last one's number. Raises Problem too after an hour without
        change."""
        self.refresh()
        goal = self._ended + rounds
        self._go_on(lambda: self._ended >= goal, lambda: self.step(choose, stake))
        return self._ended

    def finish(self, choose: Choose | None = None) -> Form:
        """Play without new bets until the chair may be left, and leave it with all chips; gives the table then."""
        self.refresh()
        refused = 0
        while True:
            self._go_on(self._may_leave, lambda: self.step(choose, ends=True))
            try:
                return self.leave()
            except Problem as problem:  # somebody was faster: a shoe is being opened
                refused += 1
                if problem.status != CONFLICT or refused > MAX_TRIES:
                    raise
                self.refresh()

    @property
    def _ended(self) -> int:
        """The number of the last round that is over."""
        return int(self.state["last"]["round"]) if self.state["last"] else 0

    def _may_leave(self) -> bool:
        return any("leave" in form["ops"] for form in self.expects("chips"))

    def _go_on(self, over: Callable[[], bool], act: Callable[[], bool]) -> None:
        """Act and wait until it is over. Somebody may have been faster: what is refused now is looked at again."""
        moved, log, refused = time.monotonic(), self.state["log"], 0
        while not over():
            try:
                acted = act()
                refused = 0
            except SeedRefused:
                raise
            except Problem as problem:
                refused += 1
                if problem.status != CONFLICT or refused > MAX_TRIES:
                    raise
                time.sleep(POLL_PAUSE)
                self.refresh()
                continue
            if not acted:
                if self.state["phase"] == "closed" and self.state["shoe"] is None:
                    raise Problem(0, {"detail": "the table is closed, and nothing is played there any more: leave"})
                if time.monotonic() - moved > PLAY_TIMEOUT:
                    raise Problem(0, {"detail": f"nothing has happened at the table for {PLAY_TIMEOUT:g} s"})
                self.wait()
            if self.state["log"] != log:
                moved, log = time.monotonic(), self.state["log"]


class RemoteTable(TableRoutes):
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

        `book`: the seat's file for `resume`; `receipts`: their file, beside the book by default. `key`: the house's,
        default: the one it shows. `more`: other fields. Raises InputError if the book has a seat, WrongReceipt with the
        `seat` taken, Problem, Unreachable.
        """
        kept, token = SeatBook(book), new_token()
        try:
            kept.sit(self.name, player, token)
            taking = self._seat(kept, receipts, key)
            optional = {"seat": seat, "name": name, **more}
            fields = {"player": player, "amount": amount, "token_sha256": digest_of(token)}
            request = new_request(SEATS, fields | {k: v for k, v in optional.items() if v is not None})
            kept.ask(request)
            try:
                taking.carry_out(request)
            except Problem as refusal:
                if refusal.body.get("field") != "placer" or "placer" in more:
                    raise
                request = new_request(SEATS, request.fields | {"placer": taking.placer})
                kept.ask(request)
                taking.carry_out(request)
        except WrongReceipt:
            raise
        except BaseException:
            kept.close()
            raise
        return taking

    def resume(self, book: Path, *, receipts: Path | None = None, key: str | None = None) -> Seat:
        """Go on with the seat of a book, after a crash too.

        An unanswered request is sent again by its key, and done once; after 20 hours or a restore it is not, and
        `found` says so. Then an owed seed is handed in. Raises InputError, Problem (401: the token has no chair),
        Unreachable.
        """
        if not book.exists():
            raise InputError("no such book", where=str(book), remedy="name the file that `sit` was given")
        kept = SeatBook(book)
        try:
            if kept.has_left or kept.table != self.name:
                fault = "its chair was left" if kept.has_left else f"it is of table {kept.table}"
                raise InputError(
                    fault, where=str(book), expected=f"a seat at table {self.name}", remedy="sit down anew"
                )
            seat = self._seat(kept, receipts, key)
            seat.come_back()
        except BaseException:
            kept.close()
            raise
        return seat

    def _seat(self, book: SeatBook, receipts: Path | None, key: str | None) -> Seat:
        """The seat of a book, on a connection of its own. Raises InputError, NotTheHouses, Unreachable, Problem."""
        table = RemoteTable(self.client.with_token(book.token), self.name)
        if key is not None:
            book.keep_house(str(verifier_of(key)))
        path = receipts or (None if book.path is None else receipts_of(book.path))
        if path is None:
            return Seat(table, book)
        if not book.house:
            book.keep_house(self.client.verifier())
        return Seat(table, book, keeper=ReceiptFile(path, self.client, book.house))


class Client(Service):
    """A service, at whose tables somebody may sit down."""

    def create_table(self, rules: str, **fields: Any) -> RemoteTable:
        made = self.post("/v1/tables", {"rules": rules, **fields})
        return self.table(self.form_of(made, "/v1/tables", "table")["table"])

    def table(self, name: str) -> RemoteTable:
        return RemoteTable(self, name)

    def create_shoe(self, roster: Sequence[str | Form], **fields: Any) -> RemoteShoe:
        """Commit to a shoe without a table (the operator), for player ids, or forms with a `token_sha256`; the result's
        `tokens` has the others' tokens."""
        body = {"roster": [{"player": each} if isinstance(each, str) else each for each in roster], **fields}
        return RemoteShoe(self, self.form_of(self.post("/v1/shoes", body), "/v1/shoes", "shoe"))

    def shoe(self, name: str) -> RemoteShoe:
        """A shoe without a table, as this client's token sees it. Raises Problem, Unreachable."""
        return RemoteShoe(self, self.get(path_of(name)))
