"""Shoes without a table: every command at one, and what is seen of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, select

from ..ceremony.acting.commands import Refused
from ..ceremony.acting.lone_shoe import ROW, HiddenCard, LoneShoe, hand_of
from ..ceremony.acting.shoe_machine import NewShoe, ShoeCommand, create_shoe, statement_of
from ..ceremony.claims import deck_claim
from ..log.times import timestamp
from ..protocol.commitment import new_key
from ..protocol.deck import deck_of
from ..receipts import shoe_receipt
from .replies import Reply, SentRequest, TableReply
from .store.journal import read_head
from .store.schema import tables
from .table_store import Stored, read_live_shoes
from .tokens import SEAT, Caller, caller_of, check_fresh

if TYPE_CHECKING:
    from .sequencer import Sequencer

MakeShoeCommand = ShoeCommand | Callable[[Any], ShoeCommand]
"""A command, or what makes it of the caller's seat, which is None for the operator; picklable."""


class ShoeSequencer:
    """The sequencer of shoes without a table; `house` has what they share with tables."""

    def __init__(self, house: Sequencer) -> None:
        self._house = house
        self._store = house.tables

    def create(self, sent: SentRequest, new: NewShoe, tokens: Sequence[str]) -> Reply:
        """A new shoe; `tokens`: the SHA-256 of each player's token, in the order of the roster."""
        return self._house.once(sent, "shoes.do_create", new, tokens)

    def do_create(self, connection: Connection, _: Caller, new: NewShoe, tokens: Sequence[str]) -> TableReply[LoneShoe]:
        id = ROW + new.name
        if connection.execute(select(tables.c.id).where(tables.c.id == id)).first() is not None:
            raise Refused(f"shoe {new.name} exists", where="shoe", remedy="choose another id")
        now, key = self._store.now(self._store.end), new_key()
        deck = deck_claim(deck_of(new.labels).hash) if new.labels else ""
        known = bool(deck) and self._store.is_claimed(connection, deck)
        outcome = create_shoe(new, now, key, self._store.origin, deck_logged=known)
        self._store.check_claims(connection, outcome.claims)
        self._store.reserve_cards(connection, outcome.state.shoe.cards)
        for token in tokens:
            check_fresh(connection, token)
        if len(set(tokens)) < len(tokens):
            raise Refused("two players have one token", where="token_sha256", remedy="a fresh one for each player")
        if deck and not known:
            outcome.claims.append(deck)  # a log has the labels of a deck once
        connection.execute(insert(tables).values(id=id, state="", key=None, due=None, version=0))
        for seat, token in enumerate(tokens, 1):
            self._store.tokens.grant(connection, id, seat, token)
        key_box = self._store.store(outcome, now, None)
        return self._house.look_at(outcome.state, key_box, None, now, self._store.end.tree.size)

    def act(self, id: str, sent: SentRequest, command: MakeShoeCommand) -> Reply:
        """Apply a command of whoever has the token. Raises FairshoeError."""
        return self._house.once(sent, "shoes.do_act", id, command)

    def do_act(self, connection: Connection, caller: Caller, id: str, make: MakeShoeCommand) -> TableReply[LoneShoe]:
        stored, now = self._store.advance(connection, id, LoneShoe)
        command = make(caller.seat) if callable(make) else make
        outcome = self._store.step(connection, stored, command, now)
        if more := outcome.state.cards_ordered - stored.state.cards_ordered:
            self._store.reserve_cards(connection, more)
        key = self._store.store(outcome, now, stored.key)
        said = statement_of(command)
        receipt = None
        if said is not None and caller.seat is not None:
            player = outcome.state.player(caller.seat)
            form = shoe_receipt(outcome.state.shoe.id, player, timestamp(now), *said)
            receipt = self._house.receipts.sign(form)
        seen = self._house.look_at(outcome.state, key, caller.seat, now, self._store.end.tree.size)
        return seen._replace(receipt=receipt)

    def live(self) -> list[LoneShoe]:
        """Return the shoes that are not over, and those whose placer's key is to come."""
        with self._house.transactions.database.begin_read() as connection:
            return [each.state for each in read_live_shoes(connection).values()]

    def hand(self, id: str, token: str | None) -> tuple[LoneShoe, str, list[HiddenCard]]:
        """Return the shoe, a token's player, and that player's hidden cards. Raises Unauthorized, Forbidden,
        NotFound."""

        def read(connection: Connection) -> tuple[int | None, tuple[Stored[LoneShoe], Caller, int]]:
            caller = caller_of(connection, token)
            caller.check_role(SEAT)
            stored = self._store.load(connection, id, LoneShoe)
            caller.check_table(id)
            return stored.due, (stored, caller, read_head(connection).tree.size)

        stored, caller, size = self._house.read_up_to_date(id, read)
        self._house.heads.wait_for_size(size)
        state, player = stored.state, stored.state.player(caller.seat or 0)
        if not state.shoe.sealed:
            return state, player, []
        key = bytes.fromhex(state.ended["key"]) if state.ended else self._store.keys(id, stored.key).current()
        return state, player, hand_of(state, key, player)
