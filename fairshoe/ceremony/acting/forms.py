"""The forms of which `view` makes what a seat, or the public, sees of a table. Their types are checked where they are
made, and the API's description is made of the same classes: of a field's type, and of what `Annotated` says of it.

Not compiled, since the program reads the classes.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from ...engine.rules import RULES
from ..receipts import BANK, OFFERED, ROUND, STANDS
from ..stages import PHASES
from .state import LAPSED, VOID, YIELDED

MOMENT = {"format": "date-time"}
DIGEST = {"pattern": "^[0-9a-f]{64}$"}
SEAT = {"minimum": 1, "maximum": 64}
HEX = ": 64 lower-case hex digits"
Form = dict[str, Any]


class OneOf(NamedTuple):
    """Forms that are told apart by the word in their field `do`."""

    forms: dict[str, Any]


RULE_SETS, PHASE_NAMES = tuple(sorted(RULES)), tuple(PHASES)
UNCOVERED, WITHOUT_BET = "uncovered", ("passed", "late", "unfunded")
BET_STATES = (OFFERED, STANDS, UNCOVERED, YIELDED, LAPSED, VOID, *WITHOUT_BET)
CHIP_MOVES = ("buy-in", "cash-out", "transfer")
MOVES = (
    *("hit", "stand", "double", "split", "surrender", "insure", "decline", "continue", "stop", "reveal"),
    *("accept", "refuse", "give", "sell", "agree"),
)
"""Every move of every rule set: which of them are legal now, `moves` says."""
May = Annotated[bool, "Nobody waits for it"]
Cut = Annotated[list[int], "The lowest and the highest place where you may cut; only where you are to cut"]


class MoveForm(TypedDict):
    """A legal move. With `low` and `high` it takes an `amount`, with `among` it takes `chosen` chairs."""

    move: Annotated[str, "Its name", {"enum": MOVES}]
    low: NotRequired[Annotated[int, "The lowest amount"]]
    high: NotRequired[Annotated[int, "The highest amount"]]
    among: NotRequired[Annotated[list[int], "Chairs that may be chosen"]]
    fewest: NotRequired[Annotated[int, "At least so many of them"]]
    most: NotRequired[Annotated[int, "At most so many of them"]]
    prompt: NotRequired[Annotated[bool, "The table must ask about it (BX-16, BX-21)"]]


class Choice(TypedDict):
    """A decision as it can be sent, with `round` and `step`."""

    move: Annotated[str, "The move", {"enum": MOVES}]
    amount: NotRequired[Annotated[int, "With a move that has a `high`"]]
    chosen: NotRequired[Annotated[list[int], "Chairs, ascending, with a move that has `among`"]]


class SeedWanted(TypedDict):
    shoe: Annotated[str, "Of which shoe"]
    owed: NotRequired[Annotated[bool, "It is owed from an earlier shoe"]]
    cut: NotRequired[Cut]


class HashWanted(TypedDict):
    shoe: Annotated[str, "For which shoe"]
    cut: NotRequired[Cut]


class BetsWanted(TypedDict):
    round: Annotated[int, "The round to bet on"]
    low: Annotated[int, "The lowest bet"]
    high: Annotated[int, "The highest bet"]
    unit: Annotated[int, "A bet is a multiple of it"]
    may: NotRequired[May]


class DecisionWanted(TypedDict):
    about: Annotated[str, "What it is about", {"enum": [ROUND, BANK]}]
    round: Annotated[int, "The round's number; about the bank, that of the last one"]
    step: Annotated[int, "How many decisions were made before"]
    moves: Annotated[list[Annotated[Form, MoveForm]], "The legal moves"]
    default: Annotated[Form, "What the table does at the time limit", Choice]
    seller: NotRequired[Annotated[int, "The chair that sells or gives you the bank (PO-37)", SEAT]]
    hint: NotRequired[
        Annotated[str, "The move of the strategy `bicycle`; in a round, if there is an upcard (ST-04)", {"enum": MOVES}]
    ]


class ChipsWanted(TypedDict):
    ops: Annotated[
        list[Annotated[str, {"enum": [*CHIP_MOVES, "leave"]}]], "What may be done; `leave` is a cash-out with `leave`"
    ]
    may: May


class CommitmentWanted(TypedDict):
    shoe: Annotated[str, "For which shoe"]


class PlacesWanted(TypedDict):
    shoe: Annotated[str, "Of which shoe; see `awaited`"]


class ShoeWanted(TypedDict):
    pass


class WaiverWanted(TypedDict):
    may: May


class ReshuffleWanted(TypedDict):
    may: May


class HereWanted(TypedDict):
    may: May


WANTED: dict[str, Any] = {
    "commitment": CommitmentWanted,
    "places": PlacesWanted,
    "seed": SeedWanted,
    "hash": HashWanted,
    "shoe": ShoeWanted,
    "waiver": WaiverWanted,
    "bets": BetsWanted,
    "reshuffle": ReshuffleWanted,
    "decisions": DecisionWanted,
    "chips": ChipsWanted,
    "here": HereWanted,
}
"""Forms of what a chair can send, by the route, which its form has as `do`; when each is possible, docs/service.md
says."""


class BetForm(TypedDict):
    amount: Annotated[int, "The wager"]
    seat: Annotated[int, "Whose bet it is"]
    box: NotRequired[Annotated[int, "The betting place, where it is not the chair's own"]]


class HandView(TypedDict):
    """A hand as you may see it. The dealer's has no bet, seat or box."""

    cards: Annotated[list[str | None], "Labels, in dealt order; a hidden card is null"]
    total: Annotated[int | None, "What it counts; null while a card is hidden"]
    bet: NotRequired[Annotated[int, "The wager"]]
    box: NotRequired[Annotated[int, "The betting place"]]
    seat: NotRequired[Annotated[int, "Whose hand it is"]]
    insured: NotRequired[Annotated[int, "The insurance"]]
    insurance: NotRequired[Annotated[int, "What the insurance won, below zero what it lost; once it is settled"]]
    net: NotRequired[Annotated[int, "What it won, below zero what it lost; once it is settled"]]
    outcome: NotRequired[Annotated[str, "How it was settled"]]
    short: NotRequired[Annotated[int, "What the bank could not pay"]]


class RoundView(TypedDict):
    """The open round as you may see it."""

    chips: Annotated[dict[str, int], "Chips by account, without those that lie on the table"]
    dealer: Annotated[Form, "The dealer's hand", HandView]
    hands: Annotated[list[Annotated[Form, HandView]], "The players' hands, in acting order"]
    over: Annotated[bool, "Whether it is over"]
    turn: NotRequired[Annotated[int, "Whose turn it is"]]
    hand: NotRequired[Annotated[int, "Which of `hands` is played, from 0, or -1; only where it is your turn"]]
    moves: NotRequired[Annotated[list[Annotated[Form, MoveForm]], "Your legal moves; only where it is your turn"]]
    step: NotRequired[Annotated[int, "How many decisions were made; only where it is your turn"]]


class StepFields(TypedDict):
    """A step of a shoe's placer."""

    line: Annotated[str, "What it was asked: `shuffle …` or `card <place>`"]
    since: NotRequired[
        Annotated[list[str], "What happened since the step before, each part as docs/placer-protocol.md writes it"]
    ]
    given: NotRequired[Annotated[int, "The place that it gave for a card"]]


class PlacedFields(TypedDict):
    steps: Annotated[list[StepFields], "Of the placer, in this round so far"]
    since: Annotated[list[str], "What happened since the last of them"]


class RoundFields(TypedDict):
    round: Annotated[int, "Its number"]
    bets: Annotated[list[Annotated[dict[str, int], BetForm]], "The bets, in acting order"]
    view: NotRequired[Annotated[Form, "The round as you may see it; a hidden card is null", RoundView]]
    shown: NotRequired[
        Annotated[Form, "While places are awaited: the round as you saw it before the newest decision", RoundView]
    ]
    reshuffled: NotRequired[Annotated[list[int], "Cards dealt in this round before each reshuffle in it"]]
    burned: NotRequired[Annotated[list[str], "Cards burned by those reshuffles, by label"]]
    placed: NotRequired[Annotated[PlacedFields, "Where the shoe has a placer: what it was asked for"]]


class SeatFields(TypedDict):
    seat: Annotated[int, "The chair"]
    player: Annotated[str, "Who sits there"]
    name: NotRequired[Annotated[str, "The player's name as people write it, where one was given"]]


class ShoePlacer(TypedDict):
    name: Annotated[str, "Its name"]
    key: Annotated[str, "Its verifier key"]
    commitment: Annotated[str, "SHA-256 of its key to this shoe" + HEX, DIGEST]
    steps: Annotated[int, "How many steps its chain has by the newest entry that shows any"]
    head: Annotated[str, "The chain's head then" + HEX, DIGEST]


class BeaconForm(TypedDict):
    round: Annotated[int, "Its round of drand's quicknet"]
    at: Annotated[str, "When that comes out", MOMENT]
    address: Annotated[str, "Where its signature can be had"]
    randomness: Annotated[str | None, "SHA-256 of the signature, once the order is fixed"]


class ShoeFields(TypedDict):
    shoe: Annotated[str, "Its id"]
    commitment: Annotated[str, "SHA-256 of the key" + HEX, DIGEST]
    deck: Annotated[str, "french:N, N packs"]
    cards: Annotated[int, "How many cards"]
    draws: Annotated[dict[str, int], "Named draws with their exclusive upper bounds"]
    roster: Annotated[list[str], "Who may contribute, in order"]
    cutter: Annotated[str | None, "Who cuts"]
    purpose: Annotated[str | None, "`bank` for a shoe that finds the first banker"]
    hashed: Annotated[list[str], "Who has sent a hash"]
    hashes: Annotated[dict[str, str] | None, "The hashes by player, once they are in the log"]
    opened: Annotated[list[str], "Whose seed is here"]
    sealed: Annotated[bool, "Whether the order is fixed"]
    opens: Annotated[list[str], "Who has still to open a seed, in order; the first is waited for"]
    struck: Annotated[list[str], "Who has no part in it any more: left, or let the seed lapse"]
    waived: Annotated[list[int], "Chairs that bet without a seed of their own"]
    position: Annotated[int, "Cards dealt before the open round"]
    burned: Annotated[list[str], "Cards burned by the end of the last round, by label (PO-06)"]
    placer: NotRequired[Annotated[Form, "Its placer, where it has one (docs/placer-protocol.md)", ShoePlacer]]
    beacon: NotRequired[Annotated[BeaconForm, "Its public beacon, where it has one"]]


OfferedBets = TypedDict(
    "OfferedBets",
    {
        "round": Annotated[int, "The round that is bet on"],
        "in": Annotated[list[Annotated[dict[str, int], BetForm]], "Bets so far, in order"],
        "passed": Annotated[list[int], "Chairs that pass"],
        "boxes": NotRequired[
            Annotated[
                list[int],
                "Boxes that you may bet on, where there are boxes: your own, and those that nobody else has bet on",
            ]
        ],
    },
)


class OwnBet(TypedDict):
    state: Annotated[
        str,
        "`offered`: it may still be changed; `stands`: it is dealt, or will be; `uncovered`: the bank's chips or your "
        "own do not cover it; `yielded`: the box's own chair bets there; `lapsed`: your seed lapsed; `void`: the shoe "
        "came to nothing; `passed`, `late` and `unfunded`: no bet of yours",
        {"enum": BET_STATES},
    ]
    amount: NotRequired[Annotated[int, "The wager"]]
    box: NotRequired[Annotated[int, "The betting place, where it is not your own chair's", SEAT]]


class OwnBetting(TypedDict):
    round: Annotated[int, "The round's number"]
    bets: Annotated[list[OwnBet], "Your bets, each with what became of it"]


class YouFields(TypedDict):
    seat: Annotated[int, "Your chair"]
    player: Annotated[str, "Your name"]
    expects: Annotated[
        list[Annotated[Form, OneOf(WANTED)]],
        "What you can do now, the most urgent first: `do` is the route, the rest its fields",
    ]
    betting: NotRequired[
        Annotated[OwnBetting, "Your bets on the next round; until you bet or pass, those on the last one opened"]
    ]
    receipt: NotRequired[Annotated[str, "The house's receipt of your bets as they stood at the last `open`"]]


class TablePlacer(TypedDict):
    """`address` and `question` are known to whoever runs the table."""

    key: Annotated[str, "Its verifier key"]
    address: Annotated[str, "Where it answers; empty where the house does not say"]
    awaited: Annotated[bool, "Whether the table waits for it now"]
    question: NotRequired[Annotated[str, "The house's signed question, while the table waits for places"]]


Seconds = Annotated[int, "In seconds"]
Moment = Annotated[str, "When the table acts by itself", MOMENT]


class Limits(TypedDict):
    hash: Seconds
    seed: Seconds
    cut: Seconds
    bet: Seconds
    decision: Seconds
    shoe: Seconds


class Deadlines(TypedDict, total=False):
    hash: Moment
    seed: Moment
    cut: Moment
    bet: Moment
    decision: Moment
    shoe: Moment
    beacon: Moment


class TableBeacon(TypedDict):
    delay: Annotated[int, "Seconds from a commitment to its beacon's round"]


class RefundFields(TypedDict):
    player: Annotated[str, "Who paid"]
    game: Annotated[int, "The game's number at the table"]
    round: Annotated[int, "What is due if a round went wrong"]
    unfinished: NotRequired[Annotated[int, "What is due since the game is not played to its end, where that holds"]]


class TableView(TypedDict):
    table: Annotated[str, "Its id"]
    rules: Annotated[str, "Its rule set", {"enum": RULE_SETS}]
    options: Annotated[dict[str, int | bool | str], "Every option of the rule set"]
    policy: Annotated[dict[str, int], "Time limits in seconds", Limits]
    phase: Annotated[str, "What it is doing; docs/ceremony.md has the phases", {"enum": PHASE_NAMES}]
    at: Annotated[str, "The service's time", MOMENT]
    closed: Annotated[bool, "Whether the operator has closed the table"]
    chairs: Annotated[int, "How many chairs there are"]
    seats: Annotated[list[SeatFields], "Who sits where"]
    chips: Annotated[dict[str, int], "Chips by account: a chair's number, `house`, `pool`; during a round as before it"]
    bank: Annotated[str, "The account that banks"]
    rounds: Annotated[int, "Rounds opened so far"]
    owed: Annotated[dict[str, list[str]], "Players who owe seeds, and of which shoes"]
    deadlines: Annotated[dict[str, str], "Time limits that run", Deadlines]
    evicted: Annotated[list[int], "Chairs that the house has left as soon as the ceremony allows it"]
    shoe: Annotated[ShoeFields | None, "The live shoe"]
    bets: Annotated[OfferedBets | None, "Bets for the next round, while they are taken"]
    round: Annotated[RoundFields | None, "The open round"]
    last: Annotated[Form | None, "The last round's entry in the log: docs/log.md"]
    moved: Annotated[
        Form | None, "The last `bank` entry: who banks since then, and why; `chairs` were dealt to (PO-04)"
    ]
    ended: Annotated[Form | None, "`kind`, `shoe` and `why` of the entry that ended the last shoe"]
    beacon: NotRequired[Annotated[TableBeacon, "The beacons of its shoes, where they have one (docs/log.md)"]]
    asked: NotRequired[Annotated[int, "The chair that decides about the bank, while that is open"]]
    refunds: NotRequired[Annotated[list[RefundFields], "Where games cost a buy-in: those that may be refunded (LO-07)"]]
    joined: NotRequired[Annotated[list[int], "The chairs that play the running game of a pool: they have paid for it"]]
    lapses: NotRequired[Annotated[int, "How many lapsed limits in a row put a player out; without it none do"]]
    placer: NotRequired[Annotated[Form, "The table's placer, where it has one (docs/placer-protocol.md)", TablePlacer]]
    you: NotRequired[Annotated[YouFields, "Only with a seat's token"]]
