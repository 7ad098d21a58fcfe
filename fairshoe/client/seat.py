"""A chair at a table, which makes and guards its seeds."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..log.note import verifier_of
from . import playing
from .book import Book
from .client import Form
from .errand import Errand
from .errors import Problem, SeedKept, SeedRefused, Unreachable
from .forgotten import look_up
from .gone import ChairGone, explained
from .heads import Heads
from .may_open import UNKNOWN
from .openings import Openings
from .receipts import Keeper
from .requests import SEED, Request, is_final
from .seeds import Seeds
from .watching import Watching

if TYPE_CHECKING:
    from .playing import Choose
    from .table import Table


class Seat:
    """A chair with its token. `state` is the table as the seat saw it last.

    Makes a fresh random seed for every shoe, and opens it only where the house's signed log shows that all stands
    before it; `checkpoint` is the one by which it was shown, to be kept. Where the house wants a seed and its log does
    not show that, SeedKept is raised; SeedRefused where it refuses one that it has heard.

    `receipts`: the file in which the house's receipts are kept as they come, each checked; `key` is the house's, else
    the one that the service shows. Where a receipt is missing or wrong WrongReceipt is raised, with the step done.
    `book`: where all is kept that a crash must not cost: see `Table.sit` and `Table.resume`.
    `found`: what the log had of requests that the house may have forgotten, a sentence each.
    """

    def __init__(
        self,
        table: Table,
        taken: Form,
        *,
        fresh: Callable[[int], bytes] = secrets.token_bytes,
        receipts: Path | None = None,
        key: str | None = None,
        keeper: Keeper | None = None,
        book: Book | None = None,
    ) -> None:
        self.table = table
        self.seat: int = taken["seat"]
        self.token: str = taken["token"]
        self.state: Form = taken["state"]
        self.player: str = taken.get("player") or self.state["you"]["player"]
        self.found: list[str] = []
        self._book = book
        self._errand = Errand(book)
        self._seeds = Seeds(fresh, book)
        keeper = keeper if receipts is None else Keeper(receipts, table.client, key)
        place = {"table": table.name, "seat": self.seat, "player": self.player}
        self._watching = Watching(place, self.state, self._errand, keeper)
        house = verifier_of(key) if key else None if keeper is None else keeper.house
        self._heads = Heads(table.client, house, book)
        sat = self.state.get("log") if book is None else book.sat
        self._openings = Openings(table.client, table.name, self.seat, self._heads, sat)

    # Requests.

    def send(self, what: str, **fields: Any) -> Form:
        """Send to one of the table's routes; first what was not answered before. The same call after Unreachable
        sends the same request again."""
        waiting = self._errand.waiting
        if waiting is not None and self._was_done(waiting) and waiting.asks(what, fields):
            return self.state
        if self._errand.waiting is not None and not self._errand.waiting.asks(what, fields):
            self.settle()
        log = max(self.state.get("log", 0), self._watching.seen.get("log", 0))
        return self._carry_out(self._errand.begin(what, fields, log))

    def settle(self) -> None:
        """Send the request that was not answered once more, if there is one. What is refused now was not done; what
        the house may have forgotten is looked up instead."""
        waiting = self._errand.waiting
        if waiting is None or self._was_done(waiting) or self._errand.waiting is None:
            return
        if waiting.stale:
            self._errand.answered(done=False)
        else:
            with suppress(Problem):
                self._carry_out(waiting)

    def _was_done(self, request: Request) -> bool:
        """Whether the log has the moving of chips that the house may have forgotten. Where it has not it was not done,
        and is waited for no more; neither is any other request touched."""
        looked = look_up(self.table, self.player, request) if self._errand.sent else None
        if looked is None:
            return False
        done = looked.move is not None
        self.found.append(str(looked))
        self._errand.answered(done=done)
        self._errand.lost = True
        if done and request.leaves:
            self.state = self._watching.seen = looked.state
        elif done:
            self.refresh()
        return done

    def _carry_out(self, request: Request) -> Form:
        looked = self.state.get("log", 0)
        try:
            self.state = self.table.ask(request)
        except Problem as refusal:
            self._errand.sent |= self.table.client.repeated
            if is_final(refusal):
                self._errand.answered(done=False)
            else:
                self._errand.sent = True
            raise self._explained(refusal) from None
        except Unreachable as error:
            self._errand.sent |= not error.unsent or self.table.client.repeated
            error.remedy = f"{error.remedy}; {self._errand.remedy}"
            raise
        self._errand.lost |= self._errand.sent or self.table.client.repeated
        self._watching.answered(request, self.state)
        if self.state["log"] < looked and "you" in self.state:
            self.refresh()
        return self.state

    def sat_down(self, request: Request) -> None:
        """The chair was taken by this request: keep its receipt. Raises WrongReceipt."""
        self._watching.answered(request, self.state, sat=True)

    def refresh(self) -> Form:
        """Look at the table. Raises Problem, Unreachable, WrongReceipt."""
        try:
            self.state = self.table.state()
        except Problem as refusal:
            raise self._explained(refusal) from None
        self._watching.looked(self.state)
        return self.state

    def _explained(self, refusal: Problem) -> Problem:
        """Where the seat is gone: why, by the log."""
        seen, sat = self._watching.seen, None if self._book is None else self._book.sat
        since = max(int(seen["log"]) if "you" in seen else 0, sat or 0, self._heads.size)
        why = explained(refusal, self.table, self.player, since, self._heads.origin)
        if isinstance(why, ChairGone) and self._book is not None:
            self._book.gone()
        return why

    def come_back(self) -> None:
        """Do what was left undone: see `Table.resume`."""
        self.settle()
        if self._errand.waiting is not None:
            detail = f"the service does not answer the request to {self._errand.waiting.what} now"
            raise Problem(0, {"detail": detail})
        if self._book is not None and self._book.left:
            return
        self.refresh()
        while (owed := self.next() or {}).get("owed") and self._seeds.known(owed["shoe"]):
            self.contribute()

    def close(self) -> None:
        """Let go of the connection, and of the book: another program may go on with it."""
        self.table.client.close()
        if self._book is not None:
            self._book.close()

    # Receipts and proofs.

    def proof(self, round: int | None = None) -> str:
        """The proof file of a round of this table, the last one where none is named."""
        number = self.state["last"]["round"] if round is None else round
        return self.table.client.proof(f"{self.table.name}#{number}")

    @property
    def checkpoint(self) -> str:
        """The newest checkpoint that the seat was shown, signed by the house."""
        return self._heads.newest

    # What there is to do.

    def next(self) -> Form | None:
        """The first thing that the table waits for from this seat, as of `state`."""
        return next((form for form in self.expects() if not form.get("may")), None)

    def expects(self, do: str = "") -> list[Form]:
        """What the seat may send as of `state`: everything, or by one route."""
        expected: list[Form] = self.state.get("you", {}).get("expects", [])
        return [form for form in expected if do in ("", form["do"])]

    def contribute(self, cut: int | None = None, *, waive: bool = False) -> bool:
        """Send what the ceremony wants of this seat now, if anything; gives whether it did.

        `cut` where to cut if the seat is to (the middle, left out). `waive`: agree to bet on a shoe that
        the seat has no seed in.
        """
        wanted = self.next()
        if wanted is None or wanted["do"] not in ("hash", "seed"):
            if waive and self.expects("waiver"):
                self.send("waiver")
                return True
            return False
        extra = {"cut": cut if cut is not None else sum(wanted["cut"]) // 2} if "cut" in wanted else {}
        if wanted["do"] == "hash":
            digest = sha256(self._seed(wanted["shoe"])).hexdigest()
            self._seeds.promise(digest)
            self.send("hash", hash=digest, **extra)
        else:
            self._open(wanted, extra)
        return True

    def _open(self, wanted: Form, extra: Form) -> None:
        """Send a seed, once the signed log shows that it may be known. One that was sent already is sent again."""
        *others, last = self._seeds.to_open(wanted, self.state, self.player)
        for seed, pledge in (*others, last):
            fields = {"seed": seed.hex(), **extra}
            if self._errand.waiting is not None and self._errand.waiting.asks(SEED, fields):
                break
            try:
                self._openings.check(pledge, self.state, owed=bool(wanted.get("owed")))
                break
            except SeedKept:
                if pledge == last[1]:
                    raise
        try:
            self.send(SEED, **fields)
        except Problem as refusal:
            raise SeedRefused(refusal) if is_final(refusal) else refusal from None

    def _seed(self, shoe: str) -> bytes:
        """The seat's seed of a shoe, a fresh one where it has none."""
        live = self.state["shoe"] or {}
        return self._seeds.of(shoe, live["commitment"] if live.get("shoe") == shoe else UNKNOWN)

    # Playing.

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
        return self.send("chips", op="cash-out", leave=True)

    def step(self, choose: Choose | None = None, stake: int | None = None) -> bool:
        """Do the first thing that the table waits for: `fairshoe.client.playing.step` says how."""
        return playing.step(self, choose, stake)

    def play(self, rounds: int = 1, choose: Choose | None = None, stake: int | None = None) -> int:
        """Play until so many rounds more are over: `fairshoe.client.playing.play` says how."""
        return playing.play(self, rounds, choose, stake)

    def finish(self, choose: Choose | None = None) -> Form:
        """Leave as soon as the ceremony allows it: `fairshoe.client.playing.finish` says how."""
        return playing.finish(self, choose)
