"""A shoe without a table as the service keeps it, without its key. Times are microseconds since 1970, or text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...cards import named_deck
from ...errors import VerificationError
from ...log.canonical import Entry
from ...log.times import SECOND, microseconds, timestamp
from ...protocol.commitment import commitment_of
from ...protocol.deck import Deck, deck_of
from ...protocol.openings import Opening
from ...protocol.shoe import Sealed
from ...record import entries
from ..book import UNKNOWN_TREES, Shoe, ToldCards
from ..contributing import awaits_beacon, order_of
from ..drawing import labels_at, replay_gathers
from ..ending import beacon_deadline, seed_deadline
from ..fold import ENDS, apply_entry
from .commands import DrawCards
from .state import COPIES, PlacerAnswers, copier, copy

ROW = "shoes/"
"""Before the shoe's id in the id of its row in the database: no table's id has a slash."""


@dataclass(slots=True)
class LoneShoe:
    """A shoe without a table, with what came in and is not logged yet."""

    shoe: Shoe  # as its log tells it
    commitment: str  # in hex
    deck: str  # a named deck, or the deck's hash
    labels: list[str]  # of a deck of its own
    rules_hash: str = ""  # of the game's rules
    hashes: dict[str, str] = field(default_factory=dict)  # by player, in hex
    cuts: dict[str, int] = field(default_factory=dict)  # by player
    started: str = ""  # the service's last start
    ended: Entry | None = None  # the entry that ended it
    origin: str = ""  # the log's, of a shoe with a placer
    uncommitted: Entry | None = None  # its `shoe`, which waits for the placer's commitment
    placer_answers: PlacerAnswers = field(default_factory=PlacerAnswers)
    waiting_draw: DrawCards | None = None  # which waits for the placer's places
    key_awaited: bool = False  # the shoe is over, and the placer's key is to come

    @property
    def id(self) -> str:
        """The id of its row."""
        return ROW + self.shoe.id

    @property
    def holds_key(self) -> bool:
        """Whether its key is still secret."""
        return self.ended is None

    @property
    def told(self) -> ToldCards:
        """Return what its log tells of its cards. Raises LookupError."""
        if self.shoe.told_cards is None:
            raise LookupError(f"shoe {self.shoe.id} tells no cards")
        return self.shoe.told_cards

    def seat_of(self, player: str) -> int:
        return self.shoe.roster.index(player) + 1

    def player(self, seat: int) -> str:
        return self.shoe.roster[seat - 1]

    def cards(self) -> Deck:
        """Return the deck before the shuffle."""
        return deck_of(self.labels) if self.labels else named_deck(self.deck)

    def order(self, key: bytes) -> Sealed:
        """Return the present order that a key gives, once it is fixed; with a placer as far as its places are known."""
        sealed = self._first_order(key)
        replay_gathers(sealed, self.told.gathers)
        return sealed

    def labels_at(self, key: bytes) -> dict[int, str]:
        """Return the labels by position: of the orders before the present one those that were drawn."""
        return labels_at(self._first_order(key), self.told.gathers)

    def _first_order(self, key: bytes) -> Sealed:
        placing = None if self.shoe.placer is None else KnownPlaces(self.placer_answers.places)
        return order_of(self.shoe, key, self.cards(), placing=placing)

    @property
    def cards_ordered(self) -> int:
        """Return how many cards an auditor puts in order for it."""
        return self.shoe.cards * (1 + len(self.told.gathers))

    @property
    def left(self) -> int:
        """Return how many cards of the present order were not drawn."""
        return self.told.start + self.shoe.deck_size - self.shoe.position

    def place_of(self, pos: int) -> int:
        """Return where in the house's own order the card at a position lies, which was drawn."""
        return pos if self.shoe.placer is None else self.placer_answers.places[pos]

    @property
    def waits_for_placer(self) -> bool:
        """Whether nothing goes on before the placer has answered."""
        return self.uncommitted is not None or self.waiting_draw is not None


class KnownPlaces:
    """The places that a placer gave, by position."""

    def __init__(self, known: Sequence[int]) -> None:
        self._places = known

    def shuffle(self, size: int, digest: bytes, root: Callable[[], bytes]) -> None:
        """There is one deck."""

    def card(self, place: int) -> int:
        return self._places[place]


COPIES |= {
    LoneShoe: copier(LoneShoe, "labels", "ended", "uncommitted", "waiting_draw"),
    ToldCards: copier(ToldCards),
}


def follow_shoe(state: LoneShoe | None, entry: Entry, labels: Any = ()) -> LoneShoe:
    """Follow an entry of a shoe without a table; of its `shoe` the state begins. `labels`: of a deck of its own."""
    if state is None:
        shoe = apply_entry(None, None, entry)
        if shoe is None or shoe.told_cards is None:
            raise LookupError(f"shoe {entry['shoe']} tells no cards")
        return LoneShoe(shoe, entry["commitment"], entry["deck"], list(labels), entry.get("rules_hash", ""))
    if entry["kind"] == "start":
        state.started = entry["at"]
        return state
    apply_entry(None, state.shoe, entry)
    if entry["kind"] == "seeds":
        state.hashes = dict(entry["hashes"])
    if entry["kind"] in ENDS:
        state.ended, state.waiting_draw, state.key_awaited = entry, None, state.shoe.placer is not None
    if entry["kind"] == "placed":
        state.key_awaited = False
    return state


def due_of_shoe(state: LoneShoe, now: int) -> int | None:
    """Return the next moment at which something may happen by itself."""
    return min((moment for moment in deadlines_of_shoe(state).values() if moment > now), default=None)


def deadlines_of_shoe(state: LoneShoe) -> dict[str, int]:
    """Return the time limits that run, by name."""
    shoe, policy = state.shoe, state.shoe.policy
    if state.ended is not None or state.waits_for_placer:
        return {}
    if shoe.sealed:
        return {"shoe": microseconds(shoe.sealed) + policy.shoe * SECOND}
    beacon = beacon_deadline(None, shoe, state.started)
    found = {} if beacon is None else {"beacon": beacon}
    if awaits_beacon(None, shoe):
        return found
    if shoe.is_opening:
        return {**found, "seed": seed_deadline(shoe, state.started)}
    hash_limit = microseconds(max(shoe.at, state.started)) + policy.hash * SECOND
    return {**found, "hash": hash_limit, "shoe": microseconds(shoe.at) + policy.shoe * SECOND}


# A hand, and what a restore makes of a shoe.


class HiddenCard(NamedTuple):
    """A hidden card: its position, and its opening in the order that it was drawn from."""

    pos: int
    opening: Opening


def hand_of(state: LoneShoe, key: bytes, player: str) -> list[HiddenCard]:
    """Return a player's hidden cards that were not gathered since, in the order of their positions."""
    bound, starts = state.order(key).bound, [0, *(each.pos for each in state.told.gathers)]
    runs = [run for run in state.told.runs if run.hidden and run.to == player]
    found = []
    for run in runs:
        order = bisect_right(starts, run.pos) - 1
        for pos in filter(state.told.lies_out, range(run.pos, run.pos + run.size)):
            found.append(HiddenCard(pos, bound[order].open(state.place_of(pos) - starts[order])))
    return found


def lose_shoe(state: LoneShoe, key: bytes | None, now: int) -> tuple[LoneShoe, list[Entry]]:
    """End a shoe as `lost`: its key is published where it is known."""
    after = copy(state)
    public = key.hex() if key is not None and commitment_of(key) == state.commitment else None
    entry = entries.lost_entry(timestamp(now), state.shoe.id, public)
    follow_shoe(after, entry)
    after.shoe.trees = UNKNOWN_TREES  # its placer may have been asked for more than is known here
    return after, [entry]


def fold_shoes(states: MutableMapping[str, LoneShoe], entries: Iterable[Entry]) -> None:
    """Have shoes without a table, by row, follow entries; other entries are passed over. Raises VerificationError."""
    for entry in entries:
        id = ROW + entry.get("shoe", "")
        if entry["kind"] == "start" and "tables" not in entry:
            for state in states.values():
                follow_shoe(state, entry)
        elif entry["kind"] == "shoe" and "told" in entry:
            states[id] = follow_shoe(None, entry)
        elif id in states:
            try:
                follow_shoe(states[id], entry)
                states[id].shoe.trees = UNKNOWN_TREES  # how far its placer's chain is the log alone does not say here
            except (LookupError, ValueError, TypeError) as error:
                what = f"cannot follow what stands before it ({type(error).__name__}: {error})"
                raise VerificationError(what, where=entry["kind"], expected="the log of this house") from None
