"""Whether a seed may leave: by what the house has signed, never by what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError, LogError
from ..log.canonical import Entry, parse
from ..log.checkpoint import Checkpoint
from ..log.hand_proof import proof_of
from ..record.forms import table_of
from ..record.hand_entries import ENDS, takes_chair
from .errors import Overtaken, Problem, SeedKept
from .followed import Followed
from .may_open import Pledge, bets_fault, owed_fault, turn_fault
from .signed_table import may_sit_down

if TYPE_CHECKING:
    from .client import Client, Form
    from .heads import Heads

Places = list[tuple[int, Entry]]


class Openings:
    """The signed log of a table as far as a seat has looked at it: all of it since the chair was taken, since whoever
    sat down later opens first. `sat`: the log's size just after that, where it is known."""

    def __init__(self, client: Client, table: str, seat: int, heads: Heads, sat: int | None) -> None:
        self._client = client
        self._table = table
        self._seat = seat
        self._heads = heads
        self._sat = sat
        self._followed: Followed | None = None

    def check(self, pledge: Pledge, state: Form, *, owed: bool) -> None:
        """Return where the seed may be sent; the checkpoint that shows it is kept then.

        Raises SeedKept or another VerificationError where the signed log does not show it, Overtaken where the
        table has gone on, Problem where no checkpoint holds yet what the house
        says.
        """
        try:
            if table_of(pledge.shoe)[0] != self._table:
                raise SeedKept(f"shoe {pledge.shoe} is of another table")
            proof = proof_of(self._client.shoe_proof(*table_of(pledge.shoe)).encode())
            head = self._heads.accept(proof)
            if head.size < state["log"]:
                raise Problem(0, {"detail": "no checkpoint holds the entries so far: the seed stays closed"})
            entries = [(each.place, parse(each.line)) for each in proof.entries]
            if not owed:
                self._check_turn(pledge, state, entries, head)
            elif fault := owed_fault(pledge, [entry for _, entry in entries]):
                raise SeedKept(fault)
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration, LogError, InputError) as error:
            raise SeedKept(f"the entries about shoe {pledge.shoe} cannot be followed: {error!r}"[:300]) from None

    def _check_turn(self, pledge: Pledge, state: Form, entries: Places, head: Checkpoint) -> None:
        """It must be the player's turn at the log's end. Where it is not, but was when the log had the size that the
        house told, the house said the truth then."""
        ended = {entry["shoe"] for _, entry in entries if entry["kind"] in ENDS}
        followed, self._followed = self._followed or self._begin(entries, self._own(pledge.player, entries)), None
        while True:
            then = followed.go_on(head, state["log"], lambda table: turn_fault(table, pledge, ended))
            further = _further(followed, pledge.shoe, entries)
            if further is None:
                break
            followed = self._begin(entries, further)
        self._followed = followed
        fault = turn_fault(followed.table, pledge, ended)
        if fault and not then:
            raise Overtaken(fault)
        fault = fault or bets_fault(followed.table, self._seat, state.get("round"))
        if fault:
            raise SeedKept(fault)

    def _begin(self, entries: Places, start: int) -> Followed:
        opened = next(entry for _, entry in entries if entry["kind"] == "table" and entry["table"] == self._table)
        return Followed(self._client, opened, start)

    def _own(self, player: str, entries: Places) -> int:
        """Where this seat was taken, for the first time where the house has put its player out since."""
        for place, entry in entries:
            known = self._sat is None or place < self._sat
            if known and (entry.get("player"), entry.get("seat")) == (player, self._seat) and may_sit_down(entry):
                return place
        raise SeedKept("the house does not show how this seat was taken")


def _further(followed: Followed, shoe: str, entries: Places) -> int | None:
    """Where to begin instead: somebody who seems to have sat down since is said to have done so before."""
    roster = next(entry["roster"] for _, entry in entries if entry["kind"] == "shoe" and entry["shoe"] == shoe)
    newcomers = followed.table.newcomers.intersection(roster)
    places = [place for place, entry in entries if takes_chair(entry) and entry["player"] in newcomers]
    return min((place for place in places if place < followed.start), default=None)
