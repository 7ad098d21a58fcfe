"""What the API answers with, for its documentation; the tests hold the answers against these schemas."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields


def text(description: str, *, none: bool = False) -> fields.String:
    return fields.String(required=True, allow_none=none, metadata={"description": description})


def whole(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": description})


def flag(description: str) -> fields.Boolean:
    return fields.Boolean(required=True, metadata={"description": description})


def mapping(description: str, *, none: bool = False, required: bool = True) -> fields.Dict:
    return fields.Dict(keys=fields.String(), required=required, allow_none=none, metadata={"description": description})


def names(description: str) -> fields.Field[Any]:
    return fields.List(fields.String(), required=True, metadata={"description": description})


def numbers(description: str) -> fields.Field[Any]:
    return fields.List(fields.Integer(), required=True, metadata={"description": description})


def forms(description: str) -> fields.Field[Any]:
    return fields.List(fields.Dict(keys=fields.String()), required=True, metadata={"description": description})


def part(schema: type[Schema], description: str, *, required: bool = True) -> fields.Nested:
    options: dict[str, Any] = {"required": required, "allow_none": required}
    return fields.Nested(schema, **options, metadata={"description": description})


class Problem(Schema):
    """RFC 9457, application/problem+json."""

    type = text("Which kind of problem, as a link into /docs")
    title = text("The kind in words")
    status = whole("The HTTP status")
    detail = text("What is wrong here")
    fault = fields.String(metadata={"description": "Whose fault it is: caller, player, house, machine"})
    field = fields.String(metadata={"description": "The field concerned"})
    expected = fields.String(metadata={"description": "What would have been right"})
    remedy = fields.String(metadata={"description": "What to do"})
    errors = fields.List(fields.Dict(), metadata={"description": "Every wrong field, with `field` and `what`"})
    legal = fields.List(fields.Dict(), metadata={"description": "The legal moves"})
    step = fields.Integer(metadata={"description": "How many decisions were made by now"})
    round = fields.Integer(metadata={"description": "The round that may be bet on"})
    free = fields.List(fields.Integer(), metadata={"description": "Free chairs"})


class SeatFields(Schema):
    seat = whole("The chair")
    player = text("Who sits there")


class ShoeFields(Schema):
    shoe = text("Its id")
    commitment = text("SHA-256 of the key")
    deck = text("french:N, N packs")
    cards = whole("How many cards")
    draws = mapping("Named draws with their exclusive upper bounds")
    roster = names("Who may contribute, in order")
    cutter = text("Who cuts", none=True)
    purpose = text("`bank` for a shoe that finds the first banker", none=True)
    hashed = names("Who has sent a hash")
    hashes = mapping("The hashes, once they are in the log", none=True)
    opened = names("Whose seed is here")
    sealed = flag("Whether the order is fixed")
    opens = names("Who has still to open a seed, in order; the first is waited for")
    struck = names("Who has no part in it any more: left, or let the seed lapse")
    waived = numbers("Chairs that bet without a seed of their own")
    position = whole("Cards dealt before the open round")
    burned = names("Cards burned by the end of the last round, by label (PO-06)")
    reshuffled = whole("How often it was reshuffled in the middle of earlier rounds")


class OfferedBets(Schema):
    round = whole("The round that is bet on")
    in_ = fields.List(fields.Dict(), required=True, data_key="in", metadata={"description": "Bets so far, in order"})
    passed = numbers("Chairs that pass")


class RoundFields(Schema):
    round = whole("Its number")
    bets = forms("The bets, in acting order")
    view = mapping("The round as you may see it; a hidden card is null", required=False)
    reshuffled = fields.List(
        fields.Integer(), metadata={"description": "Cards dealt in this round before each reshuffle in it"}
    )
    burned = fields.List(fields.String(), metadata={"description": "Cards burned by those reshuffles, by label"})


class YouFields(Schema):
    seat = whole("Your chair")
    player = text("Your name")
    expects = forms("What you can do now, the most urgent first: `do` is the route, the rest its fields")
    receipt = fields.String(
        metadata={"description": "The house's receipt of your bets as they stood at the last `open`"}
    )


class TableState(Schema):
    """A table as the token's seat may see it; without a token, as everybody may."""

    table = text("Its id")
    rules = text("Its rule set")
    options = mapping("Every option of the rule set")
    policy = mapping("Time limits in seconds")
    phase = text("closed, idle, bank, hash, seed, bet or round")
    at = text("The service's time")
    log = whole("How many entries the log had then")
    closed = flag("Whether the operator has closed the table")
    chairs = whole("How many chairs there are")
    seats = fields.List(fields.Nested(SeatFields), required=True, metadata={"description": "Who sits where"})
    chips = mapping("Chips by account: a chair's number, `house`, `pool`; during a round as before it")
    bank = text("The account that banks")
    rounds = whole("Rounds opened so far")
    owed = mapping("Players who owe seeds, and of which shoes")
    deadlines = mapping("Running time limits, with the time at which the table acts by itself")
    shoe = part(ShoeFields, "The live shoe")
    bets = part(OfferedBets, "Bets for the next round, while they are taken")
    round = part(RoundFields, "The open round")
    last = mapping("The last round's entry in the log", none=True)
    you = fields.Nested(YouFields, metadata={"description": "Only with a seat's token"})
    receipt = fields.String(
        metadata={"description": "The house's receipt of what you sent: keep it (docs/receipts.md)"}
    )


class TakenSeat(Schema):
    seat = whole("Your chair")
    token = text("Your token: shown here once, and stored nowhere in clear")
    state = fields.Nested(TableState, required=True)


class TableLine(Schema):
    table = text("Its id")
    rules = text("Its rule set")
    phase = text("What it is doing")
    chairs = whole("How many chairs there are")
    seats = fields.List(fields.Nested(SeatFields), required=True)


class Tables(Schema):
    tables = fields.List(fields.Nested(TableLine), required=True)


class Index(Schema):
    service = text("fairshoe, with its version")
    log = text("The log's name")
    documentation = text("Where the documentation is")
    openapi = text("Where the description for programs is")
    tables = text("Where the tables are")
