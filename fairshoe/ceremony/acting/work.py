"""One step of the ceremony in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...engine.cards import ShoeCards
from ...engine.round import Round
from ...engine.table import Table
from ...log.canonical import Entry
from ...log.times import SECOND, timestamp
from ..book import Book, Shoe
from ..fold import take
from .commands import Refused
from .state import State


class Dealt(NamedTuple):
    """The open round, the shoe that it is dealt from, and the round's number."""

    round: Round
    cards: ShoeCards
    number: int


class Keys(NamedTuple):
    """`current` gives the live shoe's key, and is called only where it is needed; `fresh` is one for a new shoe."""

    current: Callable[[], bytes]
    fresh: bytes


class Work:
    """The state that is being changed, the time, and what goes to the log.

    `claims` are hashes of seeds that nobody may have sent before in this log; `begun` is the key of a
    shoe that this step began; `dealt` is the open round, once it was needed.
    """

    def __init__(self, state: State, now: int, keys: Keys) -> None:
        self.state = state
        self.now = now
        self.entries: list[Entry] = []
        self.claims: list[str] = []
        self.begun: bytes | None = None
        self.dealt: Dealt | None = None
        self._keys = keys

    @property
    def book(self) -> Book:
        return self.state.book

    @property
    def at(self) -> str:
        """The time of the next entry: each is a microsecond or more after the one before it."""
        return timestamp(self.moment)

    @property
    def moment(self) -> int:
        """The time after what was logged in this step: when a wait begins that follows from it."""
        return self.now + len(self.entries)

    def log(self, entry: Entry, after: Table | None = None) -> None:
        """Append an entry, and have the book follow it; `after`: the table afterwards, where it is known."""
        self.entries.append(entry)
        take(self.book, self.book.shoe, entry, after)

    def past(self, since: int, seconds: int) -> bool:
        """Whether a wait that began at `since` is over."""
        return self.now >= since + seconds * SECOND

    def key(self) -> bytes:
        return self._keys.current() if self.begun is None else self.begun

    def fresh_key(self) -> bytes:
        """The one fresh key of this step."""
        self.begun = self._keys.fresh
        return self.begun

    def shoe(self) -> Shoe:
        """The live shoe, for a command that needs one."""
        shoe = self.state.shoe
        if shoe is None:
            raise Refused("no shoe is live", where="shoe", remedy="ask for one: POST shoe")
        return shoe

    def player(self, seat: int) -> str:
        return self.state.table.players[seat]
