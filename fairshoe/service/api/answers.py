"""What the API answers with, for its documentation; the tests hold the answers against these schemas."""

from __future__ import annotations

from marshmallow import Schema, fields

from ...ceremony.acting.view import BET_STATES
from ...ceremony.policy import Policy
from ...log import hand_proof
from .fields import (
    ABOUT,
    CHIP_WISHES,
    FAULTS,
    MOVES,
    PHASE_NAMES,
    RULE_SETS,
    Field,
    OneOf,
    Option,
    digest,
    flag,
    mapping,
    moment,
    names,
    numbers,
    part,
    seat,
    several,
    text,
    whole,
    word,
)

MAY = "Nobody waits for it"
CUT = "The lowest and the highest place where you may cut; only where you are to cut"


class MoveForm(Schema):
    """A legal move. With `low` and `high` it takes an `amount`, with `among` it takes `chosen` chairs."""

    move = word("Its name", MOVES)
    low = whole("The lowest amount", required=False)
    high = whole("The highest amount", required=False)
    among = numbers("Chairs that may be chosen", required=False)
    fewest = whole("At least so many of them", required=False)
    most = whole("At most so many of them", required=False)
    prompt = flag("The table must ask about it (BX-16, BX-21)", required=False)


class Choice(Schema):
    """A decision as it can be sent, with `round` and `step`."""

    move = word("The move", MOVES)
    amount = whole("With a move that has a `high`", required=False)
    chosen = numbers("Chairs, ascending, with a move that has `among`", required=False)


def _form(name: str, do: str, **wanted: Field) -> type[Schema]:
    """What a chair can do by the route `do`."""
    return Schema.from_dict({"do": word("The route", [do]), **wanted}, name=name)


FORMS: dict[str, type[Schema]] = {
    "commitment": _form("CommitmentWanted", "commitment", shoe=text("For which shoe")),
    "places": _form("PlacesWanted", "places", shoe=text("Of which shoe; see `awaited`")),
    "seed": _form(
        "SeedWanted",
        "seed",
        shoe=text("Of which shoe"),
        owed=flag("It is owed from an earlier shoe", required=False),
        cut=numbers(CUT, required=False),
    ),
    "hash": _form("HashWanted", "hash", shoe=text("For which shoe"), cut=numbers(CUT, required=False)),
    "shoe": _form("ShoeWanted", "shoe"),
    "waiver": _form("WaiverWanted", "waiver", may=flag(MAY)),
    "bets": _form(
        "BetsWanted",
        "bets",
        round=whole("The round to bet on"),
        low=whole("The lowest bet"),
        high=whole("The highest bet"),
        unit=whole("A bet is a multiple of it"),
        may=flag(MAY, required=False),
    ),
    "reshuffle": _form("ReshuffleWanted", "reshuffle", may=flag(MAY)),
    "decisions": _form(
        "DecisionWanted",
        "decisions",
        about=word("What it is about", ABOUT),
        round=whole("The round's number; about the bank, that of the last one"),
        step=whole("How many decisions were made before"),
        moves=several("The legal moves", part(MoveForm)),
        default=part(Choice, "What the table does at the time limit"),
    ),
    "chips": _form(
        "ChipsWanted",
        "chips",
        ops=several("What may be done; `leave` is a cash-out with `leave`", word("", CHIP_WISHES)),
        may=flag(MAY),
    ),
    "here": _form("HereWanted", "here", may=flag(MAY)),
}
"""By the route; when each is possible, docs/service.md says."""


class WrongField(Schema):
    field = text("Its path in the body, or the parameter's name")
    what = text("What is wrong with it")


class ProblemResponse(Schema):
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


class StepFields(Schema):
    """A step of a shoe's placer."""

    line = text("What it was asked: `shuffle …` or `card <place>`")
    since = names("What happened since the step before, each part as docs/placer-protocol.md writes it", required=False)
    given = whole("The place that it gave for a card", required=False)


class PlacedFields(Schema):
    steps = several("Of the placer, in this round so far", part(StepFields))
    since = names("What happened since the last of them")


class RoundFields(Schema):
    round = whole("Its number")
    bets = several("The bets, in acting order", part(BetForm))
    view = part(RoundView, "The round as you may see it; a hidden card is null", required=False)
    reshuffled = numbers("Cards dealt in this round before each reshuffle in it", required=False)
    burned = names("Cards burned by those reshuffles, by label", required=False)
    placed = part(PlacedFields, "Where the shoe has a placer: what it was asked for", required=False)


class SeatFields(Schema):
    seat = whole("The chair")
    player = text("Who sits there")
    name = text("The player's name as people write it, where one was given", required=False)


class ShoePlacer(Schema):
    name = text("Its name")
    key = text("Its verifier key")
    commitment = digest("SHA-256 of its key to this shoe")
    steps = whole("How many steps its chain has by the newest entry that shows any")
    head = digest("The chain's head then")


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
    hashes = mapping("The hashes by player, once they are in the log", fields.String(), none=True)
    opened = names("Whose seed is here")
    sealed = flag("Whether the order is fixed")
    opens = names("Who has still to open a seed, in order; the first is waited for")
    struck = names("Who has no part in it any more: left, or let the seed lapse")
    waived = numbers("Chairs that bet without a seed of their own")
    position = whole("Cards dealt before the open round")
    burned = names("Cards burned by the end of the last round, by label (PO-06)")
    placer = part(ShoePlacer, "Its placer, where it has one (docs/placer-protocol.md)", required=False)


class OfferedBets(Schema):
    round = whole("The round that is bet on")
    in_ = fields.List(part(BetForm), required=True, data_key="in", metadata={"description": "Bets so far, in order"})
    passed = numbers("Chairs that pass")
    boxes = numbers(
        "Boxes that you may bet on, where there are boxes: your own, and those that nobody else has bet on",
        required=False,
    )


class OpeningFields(Schema):
    """What shows that a card was bound before its place was given: docs/placer-protocol.md."""

    pos = whole("The place in the house's own order")
    n = whole("How many cards that order has")
    label = text("The card")
    number = whole("Its number in the deck that is present, from 0")
    salt = text("The salt of its leaf, in hex")
    path = names("The inclusion path of its leaf, in hex")


class OpeningsResponse(Schema):
    shoe = text("The shoe in play; null where none has a placer", none=True)
    openings = several(
        "Of its cards in the order of dealing; null for one that you may not see", part(OpeningFields, none=True)
    )


class QuestionFields(Schema):
    """A question to a player who places: docs/placer-protocol.md."""

    shoe = text("About which shoe")
    question = text("Signed by the log's key")
    since = names("The parts of what happened since the last step")
    cards = several("The round's cards so far; a hidden one is null", fields.String(allow_none=True), required=False)


class AwaitedFields(Schema):
    commit = text("The signed text that asks for a commitment, where one is awaited", required=False)
    questions = several("The questions that wait for an answer", part(QuestionFields))


class OwnBet(Schema):
    state = word(
        "`offered`: it may still be changed; `stands`: it is dealt, or will be; `uncovered`: the bank's chips or your "
        "own do not cover it; `yielded`: the box's own chair bets there; `lapsed`: your seed lapsed; `void`: the shoe "
        "came to nothing; `passed`, `late` and `unfunded`: no bet of yours",
        BET_STATES,
    )
    amount = whole("The wager", required=False)
    box = seat("The betting place, where it is not your own chair's", required=False)


class OwnBetting(Schema):
    round = whole("The round's number")
    bets = several("Your bets, each with what became of it", part(OwnBet))


class YouFields(Schema):
    seat = whole("Your chair")
    player = text("Your name")
    expects = several(
        "What you can do now, the most urgent first: `do` is the route, the rest its fields", OneOf("do", FORMS)
    )
    betting = part(
        OwnBetting, "Your bets on the next round; until you bet or pass, those on the last one opened", required=False
    )
    receipt = text("The house's receipt of your bets as they stood at the last `open`", required=False)


Limits = Schema.from_dict({name: whole("In seconds") for name in Policy._fields}, name="Limits")
Deadlines = Schema.from_dict(
    {name: moment("When the table acts by itself", required=False) for name in Policy._fields}, name="Deadlines"
)


class TablePlacer(Schema):
    key = text("Its verifier key")
    address = text("Where it answers; empty where the house does not say")
    awaited = flag("Whether the table waits for it now")
    question = text("The house's signed question, while the table waits for places", required=False)


class TableStateResponse(Schema):
    """A table as the token's seat may see it; without a token, as everybody may."""

    table = text("Its id")
    rules = word("Its rule set", RULE_SETS)
    options = mapping("Every option of the rule set", Option())
    policy = part(Limits, "Time limits in seconds")
    phase = word("What it is doing; docs/ceremony.md has the phases", PHASE_NAMES)
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
    last = mapping("The last round's entry in the log: docs/log.md", none=True)
    verify = text("Where the page is that checks the last round", required=False)
    placer = part(TablePlacer, "The table's placer, where it has one (docs/placer-protocol.md)", required=False)
    awaited = part(AwaitedFields, "What is awaited of a player who places; only there", required=False)
    answer_receipt = text("The house's signed note that it has taken the placer's answer", required=False)
    you = part(YouFields, "Only with a seat's token", required=False)
    receipt = text("The house's receipt of what you sent: keep it (docs/receipts.md)", required=False)


class HandProofResponse(Schema):
    """The proof file of one hand, or of how far a shoe has come: docs/proof.md."""

    v = whole("The version of the form")
    kind = word("What the file is", [hand_proof.KIND])
    round = text("TABLE#NUMBER; of a shoe its id, TABLE/NUMBER")
    checkpoint = text("The signed checkpoint, with its cosignatures")
    entries = several("What the log says of the hand", mapping("An entry's index, line and path"))


class RuleSetResponse(Schema):
    name = word("Its name", RULE_SETS)
    options = mapping("Every option with its default", Option())


class RuleSets(Schema):
    """What a table may be opened with."""

    rules = several("The rule sets", part(RuleSetResponse))
    policy = part(Limits, "The time limits that hold where a table has no others")
    placers = names("Verifier keys of the placers that a table may have (docs/placer-protocol.md)")


class TableLine(Schema):
    table = text("Its id")
    rules = word("Its rule set", RULE_SETS)
    options = mapping("Every option of the rule set", Option())
    phase = word("What it is doing", PHASE_NAMES)
    chairs = whole("How many chairs there are")
    seats = several("Who sits where", part(SeatFields))
    placer = text("The key of its placer, where it has one, or `player` (docs/placer-protocol.md)", required=False)


class Tables(Schema):
    """Tables by id, ascending. A `Link` header with rel="next" leads to the following ones, where there are any."""

    tables = several("The tables", part(TableLine))


class HandLine(Schema):
    round = text("TABLE#NUMBER")
    seat = whole("The chair then")
    proof = text("Where its proof file is")


class Hands(Schema):
    """A player's hands at a table, in their order. A `Link` header with rel="next" leads to the following ones."""

    hands = several("The hands; a page may have none", part(HandLine))


class Index(Schema):
    service = text("fairshoe, with its version")
    log = text("The log's name")
    documentation = text("Where the documentation is")
    openapi = text("Where the description for programs is")
    tables = text("Where the tables are")
    verify = text("Where the page is that checks a hand")
