"""A table as the service keeps it: its book, and what is not logged yet; `Work` is one step, `fold` rebuilds it.

Times are microseconds since 1970. The shoe's key is no part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, NamedTuple, TypeVar

from ...engine.cards import ShoeCards
from ...engine.moves import TABLE, Decision
from ...engine.round import Round
from ...engine.rules import Rules
from ...engine.table import Bet, Table, account_name
from ...errors import FairshoeError, VerificationError
from ...log.canonical import Entry
from ...log.times import SECOND, timestamp
from ...record.forms import bet_of, shoe_id
from ..book import UNKNOWN_TREES, Book, Chair, Debt, FinishedShoe, GameBuyIn, OpenRound, Shoe
from ..fold import ENDS, OF_TABLES, apply_entry, open_table
from ..placer_steps import PlacerQuestion, PlacerSteps
from ..policy import MAX_LAPSED_LIMITS
from ..receipts import Link, describe_standing_bets
from ..stages import Stage
from .commands import Refused

T = TypeVar("T")
S_co = TypeVar("S_co", covariant=True)


@dataclass(slots=True)
class PlacerAnswers:
    """The answers of the live shoe's placer."""

    steps: int = 0  # number of steps answered
    new_places: tuple[int, ...] = ()  # places given since the log's newest entry that shows any
    signature: str = ""  # base64, under the placer's note after the last step
    places: tuple[int, ...] = ()  # all places given
    place_mask: int = 0  # places given under the present digest, one bit each


YIELDED, LAPSED, VOID = "yielded", "lapsed", "void"


class ReturnedBet(NamedTuple):
    """A bet on a round that is not dealt: YIELDED to the box's own chair (BX-06), LAPSED with a seed, VOID with its
    shoe."""

    round: int
    why: str
    bet: Bet


@dataclass(slots=True)
class State:
    """A table with what came in and is not logged yet. Times are microseconds since 1970 unless they are text."""

    book: Book  # the table as its log tells it
    commitment: str = ""  # of the live shoe, in hex
    shoe_requested: bool = False  # a shoe was asked for
    hashes: dict[str, str] = field(default_factory=dict)  # by player, in hex
    cuts: dict[str, int] = field(default_factory=dict)  # by player
    bets: dict[int, list[Bet]] = field(default_factory=dict)  # by chair; an empty list is a pass
    waivers: list[int] = field(default_factory=list)  # chairs that waive a seed of their own
    first_bet: int | None = None  # when the first of the bets came
    decisions: list[Decision] = field(default_factory=list)  # of the open round
    bank_decisions: list[Decision] | None = None  # those about the bank while it is in question
    table_decision_times: list[str] = field(default_factory=list)  # the `at` of each of either that the table made
    decision_since: int = 0  # when the wait for a decision began
    round_dealt: bool = False  # the open round is dealt
    lapse_credits: dict[int, int] = field(
        default_factory=dict
    )  # limits let pass, by chair that acted since its last entry
    evicted: list[int] = field(default_factory=list)  # chairs to be left by the house's word as soon as they may be
    burned: list[str] = field(default_factory=list)  # labels of the burned cards
    last_round: Entry | None = None  # the last `round` entry
    last_bank: Entry | None = None  # the last `bank` entry; of a first banker's with the `chairs` dealt to
    last_end: Entry | None = None  # kind, shoe and why of the entry that ended the last shoe
    standing_bets: Entry | None = None  # what receipts tell of the last `open`
    links: dict[int, Link] = field(default_factory=dict)  # the newest receipt of each chair
    returned_bets: list[ReturnedBet] = field(
        default_factory=list
    )  # bets that are not dealt, with the round of their offer
    origin: str = ""  # the log's, at a table with a placer
    placer_commitment: str | None = None  # "" while the placer is to commit, then what it sent, else None
    placer_answers: PlacerAnswers | None = None  # what the live shoe's placer has answered
    places_awaited: bool = False  # places are awaited of the placer

    @property
    def id(self) -> str:
        return self.book.id

    @property
    def table(self) -> Table:
        return self.book.table

    @property
    def rules(self) -> Rules:
        return self.book.rules

    @property
    def shoe(self) -> Shoe | None:
        return self.book.shoe

    @property
    def shoe_id(self) -> str:
        """The id of the newest shoe."""
        return shoe_id(self.id, self.book.shoes)

    @property
    def holds_key(self) -> bool:
        """Whether there is a key that is still secret."""
        return bool(self.commitment)

    @property
    def cards_on_table(self) -> bool:
        """Whether cards of an open round lie on the table."""
        return self.shoe is not None and self.shoe.stage is Stage.ROUND

    def is_absent(self, seat: int) -> bool:
        """Whether nobody waits for the chair: as the log says, unless it did something since."""
        return self.book.chairs[seat].lapse_count - self.lapse_credits.get(seat, 0) >= MAX_LAPSED_LIMITS

    def count_lapses(self, seat: int) -> int:
        """Return how many limits in a row a chair let pass, with those of the open round and of the bank's question."""
        lapsed = self.book.chairs[seat].lapse_count
        for decision in (*self.decisions, *(self.bank_decisions or ())):
            if decision.actor == seat:
                lapsed = lapsed + 1 if decision.by == TABLE else 0
        return lapsed

    def drop_lapse_credits(self) -> None:
        """Forget the acts outside the log of chairs that have since acted in the log, or were left."""
        sitting = self.book.chairs
        self.lapse_credits = {
            seat: n for seat, n in self.lapse_credits.items() if seat in sitting and 0 < n <= self.count_lapses(seat)
        }

    def clear_shoe(self) -> None:
        """Clear everything about a shoe that ended."""
        self.commitment = ""
        self.placer_commitment, self.placer_answers, self.places_awaited = None, None, False
        self.hashes, self.cuts, self.burned = {}, {}, []
        self.waivers = []
        self.clear_bets()

    def return_bets(self, number: int, why: str, bets: Iterable[Bet]) -> None:
        """Remember why these bets on a round are not dealt; those of earlier rounds are forgotten."""
        kept = [each for each in self.returned_bets if each.round == number and each.bet not in bets]
        self.returned_bets = [*kept, *(ReturnedBet(number, why, bet) for bet in bets)]

    def drop_returned_bets(self, number: int, seat: int) -> None:
        """Forget the bets on a round that were returned to a seat: it bets anew."""
        self.returned_bets = [each for each in self.returned_bets if (each.round, each.bet.seat) != (number, seat)]

    def clear_bets(self) -> None:
        self.bets, self.first_bet, self.decisions, self.table_decision_times, self.round_dealt = {}, None, [], [], False


def copy(value: T) -> T:
    """Return a copy that can be changed; parts that never change are shared."""
    make: Callable[[Any], Any] | None = COPIES.get(type(value))
    return value if make is None else make(value)


def copier(kind: Any, *shared: str) -> Callable[[Any], Any]:
    names = [part.name for part in fields(kind)]

    def made(value: Any) -> Any:
        other = kind.__new__(kind)
        for name in names:
            each = getattr(value, name)
            make = None if name in shared else COPIES.get(type(each))
            setattr(other, name, each if make is None else make(each))
        return other

    return made


NEVER_CHANGED = ("last_round", "last_bank", "last_end", "standing_bets")
COPIES: dict[type, Callable[[Any], Any]] = {
    dict: lambda value: {name: copy(each) for name, each in value.items()},
    list: lambda value: [copy(each) for each in value],
    State: copier(State, *NEVER_CHANGED),
    **{kind: copier(kind) for kind in (Book, Shoe, FinishedShoe, Chair, Debt, GameBuyIn, OpenRound, PlacerAnswers)},
}


# One step.


class LiveRound(NamedTuple):
    """The open round, the shoe that it is dealt from, the round's number; what the shoe's placer is asked."""

    round: Round
    cards: ShoeCards
    number: int
    asking: PlacerSteps | None = None


class Keys(NamedTuple):
    """`current` returns the live shoe's key, on demand; `fresh`: a key for a new shoe; `origin`: the log's; `question`:
    the live shoe's, if known."""

    current: Callable[[], bytes]
    fresh: bytes
    origin: str = ""
    question: PlacerQuestion | None = None


class CommandResult(NamedTuple, Generic[S_co]):
    """The new state of a table, or of a shoe without one; what goes to the log, values that must be new in it (see
    `claims`); the key of a shoe that began; the chair that was taken, the round that was dealt or played on; what a
    seat saw whose decision waits for places."""

    state: S_co
    entries: list[Entry]
    claims: list[str]
    key: bytes | None = None
    seat: int | None = None
    live_round: LiveRound | None = None
    saw: Entry | None = None


class Step:
    """One step: its time, its log entries, the keys. `claims`: values that must be new in the log."""

    def __init__(self, now: int, keys: Keys) -> None:
        self.now = now
        self.entries: list[Entry] = []
        self.claims: list[str] = []
        self.question = keys.question
        self.keys = keys

    @property
    def at(self) -> str:
        """The time of the next entry: each is a microsecond or more after the one before it."""
        return timestamp(self.moment)

    @property
    def moment(self) -> int:
        """The time after what was logged in this step: when a wait begins that follows from it."""
        return self.now + len(self.entries)


class Work(Step):
    """A step at a table, and the state that it changes. `begun`: the key of a new shoe; `live_round`: the open round,
    once needed; `saw`: the round before a decision that waits for places."""

    def __init__(self, state: State, now: int, keys: Keys) -> None:
        super().__init__(now, keys)
        self.state = state
        self.begun: bytes | None = None
        self.live_round: LiveRound | None = None
        self.saw: Entry | None = None

    @property
    def book(self) -> Book:
        return self.state.book

    def log(self, entry: Entry, after: Table | None = None) -> None:
        """Append an entry, and have the book follow it; `after`: the table afterwards, where it is known."""
        self.entries.append(entry)
        apply_entry(self.book, self.book.shoe, entry, after)
        note_moves(self.state, entry)
        note_returned(self.state, entry)
        if entry["kind"] in ENDS:
            self.state.clear_shoe()

    def is_past(self, since: int, seconds: int) -> bool:
        """Whether a wait that began at `since` is over."""
        return self.now >= since + seconds * SECOND

    def key(self) -> bytes:
        return self.keys.current() if self.begun is None else self.begun

    def fresh_key(self) -> bytes:
        """Return the one fresh key of this step."""
        self.begun = self.keys.fresh
        return self.begun

    def shoe(self) -> Shoe:
        """Return the live shoe, for a command that needs one."""
        shoe = self.state.shoe
        if shoe is None:
            raise Refused("no shoe is live", where="shoe", remedy="ask for one: POST shoe")
        return shoe

    def player(self, seat: int) -> str:
        return self.state.table.players[seat]


# Again from the log.


def fold(states: MutableMapping[str, State], entries: Iterable[Entry]) -> None:
    """Have tables, by name, follow entries; what was sent and is not logged is dropped. Raises VerificationError."""
    for entry in entries:
        try:
            _follow_entry(states, entry)
        except (FairshoeError, LookupError, ValueError, TypeError) as error:
            what = f"cannot follow what stands before it ({type(error).__name__}: {error})"
            where = f"the {str(entry.get('kind'))[:20]} of {str(entry.get('at'))[:32]}"
            raise VerificationError(what, where=where, expected="the log of this house") from None


def _follow_entry(states: MutableMapping[str, State], entry: Entry) -> None:
    kind = entry["kind"]
    if kind == "table":
        states[entry["table"]] = State(open_table(entry))
    elif kind == "start":
        for state in states.values():
            apply_entry(state.book, state.shoe, entry)
    elif "table" in entry:
        apply_entry(states[entry["table"]].book, states[entry["table"]].shoe, entry)
        note_moves(states[entry["table"]], entry)
    elif (found := _table_of(states, entry)) is not None:
        _follow_shoe(found, entry)


def _follow_shoe(state: State, entry: Entry) -> None:
    kind, shoe = entry["kind"], state.shoe
    note_moves(state, entry)
    if kind != "shoe" and kind not in OF_TABLES and (shoe is None or shoe.id != entry["shoe"]):
        raise KeyError(entry["shoe"])
    apply_entry(state.book, shoe, entry)
    if shoe is not None:
        shoe.trees = UNKNOWN_TREES  # how far its placer's chain is the log alone does not say here
    match kind:
        case "shoe":
            state.commitment = entry["commitment"]
            state.placer_answers = PlacerAnswers() if "placer" in entry else None
        case "seeds":
            state.hashes = dict(entry["hashes"])
        case "seal":
            state.burned = [entry["burn"]] if "burn" in entry else []
        case "open" if state.shoe is not None:
            state.standing_bets = describe_standing_bets(state.book, state.shoe, state.commitment, state.links)
        case "round":
            state.last_round = entry
        case "lapse" | "reveal" | "void" | "lost":
            note_returned(state, entry)
    if kind in ENDS:
        state.clear_shoe()


def _table_of(states: Mapping[str, State], entry: Entry) -> State | None:
    """Return the table of the shoe that an entry is about; None where that shoe has none."""
    return states.get(entry["shoe"].rpartition("/")[0]) if "shoe" in entry else None


# What the service keeps beside the book.


def note_moves(state: State, entry: Entry) -> None:
    """Remember the last move of the bank, and how the last shoe ended."""
    if entry["kind"] == "bank":
        state.last_bank = entry if state.shoe is None else {**entry, "chairs": list(state.shoe.draw_chairs)}
    elif entry["kind"] in ENDS:
        state.last_end = {name: entry[name] for name in ("kind", "shoe", "why") if name in entry}


def note_returned(state: State, entry: Entry) -> None:
    """Remember the bets that a `lapse` or a `void` returns, whether the round was opened or not."""
    kind, stood = entry["kind"], state.standing_bets or {}
    if kind == "void" and any(state.bets.values()):
        state.return_bets(state.book.rounds + 1, VOID, [bet for own in state.bets.values() for bet in own])
    elif kind in ("lapse", "void") and stood and stood["shoe"]["shoe"] == entry["shoe"]:
        bets = list(map(bet_of, stood["bets"]))
        if kind == "void":
            returned = [each.bet for each in state.returned_bets if each.round == stood["round"]]
            state.return_bets(stood["round"], VOID, [bet for bet in bets if bet not in returned])
        else:
            own = [bet for bet in bets if stood["players"].get(account_name(bet.seat)) == entry["player"]]
            state.return_bets(stood["round"], LAPSED, own)
