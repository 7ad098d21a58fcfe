"""What the API answers with, for its documentation; the tests hold the answers against these schemas."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from ...ceremony.policy import Policy
from ...log import hand_proof
from .shapes import (
    DECIDED_BY,
    FAULTS,
    MOVES,
    PHASE_NAMES,
    RULE_SETS,
    MoveForm,
    Option,
    digest,
    flag,
    mapping,
    moment,
    names,
    numbers,
    part,
    several,
    text,
    wanted,
    whole,
    word,
)


class WrongField(Schema):
    field = text("Its path in the body, or the parameter's name")
    what = text("What is wrong with it")


class Problem(Schema):
    """RFC 9457, application/problem+json."""

    type = text("Which kind of problem, as a link into /docs")
    title = text("The kind in words")
    status = whole("The HTTP status")
    detail = text("What is wrong here")
    fault = word("Whose fault it is", FAULTS, required=False)
    field = text("The field concerned", required=False)
    expected = text("What would have been right", required=False)
    remedy = text("What to do", required=False)
    errors = several("Every wrong field", part(WrongField), required=False)
    legal = several("The legal moves", part(MoveForm), required=False)
    step = whole("How many decisions were made by now", required=False)
    round = whole("The round that may be bet on, or decided in", required=False)
    free = numbers("Free chairs", required=False)


class BetForm(Schema):
    amount = whole("The wager")
    seat = whole("Whose bet it is")
    box = whole("The betting place, where it is not the chair's own", required=False)


class HandView(Schema):
    """A hand as you may see it. The dealer's has no bet, seat or box."""

    cards = several("Labels, in dealt order; a hidden card is null", fields.String(allow_none=True))
    total = whole("What it counts; null while a card is hidden", none=True)
    bet = whole("The wager", required=False)
    box = whole("The betting place", required=False)
    seat = whole("Whose hand it is", required=False)
    insured = whole("The insurance", required=False)
    net = whole("What it won, below zero what it lost; once it is settled", required=False)
    outcome = text("How it was settled", required=False)
    short = whole("What the bank could not pay", required=False)


class RoundView(Schema):
    """The open round as you may see it."""

    chips = mapping("Chips by account, without those that lie on the table", fields.Integer(strict=True))
    dealer = part(HandView, "The dealer's hand")
    hands = several("The players' hands, in acting order", part(HandView))
    over = flag("Whether it is over")
    turn = whole("Whose turn it is", required=False)
    hand = whole("Which of `hands` is played, from 0, or -1; only where it is your turn", required=False)
    moves = several("Your legal moves; only where it is your turn", part(MoveForm), required=False)
    step = whole("How many decisions were made; only where it is your turn", required=False)


class RoundFields(Schema):
    round = whole("Its number")
    bets = several("The bets, in acting order", part(BetForm))
    view = part(RoundView, "The round as you may see it; a hidden card is null", required=False)
    reshuffled = numbers("Cards dealt in this round before each reshuffle in it", required=False)
    burned = names("Cards burned by those reshuffles, by label", required=False)


class LoggedDecision(Schema):
    move = word("The move", MOVES)
    seat = whole("Who made it")
    amount = whole("Its amount, where it has one", required=False)
    chosen = numbers("The chairs chosen, where it chooses any", required=False)
    by = word("`table`: the time limit decided", DECIDED_BY, required=False)
    at = moment("When the table decided; only with `by`", required=False)


class LoggedHand(Schema):
    cards = numbers("Offsets into the round's cards")
    total = whole("What it counts")
    bet = whole("The wager")
    seat = whole("Whose hand it is")
    box = whole("The betting place, where it is not the chair's own", required=False)
    net = whole("What it won, below zero what it lost")
    outcome = text("How it was settled")
    insurance = whole("What the insurance won or lost", required=False)
    insured = whole("The insurance", required=False)
    short = whole("What the bank could not pay", required=False)


class LoggedDealer(Schema):
    cards = numbers("Offsets into the round's cards")
    total = whole("What it counts")


class LoggedRound(Schema):
    """The log's `round` entry; docs/log.md says what each field is."""

    v = whole("The version of the entry's form")
    kind = word("The entry's kind", ["round"])
    at = moment("When it was over")
    shoe = text("The shoe's id")
    round = whole("Its number")
    pos = whole("The position of its first card in the shoe")
    cards = names("Labels of all its cards, in dealt order")
    dealer = part(LoggedDealer, "The dealer's hand")
    hands = several("The players' hands, in acting order", part(LoggedHand))
    decisions = several("What was decided, in order", part(LoggedDecision))
    chips = mapping("The accounts that took part, afterwards", fields.Integer(strict=True))
    reshuffled = numbers("Cards dealt before each reshuffle in it", required=False)


class SeatFields(Schema):
    seat = whole("The chair")
    player = text("Who sits there")
    name = text("The player's name as people write it, where one was given", required=False)


class ShoeFields(Schema):
    shoe = text("Its id")
    commitment = digest("SHA-256 of the key")
    deck = text("french:N, N packs")
    cards = whole("How many cards")
    draws = mapping("Named draws with their exclusive upper bounds", fields.Integer(strict=True))
    roster = names("Who may contribute, in order")
    cutter = text("Who cuts", none=True)
    purpose = text("`bank` for a shoe that finds the first banker", none=True)
    hashed = names("Who has sent a hash")
    hashes = mapping("The hashes by player, once they are in the log", digest(""), none=True)
    opened = names("Whose seed is here")
    sealed = flag("Whether the order is fixed")
    opens = names("Who has still to open a seed, in order; the first is waited for")
    struck = names("Who has no part in it any more: left, or let the seed lapse")
    waived = numbers("Chairs that bet without a seed of their own")
    position = whole("Cards dealt before the open round")
    burned = names("Cards burned by the end of the last round, by label (PO-06)")


class OfferedBets(Schema):
    round = whole("The round that is bet on")
    in_ = fields.List(part(BetForm), required=True, data_key="in", metadata={"description": "Bets so far, in order"})
    passed = numbers("Chairs that pass")


class YouFields(Schema):
    seat = whole("Your chair")
    player = text("Your name")
    expects = several("What you can do now, the most urgent first: `do` is the route, the rest its fields", wanted())
    receipt = text("The house's receipt of your bets as they stood at the last `open`", required=False)


def _limits(name: str, of: dict[str, Any]) -> type[Schema]:
    return Schema.from_dict(of, name=name)


Limits = _limits("Limits", {name: whole("In seconds") for name in Policy._fields})
Deadlines = _limits(
    "Deadlines", {name: moment("When the table acts by itself", required=False) for name in Policy._fields}
)


class TableState(Schema):
    """A table as the token's seat may see it; without a token, as everybody may."""

    table = text("Its id")
    rules = word("Its rule set", RULE_SETS)
    options = mapping("Every option of the rule set", Option())
    policy = part(Limits, "Time limits in seconds")
    phase = word("What it is doing; docs/ceremony.md has the phases", PHASE_NAMES)
    invitation = flag("Whether a chair needs an invitation", required=False)
    restored = moment("When the house was restored: requests from before are not known any more", required=False)
    at = moment("The service's time")
    log = whole("How many entries the log had then")
    closed = flag("Whether the operator has closed the table")
    chairs = whole("How many chairs there are")
    seats = several("Who sits where", part(SeatFields))
    chips = mapping(
        "Chips by account: a chair's number, `house`, `pool`; during a round as before it", fields.Integer(strict=True)
    )
    bank = text("The account that banks")
    rounds = whole("Rounds opened so far")
    owed = mapping("Players who owe seeds, and of which shoes", fields.List(fields.String()))
    deadlines = part(Deadlines, "Time limits that run")
    evicted = numbers("Chairs that the house has left as soon as the ceremony allows it")
    shoe = part(ShoeFields, "The live shoe", none=True)
    bets = part(OfferedBets, "Bets for the next round, while they are taken", none=True)
    round = part(RoundFields, "The open round", none=True)
    last = part(LoggedRound, "The last round's entry in the log", none=True)
    verify = text("Where the page is that checks the last round", required=False)
    you = part(YouFields, "Only with a seat's token", required=False)
    receipt = text("The house's receipt of what you sent: keep it (docs/receipts.md)", required=False)


class Invitation(Schema):
    invitation = text("A code that is good for one chair: shown here once, and stored nowhere in clear")
    ends = moment("When it ends, if it does", none=True)


class ProvenEntry(Schema):
    index = whole("Its number in the log, from 0")
    line = text("Its bytes in the log")
    path = names("Its audit path, from the leaf upwards, in base64")


class HandProof(Schema):
    """The proof file of one hand, or of how far a shoe has come: docs/proof.md."""

    v = whole("The version of the form")
    kind = word("What the file is", [hand_proof.KIND])
    round = text("TABLE#NUMBER; of a shoe its id, TABLE/NUMBER")
    checkpoint = text("The signed checkpoint, with its cosignatures")
    entries = several("What the log says of the hand", part(ProvenEntry))


class TableLine(Schema):
    table = text("Its id")
    rules = word("Its rule set", RULE_SETS)
    phase = word("What it is doing", PHASE_NAMES)
    chairs = whole("How many chairs there are")
    seats = several("Who sits where", part(SeatFields))
    invitation = flag("Whether a chair needs an invitation", required=False)


class Tables(Schema):
    """Tables by id, ascending. A `Link` header with rel="next" leads to the following ones, where there are any."""

    tables = several("The tables", part(TableLine))


class Index(Schema):
    service = text("fairshoe, with its version")
    log = text("The log's name")
    documentation = text("Where the documentation is")
    openapi = text("Where the description for programs is")
    tables = text("Where the tables are")
    verify = text("Where the page is that checks a hand")
