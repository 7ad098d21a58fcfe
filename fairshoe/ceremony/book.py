"""A table as its log tells it: all that the rules of the ceremony look at, for service and auditor alike.

Times are an entry's `at`, "" where there was no such entry.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..engine.rules import Rules
from ..engine.table import HOUSE, Bet, Table
from ..protocol.transcript import Beacon
from ..record.rounds import Betting
from .policy import MAX_LAPSED_LIMITS, Policy
from .stages import APART, BET, ENTERED, HASH, NEXT, ONE, Course, Stage

PLAYER = "player"
"""In the place of a placer's key: whoever sits at the table, which has one chair."""


class Cut(NamedTuple):
    """A cut, and the player who chose it; without one the named draw cuts."""

    at: int
    by: str


@dataclass(slots=True)
class Chair:
    """A taken chair."""

    player: str
    seated_at: str
    order_time: str  # for the order of opening: `seated_at`, or when the player handed an owed seed in
    last_act: str  # in the log
    lapse_count: int = 0  # time limits that it let pass in a row since `last_act`
    name: str | None = field(default=None, compare=False)  # the player's name for people; decides nothing
    placer: str = ""  # verifier key of a player who places

    @property
    def is_absent(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.lapse_count >= MAX_LAPSED_LIMITS


@dataclass(slots=True)
class Debt:
    """Hashed seeds that a player did not open, by shoe, since `at`. A paid debt ends at the seal of a shoe after
    `shoe`."""

    at: str
    shoe: str
    seeds: dict[str, str] = field(default_factory=dict)

    @property
    def is_paid(self) -> bool:
        return not self.seeds


@dataclass(slots=True)
class GameBuyIn:
    """A payment into a game, which the house may owe back less the gifts won (LO-04, LO-07)."""

    game: int
    seat: int
    player: str
    gifts: int = 0
    refunded: bool = False


@dataclass(slots=True)
class OpenRound:
    """A round whose bets stand, until its `round`."""

    number: int
    at: str
    betting: Betting


class LoggedPlacer(NamedTuple):
    """A shoe's placer: name, commitment, verifier key; the steps and head (hex) of its chain, by the newest entry."""

    name: str
    commitment: str
    key: str
    steps: int = 0
    head: str = ""


class ShoeTrees(NamedTuple):
    """Size and root of the log's trees, as text: up to the shoe's last entry before its seal, and to its newest."""

    unsealed: tuple[str, str] = ("", "")
    newest: tuple[str, str] = ("", "")


UNKNOWN_TREES = ShoeTrees()


class CardRun(NamedTuple):
    """Cards of one `drawn` entry from position `pos` on: labels, or `size` hidden ones, to a player or nobody ("")."""

    pos: int
    size: int
    cards: Sequence[str] = ()
    to: str = ""

    @property
    def hidden(self) -> bool:
        """Whether only its number of cards is told."""
        return len(self.cards) < self.size


class Gather(NamedTuple):
    """A reshuffle of a shoe without a table: where the new order begins, the drawn positions left out, its root."""

    pos: int
    out: Sequence[int] = ()
    root: str = ""


@dataclass(slots=True)
class ToldCards:
    """The cards and numbers of a shoe without a table, as `drawn`, `shown` and `gathered` tell them."""

    runs: list[CardRun] = field(default_factory=list)  # in the order of the log
    shown: dict[int, str] = field(default_factory=dict)  # labels of hidden cards, by position
    numbers: dict[str, int] = field(default_factory=dict)  # values of named draws
    gathers: list[Gather] = field(default_factory=list)  # reshuffles, in the order of the log

    @property
    def start(self) -> int:
        """The position of the first card of the present order."""
        return self.gathers[-1].pos if self.gathers else 0

    def hidden_at(self, pos: int) -> CardRun | None:
        """Return the run whose hidden card lies at a position, None if no hidden card does."""
        index = bisect_right(self.runs, pos, key=lambda run: run.pos) - 1
        run = self.runs[index] if index >= 0 else None
        return run if run is not None and run.hidden and pos < run.pos + run.size else None

    def lies_out(self, pos: int) -> bool:
        """Return whether the card of a drawn position was not gathered since."""
        out = self.gathers[-1].out if self.gathers else ()
        index = bisect_right(out, pos) - 1
        return pos >= self.start or (index >= 0 and out[index] == pos)


@dataclass(slots=True)
class Shoe:
    """A shoe from its commitment to its end."""

    id: str  # TABLE/NUMBER at a table
    at: str  # time of the commitment
    roster: list[str]  # players who may contribute a seed, in order
    policy: Policy  # its time limits
    cards: int  # number of cards in the whole deck
    draws: Mapping[str, int] = field(default_factory=dict)  # named draws with their exclusive upper bounds
    cutter: str | None = None  # the player named to cut, if any
    purpose: str | None = None  # "bank" for a shoe that finds the first banker
    course: Course = APART  # what it serves
    stage: Stage = HASH  # where it stands by the table of `stages`
    alone: bool = False  # its sole contributor sends no hash
    bank: int = HOUSE  # the account that banked at the commitment
    turn: int = 0  # the chair whose turn it is to cut
    hashes: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of each player's seed, once `seeds` is logged
    cut: Cut | None = None  # the cut that a player chose
    draw_chairs: list[int] = field(default_factory=list)  # the chairs of a first banker's draw
    seed_wait_since: str = ""  # time since which the next seed is waited for
    opened: dict[str, str] = field(default_factory=dict)  # seeds by player, in hex
    struck: list[str] = field(default_factory=list)  # players with no part in it: left, or the seed lapsed
    sealed: str = ""  # time of the seal
    betting_since: str = ""  # time since which bets are taken
    waived: list[str] = field(default_factory=list)  # players who bet without a seed of their own
    position: int = 0  # cards dealt from the present deck, a burned one included
    deck_size: int = 0  # cards in the present deck, drawn ones included
    rounds: int = 0  # number of rounds dealt
    bank_moved: bool = False  # the bank has moved since the seal
    placer: LoggedPlacer | None = None  # its placer, if it has one
    trees: ShoeTrees = UNKNOWN_TREES  # log trees for the placer's steps; whoever keeps the tree sets them
    root: str = ""  # binds its cards; "" without one
    player_places: bool = False  # its player is its placer, and sends neither hash nor seed
    beacon_round: int = 0  # the round of drand's quicknet that goes into its order; 0 for none
    beacon: Beacon | None = None  # the round in its `seal`, with its randomness
    told_cards: ToldCards | None = None  # without a table: what is told of its cards, if its `shoe` has version 2

    def allows(self, entry: str) -> bool:
        """Whether the entry may stand at this stage."""
        return (self.course, self.stage, entry) in NEXT

    def advance(self, entry: str) -> None:
        """Go on to the stage after the entry. If it may not stand here, to the one after which it stands elsewhere."""
        course, stage = self.course, self.stage
        self.stage = NEXT.get((course, stage, entry)) or ENTERED.get((course, entry), stage)

    @property
    def is_opening(self) -> bool:
        """Whether the opening has begun: from here on the house may know the order."""
        stage = self.stage
        return not (stage is HASH or (stage is BET and self.course is ONE))


@dataclass(slots=True)
class FinishedShoe:
    """A shoe that is over and whose placer's key is to come: since when, and how it stood."""

    at: str
    shoe: Shoe


@dataclass(slots=True)
class Book:
    """A table."""

    id: str  # the table's id
    policy: Policy  # its time limits
    table: Table  # seats, chips, bank and rules
    chairs: dict[int, Chair] = field(default_factory=dict)  # taken chairs by number
    shoes: int = 0  # number of shoes committed
    rounds: int = 0  # number of the newest round
    shoe: Shoe | None = None  # the shoe in play
    open_round: OpenRound | None = None  # the round whose bets stand
    debts: dict[str, Debt] = field(default_factory=dict)  # hashed seeds that players owe, by player
    lapses: dict[str, int] = field(default_factory=dict)  # how many seeds in a row each player let lapse
    reshuffle_requests: list[int] = field(default_factory=list)  # chairs that had a reshuffle since the last seal
    first_void: str = ""  # time of the first void for a seed since the last seal
    turn: int = 0  # the chair that was to cut the last sealed shoe
    lost: bool = False  # whether a shoe was lost
    buy_ins: list[GameBuyIn] = field(default_factory=list)  # payments into the last games
    at: str = ""  # time of the table's newest entry
    bank_settled_at: str = ""  # last entry after which the bank may have been in question
    closed_at: str = ""  # time of the closing
    last_start: str = ""  # the service's last start
    eviction_times: dict[str, str] = field(default_factory=dict)  # time kept for the opening order of evicted players
    placer: str = ""  # verifier key of the table's placer, PLAYER, or ""
    beacon_delay: int = 0  # seconds between the commitment of a shoe and its beacon's round; 0: shoes have no beacon
    lapse_limit: int = 0  # lapsed limits in a row after which a player is put out; 0: never
    unrevealed_placers: dict[str, FinishedShoe] = field(
        default_factory=dict
    )  # ended shoes whose placer's key is to come

    @property
    def rules(self) -> Rules:
        return self.table.rules

    @property
    def player_places(self) -> bool:
        """Whether whoever sits here is the placer."""
        return self.placer == PLAYER

    @property
    def max_chairs(self) -> int:
        """Number of chairs at the table."""
        return 1 if self.player_places else self.rules.chairs[1]

    def seat_of(self, player: str) -> int | None:
        for seat, name in self.table.players.items():
            if name == player:
                return seat
        return None

    def filter_seated(self, players: Sequence[str]) -> list[str]:
        """Those of `players` who sit here."""
        names = set(self.table.players.values())
        return [player for player in players if player in names]


def live_shoe(book: Book) -> Shoe:
    """Return the shoe in play, where there must be one. LookupError."""
    if book.shoe is None:
        raise LookupError(f"no shoe is in play at {book.id}")
    return book.shoe


def has_seed(book: Book, shoe: Shoe, seat: int) -> bool:
    """Whether the chair has its own seed in the shoe: opened, or, as long as seeds are to be opened, promised."""
    chair = book.chairs[seat]
    if chair.seated_at > shoe.at or chair.player in shoe.struck:
        return False
    if shoe.sealed and not shoe.player_places:
        return chair.player in shoe.opened
    return chair.player in (shoe.roster if shoe.alone else shoe.hashes)


def has_part(book: Book, shoe: Shoe, seat: int) -> bool:
    """Whether the chair has its own seed in the shoe, or a waiver that the log shows."""
    return has_seed(book, shoe, seat) or book.chairs[seat].player in shoe.waived


def standing_bets(book: Book, shoe: Shoe, opened: OpenRound) -> list[Bet]:
    """Return the bets to be dealt: without those of players who left, or were struck and have not waived."""
    players, returned = book.table.players, set(shoe.struck) - set(shoe.waived)
    return [bet for bet in opened.betting.bets if bet.seat in players and players[bet.seat] not in returned]
