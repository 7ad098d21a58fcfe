"""One step of the ceremony in progress."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ...engine.cards import ShoeCards
from ...engine.round import Round
from ...log.canonical import Entry
from .refusals import Refused
from .state import Shoe, State

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def timestamp(now: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC, the form of an entry's `at`."""
    return (EPOCH + timedelta(milliseconds=now)).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


class Work:
    """The state that is being changed, the time, and what goes to the log.

    `fresh` is a key for the one shoe that this step may begin. `claims` are digests of seeds that
    nobody may have used before in this log. `round` and `cards` are the open round, once it was needed.
    """

    def __init__(self, state: State, now: int, fresh: bytes) -> None:
        self.state = state
        self.now = now
        self.fresh = fresh
        self.entries: list[Entry] = []
        self.claims: list[str] = []
        self.round: Round | None = None
        self.cards: ShoeCards | None = None

    @property
    def at(self) -> str:
        """The time of the next entry: every entry is a millisecond or more after the one before it."""
        return timestamp(self.now + len(self.entries))

    def log(self, entry: Entry) -> None:
        self.entries.append(entry)

    def past(self, since: int, seconds: int) -> bool:
        """Whether a wait that began at `since` is over."""
        return self.now >= since + 1000 * seconds

    def fresh_key(self) -> bytes:
        key, self.fresh = self.fresh, b""
        return key

    def shoe(self) -> Shoe:
        """The live shoe, for a command that needs one."""
        if self.state.shoe is None:
            raise Refused("no shoe is live", where="shoe", remedy="ask for one: POST shoe")
        return self.state.shoe

    def unsealed(self) -> Shoe:
        """The live shoe while it still takes contributions."""
        shoe = self.shoe()
        if shoe.sealed is not None:
            raise Refused("the shoe is sealed", where="shoe", remedy="contribute to the next shoe")
        return shoe

    def player(self, seat: int) -> str:
        return self.state.table.players[seat]

    def quiet(self) -> None:
        """Refuse a change of seats or chips while a round is open or the bank is being settled."""
        if self.state.round is not None:
            raise Refused("a round is open", where="round", remedy="wait until it is over")
        if self.state.banking is not None:
            raise Refused("the bank is being settled", where="bank", remedy="wait until it is")
