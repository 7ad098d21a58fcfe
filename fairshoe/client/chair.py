"""A chair at a table: what it asks of the house, and keeps; it makes and guards its seeds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..connection import Unreachable
from ..errors import InputError, VerificationError
from ..protocol.transcript import MIN_SEED
from .book import CHIPS, COMMITMENT, HASH, PLACES, SEATS, SEED, Request, SeatBook, digest_of, new_request
from .card_openings import CardOpenings
from .checkpoint import Checkpoints
from .errors import Form, Problem, SeedKept, SeedRefused, WrongPlaces, WrongReceipt
from .openings import SignedTableLog
from .placement_check import PlacementCheck, keep_answer
from .player_placer import PlayerPlacer
from .receipts import ReceiptFile
from .service import TableRoutes

WORTHLESS_TOKEN_STATUS = 401
"""The status of a token that is worth nothing."""
IN_BOOK = "the request is in the book: the same call, or `resume`, sends it again, and it is done once"
IN_MEMORY = "it may have been done: the same call on this seat sends it again, and it is done once"


class ChairSession:
    """A chair by its token. `state` is the table as the seat saw it last.

    Each shoe gets a fresh seed, which is sent only if the signed log, up to `checkpoint`, shows all that must stand
    before it; else SeedKept is raised, and SeedRefused if the house refuses one that it has heard.

    `book`: see `RemoteTable.sit` and `resume`. `keeper`: checks and keeps receipts; for a missing or wrong one
    WrongReceipt is raised, with the step done. `notes`: sentences about requests that the house may have forgotten.
    """

    def __init__(
        self, table: TableRoutes, book: SeatBook, state: Form | None = None, *, keeper: ReceiptFile | None = None
    ) -> None:
        self.table = table
        self._anybody = TableRoutes(table.client.with_token(None), table.name)
        self.state: Form = state or {}
        self.notes: list[str] = []
        self.book = book
        self._keeper = keeper
        checkpoints = Checkpoints(table.client, book)
        self._openings = SignedTableLog(table.client, book, checkpoints)
        self._placers = PlacementCheck(table.client, book, checkpoints)
        self._placer = PlayerPlacer(book, self._openings, lambda: checkpoints.house)
        self._cards = CardOpenings(
            table.client, lambda shoe: self._placers.roots.get(shoe) or self._placer.root_of(shoe)
        )

    @property
    def seat(self) -> int:
        return self.book.seat

    @property
    def player(self) -> str:
        return self.book.player

    @property
    def token(self) -> str:
        return self.book.token

    @property
    def checkpoint(self) -> str:
        """The newest checkpoint that the seat was shown, signed by the house."""
        return self.book.checkpoint

    # Requests.

    def send(self, what: str, **fields: Any) -> Form:
        """Send to a route; first what was not answered before. After Unreachable the same call sends the same request
        again. Raises Problem, Unreachable, WrongReceipt; InputError for a short seed."""
        if what == SEED and len(fields["seed"]) < 2 * MIN_SEED:
            raise InputError("a short seed", where="seed", expected=f"{MIN_SEED} bytes or more, in hex")
        waiting = self.book.waiting
        if waiting is not None and not waiting.asks(what, fields):
            self.settle()
        elif waiting is not None and self._drop_forgotten(waiting):
            raise Problem(0, {"detail": self.notes[-1]})
        request = self.book.waiting
        if request is None or not request.asks(what, fields):
            request = new_request(what, fields, self.state.get("restored", ""))
            self.book.ask(request)
        return self.carry_out(request)

    def settle(self) -> None:
        """Send the request that was not answered once more, if there is one. What is refused now was not done."""
        waiting = self.book.waiting
        if waiting is not None and not self._drop_forgotten(waiting):
            with suppress(Problem):
                self.carry_out(waiting)

    def _drop_forgotten(self, request: Request) -> bool:
        """Drop a request that the house may have forgotten and would do twice, and return whether it was: only moves of
        chips are not about a shoe, a round or a step."""
        restored = request.what == CHIPS and self._anybody.state().get("restored", "") != request.restored
        if not (request.stale or restored):
            return False
        self.book.forgotten(request)
        why, what = "the house was restored" if restored else "it was sent too long ago", request.what
        if what == CHIPS:
            what = f"{request.fields['op']} of {request.fields.get('amount', 'all')} chips"
        asked = f"nobody says whether the {what} was done ({why}), and it is not sent again"
        self.notes.append(f"{asked}: look at your chips")
        return True

    def carry_out(self, request: Request) -> Form:
        """Send a request that is in the book, and keep its receipt."""
        before = self.state
        try:
            self.state = (self._anybody if request.what == SEATS or self.book.has_left else self.table).ask(request)
        except Problem as refusal:
            if refusal.status < 500:  # of an error's or a gateway's nobody knows whether it was done
                self.book.mark_answered(request, done=False)
            raise self._explain_refusal(refusal) from None
        except Unreachable as error:
            error.remedy = f"{error.remedy}; {IN_MEMORY if self.book.path is None else IN_BOOK}"
            raise
        if request.what == PLACES:
            keep_answer(self.book, request.fields, self.state.get("answer_receipt"))
        if request.what == SEATS:
            self.book.mark_seated(self.state["you"]["seat"], self.state["log"])
        self._keep(request, before.get("round"))
        if self.state["log"] < before.get("log", 0) and "you" in self.state:
            return self.refresh()
        return self._check_state()

    def _check_state(self) -> Form:
        """Hold the state against what the placer says, and its cards against what the house bound."""
        self.state = self._placers.check_state(self.state, lambda: self._newer_of(self.table.state()))
        try:
            self._cards.check_state(self.state)
        except (VerificationError, KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            what = error.what if isinstance(error, VerificationError) else f"openings cannot be read: {error!r}"[:300]
            raise WrongPlaces(what, evidence=self._placers.keep(self.state, self._cards.last)) from None
        return self.state

    def _keep(self, request: Request, round: Form | None) -> None:
        """The request was answered by `state`: keep its receipt. Raises WrongReceipt; it is done all the same."""
        try:
            if self._keeper is not None:
                place, sure = self._place, self._sure
                self._keeper.keep(place, request.what, request.fields, self.state, round, sure=sure)
                self._keeper.keep_standing_bets(place, self.state, sure=sure)
        except WrongReceipt as error:
            self.book.mark_answered(request, done=True)
            error.seat = self if request.what == SEATS else None
            raise
        self.book.mark_answered(request, done=True)

    @property
    def _place(self) -> Form:
        return {"table": self.table.name, "seat": self.seat, "player": self.player}

    @property
    def _sure(self) -> bool:
        """Whether the house has forgotten nothing that this seat has done."""
        return not self.notes and "restored" not in self.state

    def refresh(self) -> Form:
        """Look at the table. Raises Problem, Unreachable, WrongReceipt."""
        return self._look(self.table.state)

    def wait(self) -> Form:
        """Look at the table as soon as something has changed there, or after a while. Raises as `refresh`."""
        return self._look(self.table.newer)

    def _look(self, look: Callable[[], Form | None]) -> Form:
        try:
            self.state = self._newer_of(look())
        except Problem as refusal:
            raise self._explain_refusal(refusal) from None
        if self._keeper is not None:
            self._keeper.keep_standing_bets(self._place, self.state, sure=self._sure and self.book.waiting is None)
        return self._check_state()

    def _newer_of(self, found: Form | None) -> Form:
        """Return the newer one of what was found, if anything, and the known state; after a restore what was found."""
        known = self.state
        if not found or not known or found.get("restored") != known.get("restored"):
            return found or known
        return known if (found["log"], found["at"]) < (known["log"], known["at"]) else found

    @property
    def unknown_signature(self) -> list[str]:
        """Say if it is not known what the placer signed, in a sentence."""
        return [self._placers.unheard] if self._placers.unheard else []

    def _explain_refusal(self, refusal: Problem) -> Problem:
        """Return the next step if no chair has this token."""
        if refusal.status == WORTHLESS_TOKEN_STATUS:
            refusal.remedy = (
                f"{self.player} has left table {self.table.name}, was put out or never sat there, or the token was "
                "revoked: the log says which, and what was paid. Who sits there by the log asks the operator to let "
                "the token in, whoever does not sits down anew, with another book. The token's SHA-256 is "
                f"{digest_of(self.token)}"
            )
        return refusal

    def come_back(self) -> None:
        """Do what was left undone: see `RemoteTable.resume`."""
        self.settle()
        if self.book.waiting is not None:
            detail = f"the service does not answer the request to {self.book.waiting.what} now"
            raise Problem(0, {"detail": detail})
        if self.book.has_left:
            return
        try:
            self.refresh()
        except Problem as refusal:
            if refusal.status != WORTHLESS_TOKEN_STATUS or self.seat:
                raise
            raise InputError("it has no chair", where=str(self.book.path), remedy="sit down anew") from refusal
        if not self.seat:
            self.book.mark_seated(self.state["you"]["seat"])
        while (owed := self.next() or {}).get("owed") and self.book.pledges(owed["shoe"]):
            self.contribute()

    def close(self) -> None:
        """Let go of the connection, and of the book: another program may go on with it."""
        self._anybody.client.close()
        self._placers.close()
        self.table.client.close()
        self.book.close()

    def proof(self, round: int | None = None) -> str:
        """Return the proof file of a round of this table, the last one where none is named."""
        number = self.state["last"]["round"] if round is None else round
        return self.table.client.proof(f"{self.table.name}#{number}")

    # What there is to do.

    def next(self) -> Form | None:
        """Return the first thing that the table waits for from this seat, as of `state`."""
        return next((form for form in self.expects() if not form.get("may")), None)

    def expects(self, do: str = "") -> list[Form]:
        """Return what the seat may send as of `state`: everything, or by one route."""
        expected: list[Form] = self.state.get("you", {}).get("expects", [])
        return [form for form in expected if do in ("", form["do"])]

    def contribute(self, cut: int | None = None, *, waive: bool = False) -> bool:
        """Send what the ceremony wants of this seat now; return whether it wanted anything. `cut`: where to cut (the
        middle). `waive`: agree to bet on a shoe without a seed of one's own."""
        wanted = self.next()
        if wanted is not None and wanted["do"] in (COMMITMENT, PLACES):
            return self.place()
        if wanted is None or wanted["do"] not in (HASH, SEED):
            if waive and self.expects("waiver"):
                self.send("waiver", shoe=(self.state["shoe"] or {}).get("shoe"))
                return True
            return False
        extra = {"cut": cut if cut is not None else sum(wanted["cut"]) // 2} if "cut" in wanted else {}
        if wanted["do"] == HASH:
            shoe = wanted["shoe"]
            self._promise(HASH, lambda: {"hash": self._hash(shoe), "shoe": shoe, **extra})
        else:
            self._open(wanted, extra)
        return True

    @property
    def placer(self) -> str:
        """The verifier key by which the player's client places, where it does: the buy-in names it."""
        return self._placer.verifier

    def place(self) -> bool:
        """Answer what is awaited of a player who places, and return whether anything was. Raises PlacesKept."""
        self.settle()
        awaited = self.state.get("awaited", {})
        if "commit" in awaited and not self.book.has_left:
            self._promise(COMMITMENT, lambda: self._placer.commitment(awaited["commit"]))
            return True
        for shown in awaited.get("questions", ()):
            fields = self._placer.answer(shown, self.state)
            if fields is not None:
                self.send(PLACES, **fields)
                return True
        return False

    def _promise(self, what: str, make: Callable[[], Form]) -> None:
        """Send a seed's hash; if the log has it already, another seed's, once. A sole player's seed is not sent so: the
        house could refuse orders."""
        fields = make()
        try:
            self.send(what, **fields)
        except Problem as refusal:
            if not refusal.already_claimed:
                raise
            self.book.replace_seed(fields["shoe"], fields[what])
            self.send(what, **make())

    def _hash(self, shoe: str) -> str:
        """Return the hash of the seat's seed for the shoe in play."""
        live = self.state["shoe"] or {}
        if live.get("shoe") != shoe:
            raise SeedKept(f"a hash is wanted for shoe {shoe}, which is not in play")
        return self.book.seed_for(shoe, live["commitment"]).hash

    def _open(self, wanted: Form, extra: Form) -> None:
        """Send a seed, once the signed log shows that it may be known. One that was sent already is sent again."""
        waiting = self.book.waiting
        if waiting is not None and waiting.what == SEED:
            self.settle()
            return
        pledge = self._openings.find(wanted["shoe"], self.state, owed=bool(wanted.get("owed")))
        try:
            self.send(SEED, seed=pledge.seed.hex(), **extra)
        except Problem as refusal:
            raise SeedRefused(refusal) if refusal.status < 500 else refusal from None
