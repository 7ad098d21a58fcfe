"""One request from token to answer: what is due at its table, the command, the entries; and views of tables."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, insert, select

from ..ceremony.acting import commands
from ..ceremony.acting.beacons import wanted_beacon
from ..ceremony.acting.lone_shoe import LoneShoe
from ..ceremony.acting.machine import create, receipt_of
from ..ceremony.acting.openings import openings, openings_at
from ..ceremony.acting.placers import NEWEST_STEP, PlacerRequests, answer_of
from ..ceremony.acting.state import CommandResult, State
from ..ceremony.policy import Policy
from ..engine.rules import Rules
from ..engine.view import PUBLIC
from ..errors import FairshoeError, InputError, VerificationError
from ..log.canonical import parse
from ..log.hand_proof import HandProof, with_openings
from ..log.note import signatures_of
from ..log.times import timestamp
from ..protocol.beacons import BeaconRound
from ..protocol.placer_chain import RepeatedPlace, receipt_text
from ..record.hand_entries import round_of
from ..record.openings import forms_of, places_of_hand
from .batches import Job
from .errors import NotFound, StorageError
from .forwarding import ForwardedCommand
from .leadership import Deposed
from .limits import Guest, Visit
from .log_reader import LogReader
from .placement_file import PlacedFile
from .replies import Make, Reply, SentRequest, TableReply
from .settings import Settings
from .shoe_sequencer import ShoeSequencer
from .signing import ReceiptSigner, receipts_secret
from .store.journal import LogEnd, read_head
from .store.schema import RESTORED, find_meta, tables
from .table_store import ARE_TABLES, AnyState, S, Stored, check_table, kind_of, no_table, state_of
from .tokens import Caller, caller_of, seats_of
from .transactions import Task, Transactions
from .vault import Vault

Read = TypeVar("Read")
MAX_SIGNED = 1024
"""How many signed questions are remembered, the newest; each is shown at every look while it waits."""


class TableLook(NamedTuple):
    """A table's version, and which seat looks at it."""

    version: int
    seat: int | None


class Sequencer:
    """Every command at a table, and what is seen of one; `transactions` write it, and `log` reads the log."""

    def __init__(self, transactions: Transactions, vault: Vault, settings: Settings) -> None:
        self.settings = settings
        self.transactions = transactions
        self.tables, self.lead = transactions.tables, transactions.lead
        self.signer, self.heads = transactions.signer, transactions.heads
        self._answers, self._limits, self._clock = transactions.answers, transactions.limits, transactions.clock
        self._database = database = transactions.database
        self.log = LogReader(database, self.heads)
        self.receipts = ReceiptSigner(receipts_secret(database, vault, self.signer.verifier.name), self.signer)
        with database.begin_read() as connection:
            restored = find_meta(connection, RESTORED)
        self.restored = None if restored is None else restored.decode()
        """The time of the last restore, if there was any: players are told so in every table's state."""
        self.placement_file = PlacedFile(self.heads.path.parent)
        self._repeated: set[str] = set()
        self.sign = lru_cache(MAX_SIGNED)(self.signer.sign)
        self.shoes = ShoeSequencer(self)

    # Tables.

    def admit(self, sent: SentRequest) -> Reply | None:
        """Return a request's earlier answer, or None if its caller may send it. Raises RateLimited, Unauthorized,
        Forbidden, NotFound, KeyReused."""
        with self._database.begin_read() as connection:
            self._limits.check(connection, sent.visit, self._clock.present)
            reply = self._answers.find(connection, sent.digests)
            size = read_head(connection).tree.size
            if reply is None:
                _admitted(sent, partial(caller_of, connection))
                if sent.table is not None:
                    check_table(connection, sent.table)
        if reply is not None:
            self.heads.wait_for_size(size)
        return reply

    def count(self, visit: Visit) -> None:
        """Count a request that was refused before anything was begun. Raises RateLimited."""
        with self._database.begin_write(lightly=True) as connection:
            self._limits.begin()
            self._limits.take(connection, visit, self._clock.present)
            self._limits.write(connection, self._clock.present)
        visit.is_counted = True

    def create_table(self, sent: SentRequest, name: str, rules: Rules, policy: Policy, *more: Any) -> Reply:
        """A new table; `more`: the further arguments of `create`."""
        return self.once(sent, "_create", name, rules, policy, *more)

    def _create(
        self, connection: Connection, _: Caller, name: str, rules: Rules, policy: Policy, *more: Any
    ) -> TableReply[State]:
        if connection.execute(select(tables.c.id).where(tables.c.id == name)).first() is not None:
            raise commands.Refused(f"table {name} exists", where="table", remedy="choose another id")
        now = self.tables.now(self.tables.end)
        outcome = create(name, rules, policy, now, *more)
        connection.execute(insert(tables).values(id=name, state="", key=None, due=None, version=0))
        self.tables.store(outcome, now, None)
        return self.look_at(outcome.state, None, None, now, self.tables.end.tree.size)

    def sit(self, table: str, sent: SentRequest, command: commands.TakeSeat, token: str) -> Reply:
        """Take a seat, which needs no token. `token`: the SHA-256 of the seat's token from then on."""
        address = None if sent.visit is None else sent.visit.address
        return self.act(table, sent, command, Guest(token, address))

    def act(self, table: str, sent: SentRequest, command: Make, guest: Guest | None = None) -> Reply:
        """Apply a command. What is due is done first, and stays if the command is refused. Raises FairshoeError."""
        return self.once(sent, "_act", table, command, guest)

    def _act(
        self, connection: Connection, caller: Caller, table: str, make: Make, guest: Guest | None
    ) -> TableReply[State]:
        stored, now = self.tables.advance(connection, table, State)
        command, before = make(caller.seat) if callable(make) else make, stored.state
        if guest is not None:
            self._limits.check_chair(connection, before, guest)
        outcome = self._step(connection, stored, command, now)
        said = receipt_of(before, command, outcome, now)
        self.tables.drop_left(connection, before, outcome.state)
        if guest is not None:
            self._answers.write(connection)  # they become those of the new token
            self.tables.tokens.grant(connection, table, outcome.seat or 0, guest.token)
            self._limits.note_address(connection, table, outcome.seat or 0, guest)
        key = self.tables.store(outcome, now, stored.key)
        seat = caller.seat if outcome.seat is None else outcome.seat
        receipt = None if said is None else self.receipts.sign(said)
        heard = None
        if isinstance(command, commands.GivePlaces | commands.GiveKey):
            heard = self.signer.sign(receipt_text(signatures_of(command.note)[0], timestamp(now)))
        seen = self.look_at(outcome.state, key, seat, now, self.tables.end.tree.size)
        return seen._replace(receipt=receipt, placer_receipt=heard)

    def awaited(self, table: str, version: int = -1) -> PlacerRequests:
        """Return what a table waits for of its placer; `version`: the newest that is known. Raises NotFound."""
        stored = self.tables.find_version(table, version)
        if stored is None:
            with self._database.begin_read() as connection:
                stored = self.tables.load_any(connection, table)
        return self.tables.awaited(stored.state, stored.key)

    def check_player_places(self, table: str) -> None:
        """Raise Refused where the table's player is not its placer, NotFound where there is none."""
        if not self.awaited(table).by_player:
            raise commands.Refused("the player does not place here", where="placer", remedy="send nothing")

    def answer_of(self, table: str, question: str, given: tuple[int, ...], note: str) -> commands.Answer:
        """Return a placer's answer to an awaited question; any other goes on as the newest. Raises NotFound."""
        with self._database.begin_read() as connection:
            stored = self.tables.load(connection, table, State)
        for shoe, each in self.tables.awaited(stored.state, stored.key).questions:
            if self.sign(each.text) == question:
                return answer_of(shoe, each, given, note)
        return commands.GivePlaces(stored.state.shoe_id, NEWEST_STEP, given, note)

    def _step(
        self, connection: Connection, stored: Stored[S], command: commands.Command | commands.Answer, now: int
    ) -> CommandResult[S]:
        """Apply a command, and keep a placer's answer; a repeated place keeps the first note for each question. Raises
        FairshoeError."""
        if not isinstance(command, commands.GivePlaces | commands.GiveKey):
            return self.tables.step(connection, stored, command, now)
        wanted = dict(self.tables.awaited(stored.state, stored.key).questions).get(command.shoe)
        if wanted is None:
            return self.tables.step(connection, stored, command, now)
        question = self.sign(wanted.text)
        given = command.places if isinstance(command, commands.GivePlaces) else ()
        try:
            outcome = self.tables.step(connection, stored, command, now, wanted)
        except VerificationError as error:
            if isinstance(error, RepeatedPlace) and question not in self._repeated:
                self._repeated.add(question)
                self.placement_file.keep(question, given, command.note, synced=True)
            raise InputError(error.what, where="note", expected=error.expected) from None
        self.placement_file.keep(question, given, command.note, synced=isinstance(command, commands.GiveKey))
        return outcome

    def openings(self, table: str, token: str | None, start: int, most: int) -> dict[str, Any]:
        """Return the live shoe and its cards' openings from `start` on, as a token's holder may see them. Raises
        NotFound, Unauthorized."""

        def read(connection: Connection) -> tuple[int | None, tuple[Stored[State], Caller | None]]:
            stored = self.tables.load(connection, table, State)
            return stored.due, (stored, self.tables.tokens.caller(connection, token) if token else None)

        stored, caller = self.read_up_to_date(table, read)
        state, seat = stored.state, PUBLIC
        if caller is not None and caller.table == table and caller.seat is not None:
            seat = caller.seat
        if state.shoe is None or not state.shoe.root:
            return {"shoe": None, "openings": []}
        dealt = self.tables.dealt(state, stored.key)
        found = openings(state, self.tables.keys(table, stored.key).current(), dealt, seat)
        return {"shoe": state.shoe_id, "openings": forms_of(found[start : start + most])}

    def proof_of(self, round: str, witnesses: int = 0) -> HandProof:
        """The proof of a round (`LogReading.proof_of`), with the openings of its cards while its shoe is in play."""
        proof = self.log.proof_of(round, witnesses)
        entries = [parse(each.line) for each in proof.entries]
        table, number = round_of(round)
        if not (places := places_of_hand(entries, number)):
            return proof
        with self._database.begin_read() as connection:
            stored = self.tables.load(connection, table, State)
        state, shoe = stored.state, stored.state.shoe
        if shoe is None or all(entry.get("shoe") != shoe.id for entry in entries):
            return proof  # it ended since
        return with_openings(proof, openings_at(state, shoe, self.tables.keys(table, stored.key).current(), places))

    def take_answer(self, table: str, answer: commands.Answer) -> None:
        """Take an awaited answer of a placer, or a beacon's verified signature. Raises FairshoeError."""
        self.transactions.take(lambda connection: self._take_answer(connection, table, answer))

    def _take_answer(self, connection: Connection, table: str, answer: commands.Answer) -> None:
        stored, now = self.tables.advance(connection, table, kind_of(table))
        outcome = self._step(connection, stored, answer, now)
        self.tables.drop_left(connection, stored.state, outcome.state)
        self.tables.store(outcome, now, stored.key)

    def names_in_play(self) -> list[str]:
        """Return the ids of all tables, and of the rows of shoes without one that are not over."""
        query = select(tables.c.id).where(ARE_TABLES | tables.c.key.is_not(None))
        with self._database.begin_read() as connection:
            return list(connection.execute(query).scalars())

    def shoes_wanting_beacons(self, names: Iterable[str]) -> dict[str, tuple[str, BeaconRound]]:
        """Return the shoe and the beacon's round that each of these tables, or rows of shoes without one, waits for."""
        found = dict[str, tuple[str, BeaconRound]]()
        with self._database.begin_read() as connection:
            for name in names:
                state = self.tables.load_any(connection, name).state
                if (wanted := wanted_beacon(state)) is not None and state.shoe is not None:
                    found[name] = state.shoe.id, wanted
        return found

    def renew_token(self, table: str, sent: SentRequest, seat: int, token: str | None) -> Reply:
        """Replace a chair's token by the one with the SHA-256 `token`, if any."""
        return self.once(sent, "_renew", table, seat, token)

    def _renew(self, connection: Connection, _: Caller, table: str, seat: int, token: str | None) -> TableReply[State]:
        stored, now = self.tables.advance(connection, table, State)
        if seat not in stored.state.table.players:
            raise NotFound(f"nobody sits in chair {seat}", where="seat", remedy="see `seats` of the table")
        outcome = self._step(connection, stored, commands.ChangeToken(seat), now)
        if token is None:
            self.tables.tokens.drop(connection, table, seat)
        else:
            self._answers.write(connection)
            self.tables.tokens.grant(connection, table, seat, token)
        self.tables.drop_left(connection, stored.state, outcome.state)
        key = self.tables.store(outcome, now, stored.key)
        return self.look_at(outcome.state, key, None, now, self.tables.end.tree.size)

    def once(self, sent: SentRequest, what: str, *more: Any) -> Reply:
        """Have the method `what` do what was asked, here or where it is handed on to. Raises FairshoeError."""
        do, done = attrgetter(what)(self), None
        if self.lead.is_leader:
            with suppress(Deposed):
                done = self.transactions.take(partial(self._answer_once, sent=sent, do=do, more=more), sent)
        if done is None:
            done = self._hand_on(ForwardedCommand(what, sent, more))
        if sent.visit is not None:
            sent.visit.is_counted = True
        if isinstance(done, Reply):
            return done
        raise done

    def _answer_once(
        self, connection: Connection, sent: SentRequest, do: Callable[..., Any], more: Sequence[Any]
    ) -> Reply | FairshoeError:
        """Execute a request and keep its answer, or repeat an earlier answer. A refusal keeps what was done before it,
        and the request's count. Nothing is refused after a command's first write."""
        self._limits.take(connection, sent.visit, self._clock.present)
        try:
            reply = self._answers.find(connection, sent.digests, unwritten=True)
            if reply is None:
                done = do(connection, _admitted(sent, partial(self.tables.tokens.caller, connection)), *more)
                reply = Reply(sent.status, sent.body(done, self), sent.location)
                self._answers.keep(connection, sent.digests, reply, done.now)
            return reply
        except StorageError:
            raise
        except FairshoeError as error:
            return error

    # What other processes hand on.

    def _hand_on(self, order: ForwardedCommand) -> Any:
        try:
            done = self.lead.hand_on(order)
        except StorageError as error:
            self.transactions.outages.refuse(error)
            raise
        if isinstance(done, StorageError):
            self.transactions.outages.refuse(done)
        return done

    def do_orders(self) -> bool:
        """Do what others have handed on; gives whether there was anything."""
        return bool(self.transactions.take(self._take_orders))

    def _take_orders(self, connection: Connection) -> bool:
        parcels = self.lead.orders(connection)
        self.transactions.look_up(connection, [order.request for _, orders in parcels for order in orders])
        answers = [(boxed, [self._do_order(connection, order) for order in orders]) for boxed, orders in parcels]
        self.lead.answer(connection, self.transactions.head(), answers)
        return bool(parcels)

    def _do_order(self, connection: Connection, order: ForwardedCommand) -> Reply | BaseException:
        do = partial(self._answer_once, sent=order.request, do=attrgetter(order.what)(self), more=order.more)
        job = Job(Task(do, order.request))
        self.transactions.do(job, connection)
        answer: Reply | BaseException = job.error or job.result
        return answer

    def refuse_orders(self, error: StorageError) -> None:
        """Refuse the orders of other processes when the storage refuses, as those of this process are refused."""
        with self.transactions.begin_step() as connection:
            refused = [(boxed, [error for _ in orders]) for boxed, orders in self.lead.orders(connection)]
            self.lead.answer(connection, self.transactions.head(), refused)

    # Looks.

    def caller(self, token: str | None) -> Caller:
        """Return the caller whose token it is. Raises Unauthorized."""
        with self._database.begin_read() as connection:
            return caller_of(connection, token)

    def glance(self, table: str, token: str | None) -> TableLook:
        """Return the version of a table that a token's holder may see. Raises Unauthorized, NotFound, Forbidden."""

        def read(connection: Connection) -> tuple[int | None, TableLook]:
            caller = Caller() if token is None else caller_of(connection, token)
            row = connection.execute(select(tables.c.version, tables.c.due).where(tables.c.id == table)).first()
            if row is None:
                raise no_table(table)
            caller.check_table(table)
            return row.due, TableLook(row.version, caller.seat)

        return self.read_up_to_date(table, read)

    def show_table(self, table: str, tokens: Sequence[str | None]) -> dict[str | None, TableReply[Any]]:
        """Return a table, or a shoe without one, as the seat of each token sees it, None: the public; bad tokens are
        left out. Raises NotFound."""

        def read(connection: Connection) -> tuple[int | None, tuple[Stored[Any], dict[str | None, int | None], LogEnd]]:
            seats = seats_of(connection, tokens, table)
            stored = self.tables.load_any(connection, table)
            return stored.due, (stored, seats, read_head(connection))

        stored, seats, end = self.read_up_to_date(table, read)
        self.heads.wait_for_size(end.tree.size)
        seen = self.look_at(stored.state, stored.key, None, max(self._clock.present, end.at), end.tree.size)
        seen = seen._replace(version=stored.version)
        return {token: seen._replace(seat=_present_seat(stored.state, seat)) for token, seat in seats.items()}

    def look_at(self, state: S, key: bytes | None, seat: int | None, now: int, size: int) -> TableReply[S]:
        """A table, or a shoe without one, as a seat sees it; `key`: the live shoe's as it is stored."""
        dealt = None
        if isinstance(state, State):
            dealt = self.tables.dealt(state, key) or self.tables.shown(state, key)
            waits = state.book.player_places or state.places_awaited
        else:
            waits = state.waits_for_placer
        awaited = self.tables.awaited(state, key) if waits else None
        return TableReply(state, _present_seat(state, seat), now, size, dealt, placer_requests=awaited)

    def read_up_to_date(self, table: str, read: Callable[[Connection], tuple[int | None, Read]]) -> Read:
        """Read a table after everything due was done; `read` also returns when its next step is due."""
        with self._database.begin_read() as connection:
            due, found = read(connection)
        if self.lead.is_leader and due is not None and due <= self._clock.present - self.tables.behind():
            with suppress(StorageError):  # what cannot be written now is shown as it stands
                self.transactions.catch_up(table)
                with self._database.begin_read() as connection:
                    found = read(connection)[1]
        return found

    def all_tables(self, after: str = "", most: int | None = None) -> list[State]:
        """Return the tables by their ids: those after `after`, at most `most` of them."""
        query = select(tables.c.id, tables.c.state).where(ARE_TABLES, tables.c.id > after)
        with self._database.begin_read() as connection:
            return [
                state_of(row.id, row.state, State)
                for row in connection.execute(query.order_by(tables.c.id).limit(most))
            ]


def _admitted(sent: SentRequest, caller_of: Callable[[str | None], Caller]) -> Caller:
    """Return the caller of a request. Raises Unauthorized, Forbidden."""
    if not sent.roles:
        return Caller()
    caller = caller_of(sent.token)
    caller.check_role(*sent.roles)
    caller.check_table(sent.table)
    return caller


def _present_seat(state: AnyState, seat: int | None) -> int | None:
    """A seat that has just been left sees what everybody sees."""
    return seat if isinstance(state, LoneShoe) or seat in state.table.players else None


def new_table_id() -> str:
    return f"table-{secrets.token_hex(4)}"


def new_shoe_id() -> str:
    return f"shoe-{secrets.token_hex(8)}"
