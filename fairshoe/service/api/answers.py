"""Answers of the API: the forms that the ceremony makes of a table, and those of the service. The API's
description is made of these classes."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from ...ceremony.acting import forms
from ...log import hand_proof
from ..log_reader import MOVES
from ..tokens import OPERATOR, READER
from .fields import FAULTS

Options = dict[str, int | bool | str]


class WrongField(TypedDict):
    field: Annotated[str, "Its path in the body, or the parameter's name"]
    what: Annotated[str, "What is wrong with it"]


class ProblemResponse(TypedDict):
    """RFC 9457, application/problem+json."""

    type: Annotated[str, "Which kind of problem, as a link into /docs"]
    title: Annotated[str, "The kind in words"]
    status: Annotated[int, "The HTTP status"]
    detail: Annotated[str, "What is wrong here"]
    fault: NotRequired[Annotated[str, "Whose fault it is", {"enum": FAULTS}]]
    field: NotRequired[Annotated[str, "The field concerned"]]
    expected: NotRequired[Annotated[str, "What would have been right"]]
    remedy: NotRequired[Annotated[str, "What to do"]]
    errors: NotRequired[Annotated[list[WrongField], "Every wrong field"]]
    legal: NotRequired[Annotated[list[forms.MoveForm], "The legal moves"]]
    step: NotRequired[Annotated[int, "How many decisions were made by now"]]
    round: NotRequired[Annotated[int, "The round that may be bet on, or decided in"]]
    free: NotRequired[Annotated[list[int], "Free chairs"]]


class OpeningFields(TypedDict):
    """What shows that the `seal` bound a card: docs/protocol.md, openings."""

    pos: Annotated[int, "Its place in the dealt order; with a placer in the house's own order"]
    n: Annotated[int, "How many cards that order has"]
    label: Annotated[str, "The card"]
    number: NotRequired[Annotated[int, "With a placer: its number in the deck that is present, from 0"]]
    salt: Annotated[str, "The salt of its leaf, in hex"]
    path: Annotated[list[str], "The inclusion path of its leaf, in hex"]


class OpeningsResponse(TypedDict):
    shoe: Annotated[str | None, "The shoe in play; null if none has a root"]
    openings: Annotated[
        list[OpeningFields | None], "Of its cards in the order of dealing; null for one that you may not see"
    ]


class QuestionFields(TypedDict):
    """A question to a player who places: docs/placer-protocol.md."""

    shoe: Annotated[str, "About which shoe"]
    question: Annotated[str, "Signed by the log's key"]
    since: Annotated[list[str], "The parts of what happened since the last step"]
    cards: NotRequired[Annotated[list[str | None], "The round's cards so far; a hidden one is null"]]


class AwaitedFields(TypedDict):
    commit: NotRequired[Annotated[str, "The signed text that asks for a commitment, where one is awaited"]]
    questions: Annotated[list[QuestionFields], "The questions that wait for an answer"]


class TableStateResponse(forms.TableView):
    """A table as the token's seat may see it; without a token, as everybody may."""

    restored: NotRequired[
        Annotated[str, "When the house was restored: requests from before are not known any more", forms.MOMENT]
    ]
    log: Annotated[int, "How many entries the log had then"]
    changed: NotRequired[Annotated[str, "When the table changed last; not in a command's answer", forms.MOMENT]]
    verify: NotRequired[Annotated[str, "Where the page is that checks the last round"]]
    awaited: NotRequired[Annotated[AwaitedFields, "What is awaited of a player who places; only there"]]
    answer_receipt: NotRequired[Annotated[str, "The house's signed note that it has taken the placer's answer"]]
    receipt: NotRequired[Annotated[str, "The house's receipt of what you sent: keep it (docs/receipts.md)"]]


class RunFields(TypedDict):
    """Cards that were drawn together."""

    pos: Annotated[int, "The position of the first"]
    cards: NotRequired[Annotated[list[str], "Their labels, of cards in public"]]
    hidden: NotRequired[Annotated[int, "How many hidden cards"]]
    to: NotRequired[Annotated[str, "Who sees them"]]


class DrawnResponse(RunFields):
    """What was drawn."""

    shoe: Annotated[str, "Its id"]
    draws: Annotated[dict[str, int], "The values of the named draws"]
    awaited: NotRequired[Annotated[bool, "The draw waits for the placer: send it again once the shoe has changed"]]
    left: Annotated[int, "How many cards are left"]
    log: Annotated[int, "How many entries the log had then"]


class CutFields(TypedDict):
    at: Annotated[int, "The place"]
    by: Annotated[str, "Who chose it"]


class EndFields(TypedDict):
    kind: Annotated[str, "The entry that ended it", {"enum": ["reveal", "void", "lost"]}]
    why: NotRequired[Annotated[str, "The reason"]]
    by: NotRequired[Annotated[str, "Whose seed was missing"]]
    key: NotRequired[Annotated[str, "The key, in hex"]]


class PlayerView(TypedDict):
    player: Annotated[str, "Your name"]
    expects: Annotated[str | None, "What is waited for of you: `hash`, `seed`, or null"]


class GatherFields(TypedDict):
    pos: Annotated[int, "The position of the first card of the new order"]
    out: Annotated[list[int], "Positions of the cards that stayed out"]
    root: Annotated[str, "What binds the cards of the new order"]


class ShoePlacerFields(TypedDict):
    key: Annotated[str, "Its verifier key"]
    commitment: Annotated[str, "SHA-256 of its key of this shoe"]
    address: Annotated[str, "Where it answers"]
    awaited: Annotated[bool, "Something is awaited of it; nothing is drawn and the shoe does not end before"]
    question: NotRequired[Annotated[str, "The house's signed question for the cards that wait"]]


class ShoeStateResponse(TypedDict):
    """A shoe without a table. Hidden cards have no label here: see `hand`."""

    shoe: Annotated[str, "Its id"]
    stage: Annotated[
        str,
        "placer: it has not committed to a key yet; hash, seed, beacon: waited for; draw: sealed, and drawn from; over",
        {"enum": ["placer", "hash", "seed", "beacon", "draw", "over"]},
    ]
    commitment: Annotated[str, "SHA-256 of the key"]
    deck: Annotated[str, "french:N, or the hash of a deck of its own"]
    cards: Annotated[int, "How many cards the deck has"]
    draws: Annotated[dict[str, int], "Named draws with their exclusive upper bounds"]
    roster: Annotated[list[str], "Who may contribute, in order"]
    cutter: Annotated[str | None, "Who cuts, if somebody is named"]
    rules_hash: Annotated[str | None, "SHA-256 of the game's rules"]
    policy: Annotated[forms.Limits, "The time limits in seconds"]
    hashed: Annotated[list[str], "Who has sent a hash"]
    hashes: Annotated[dict[str, str] | None, "The hashes by player, once they are in the log"]
    opens: Annotated[list[str], "Who has still to open a seed, in order; the first is waited for"]
    opened: Annotated[dict[str, str], "Seeds by player, in hex"]
    struck: Annotated[list[str], "Whose seed lapsed"]
    cut: Annotated[CutFields | None, "The cut that a player chose"]
    beacon: Annotated[forms.BeaconForm | None, "The public beacon that goes into the order"]
    cards_root: Annotated[str | None, "What binds the cards, from the seal on"]
    pos: Annotated[int, "How many cards were drawn: the position of the next"]
    drawn: Annotated[list[RunFields], "The cards drawn"]
    gathered: Annotated[list[GatherFields], "The reshuffles"]
    shown: Annotated[dict[str, str], "Hidden cards that were shown, by position"]
    numbers: Annotated[dict[str, int], "Named draws that were told"]
    placer: Annotated[ShoePlacerFields | None, "The second dealer"]
    ended: Annotated[EndFields | None, "How it ended"]
    limits: Annotated[dict[str, str], "Time limits that run, by name, and when each is over"]
    now: Annotated[str, "The house's time", forms.MOMENT]
    log: Annotated[int, "How many entries the log had then"]
    you: NotRequired[Annotated[PlayerView, "You, with a player's token"]]
    receipt: NotRequired[Annotated[str, "The house's receipt of what you sent: keep it (docs/receipts.md)"]]


class CreatedShoeResponse(ShoeStateResponse):
    """The new shoe."""

    tokens: Annotated[dict[str, str], "The tokens of those players who sent no `token_sha256`"]


class HandResponse(TypedDict):
    """A player's hidden cards."""

    shoe: Annotated[str, "Its id"]
    player: Annotated[str, "Whose they are"]
    cards_root: Annotated[str | None, "What each opening leads to"]
    cards: Annotated[list[OpeningFields], "The cards, each in the order that it was drawn from"]
    positions: Annotated[list[int], "The position of each"]


class HandProofResponse(TypedDict):
    """The proof file of one hand, or of how far a shoe has come: docs/proof.md."""

    v: Annotated[int, "The version of the form"]
    kind: Annotated[str, "What the file is", {"enum": [hand_proof.KIND]}]
    round: Annotated[str, "TABLE#NUMBER; of a shoe its id, TABLE/NUMBER"]
    checkpoint: Annotated[str, "The signed checkpoint, with its cosignatures"]
    entries: Annotated[list[Annotated[forms.Form, "An entry's index, line and path"]], "What the log says of the hand"]
    openings: NotRequired[Annotated[list[OpeningFields], "What binds its cards, while the shoe is in play"]]


class RuleSetResponse(TypedDict):
    name: Annotated[str, "Its name", {"enum": forms.RULE_SETS}]
    options: Annotated[Options, "Every option with its default"]


class RuleSets(TypedDict):
    """What a table may be opened with."""

    rules: Annotated[list[RuleSetResponse], "The rule sets"]
    policy: Annotated[forms.Limits, "The time limits that hold where a table has no others"]
    placers: Annotated[list[str], "Verifier keys of the placers that a table may have (docs/placer-protocol.md)"]


class TableLine(TypedDict):
    table: Annotated[str, "Its id"]
    rules: Annotated[str, "Its rule set", {"enum": forms.RULE_SETS}]
    options: Annotated[Options, "Every option of the rule set"]
    phase: Annotated[str, "What it is doing", {"enum": forms.PHASE_NAMES}]
    chairs: Annotated[int, "How many chairs there are"]
    seats: Annotated[list[forms.SeatFields], "Who sits where"]
    policy: Annotated[forms.Limits, "The time limits in seconds"]
    closed: Annotated[bool, "Whether the operator has closed it"]
    placer: NotRequired[
        Annotated[str, "The key of its placer, where it has one, or `player` (docs/placer-protocol.md)"]
    ]


class Tables(TypedDict):
    """Tables by id, ascending. A `Link` header with rel="next" leads to the following ones, where there are any."""

    tables: Annotated[list[TableLine], "The tables"]


class WitnessFields(TypedDict):
    name: Annotated[str, "Its name"]
    entries: Annotated[int, "How many entries it has cosigned"]
    trouble: NotRequired[Annotated[str, "Why it has cosigned no more"]]


class PlacerFields(TypedDict):
    name: Annotated[str, "Its name"]
    address: Annotated[str, "Where it answers"]


class HouseResponse(TypedDict):
    """How the house is, as the process that answers sees it."""

    role: Annotated[str, "Whose token asked", {"enum": [OPERATOR, READER]}]
    at: Annotated[str, "The machine's time", forms.MOMENT]
    checks: Annotated[dict[str, str], "The checks of /readyz: `fine`, or what is wrong"]
    checkpoint: Annotated[str, "The log's newest checkpoint, with its cosignatures"]
    witnesses: Annotated[list[WitnessFields], "The witnesses that the house was started with"]
    placers: Annotated[list[PlacerFields], "The placers that the house was started with"]
    troubles: Annotated[dict[str, str], "Why a table's placer does not answer, by table"]
    beacon: NotRequired[Annotated[str, "Why no source of beacons answers"]]
    database: Annotated[str, "Where the database is"]
    free: NotRequired[Annotated[int, "Free bytes on the disk of the data directory"]]


class HandLine(TypedDict):
    round: Annotated[str, "TABLE#NUMBER"]
    seat: Annotated[int, "The chair then"]
    proof: Annotated[str, "Where its proof file is"]


class ChipsMoved(TypedDict):
    op: Annotated[
        str,
        "`transfer` between players; `sale` of a bank (PO-37); `refund` of a buy-in (LO-07); `share` of a pool that "
        "all have left (LO-04)",
        {"enum": (*MOVES, "sale")},
    ]
    amount: Annotated[int, "How many chips the player got, in the smallest unit; below zero: gave"]
    at: Annotated[str, "When", forms.MOMENT]
    other: NotRequired[Annotated[str, "The player on the other side"]]


class Hands(TypedDict):
    """A player's hands at a table, in their order. A `Link` header with rel="next" leads to the following ones."""

    hands: Annotated[list[HandLine], "The hands; a page may have none"]
    moves: Annotated[list[ChipsMoved], "The player's chips that moved beside the hands, on each page"]
