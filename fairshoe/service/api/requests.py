"""What the API takes, a schema a route."""

from __future__ import annotations

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from ...ceremony.policy import Policy, bounds
from . import fields as f
from .shapes import Option
from .words import CHIP_MOVES, MOVES, REFUNDS, RULE_SETS

CUT = "Where to cut, in the range that `expects` shows; only the cutter"


class Taken(Schema):
    """Nothing else is taken."""

    class Meta:
        unknown = RAISE


class Nothing(Taken):
    """No field at all; the body may be left out."""


class PolicyFields(Taken):
    """Time limits in seconds; what is left out has its default."""

    hash = f.Whole("to send the hash of a seed", *bounds("hash"), required=False)
    seed = f.Whole("to open a seed, for each contributor", *bounds("seed"), required=False)
    cut = f.Whole("to cut", *bounds("cut"), required=False)
    bet = f.Whole("to bet", *bounds("bet"), required=False)
    decision = f.Whole("for each decision", *bounds("decision"), required=False)
    shoe = f.Whole("a shoe's life", *bounds("shoe"), required=False)


class NewTable(Taken):
    table = f.table_id("The table's id; left out, one is made")
    rules = fields.String(required=True, metadata={"description": "The rule set's name", "enum": list(RULE_SETS)})
    options = fields.Dict(
        keys=fields.String(),
        values=Option(),
        metadata={"description": "Options of the rule set; what is left out has its default"},
    )
    policy = fields.Nested(PolicyFields)
    invitation = f.Flag(metadata={"description": "Whether a chair needs an invitation of the operator's"})


class NewInvitation(Taken):
    seconds = f.Whole("How long it is good; left out, until it is used", 1, 30 * 86_400, required=False)


class NewSeat(Taken):
    player = f.player_name("Your name in the log")
    amount = f.Whole("The buy-in, in the smallest unit", 1)
    token_sha256 = f.token_digest()
    seat = f.seat("A chair; left out, the lowest that is free", required=False)
    name = f.display_name("Your name as people write it")
    invitation = f.invitation("The invitation that you were given, at a table that needs one")


class SeatToken(Taken):
    token_sha256 = f.token_digest()


class ChipsMove(Taken):
    op = fields.String(required=True, validate=validate.OneOf(CHIP_MOVES))
    amount = f.Whole("How many, in the smallest unit", -f.MOST * 100, f.MOST * 100, required=False)
    to = f.seat("transfer: the chair that gets them", required=False)
    leave = f.Flag(metadata={"description": "cash-out: take everything and give up the chair"})

    @validates_schema
    def belong(self, data: dict[str, object], **_: object) -> None:
        """Each field with its operation, and no other."""
        op = data.get("op")
        if ("to" in data) != (op == "transfer"):
            raise ValidationError("goes with a transfer, and only with one", "to")
        if "leave" in data and op != "cash-out":
            raise ValidationError("goes with a cash-out", "leave")
        if "amount" not in data and not data.get("leave"):
            raise ValidationError("Missing data for required field.", "amount")


class Hash(Taken):
    hash = f.digest("SHA-256 of your seed's bytes")
    cut = f.Whole(CUT, 0, 65_535, required=False)


class Seed(Taken):
    seed = f.seed("Your seed's bytes")
    cut = f.Whole(CUT + ", who is the sole contributor", 0, 65_535, required=False)


class BetFields(Taken):
    amount = f.Whole("The wager, in the smallest unit", 1)
    box = f.seat("The betting place; left out, the one of your own chair", required=False)


class Bets(Taken):
    round = f.Whole("The number of the round that you bet on", 1)
    bets = fields.List(
        fields.Nested(BetFields),
        required=True,
        validate=validate.Length(max=64),
        metadata={"description": "Your bets; none is a pass"},
    )


class Decision(Taken):
    round = f.Whole("The round's number; about the bank, that of the last one")
    step = f.Whole("How many decisions were made before this one")
    move = f.word("The move", MOVES)
    amount = f.Whole("With a move that has a `high`", required=False)
    chosen = fields.List(
        f.seat("A chair"), validate=validate.Length(max=64), metadata={"description": "Chairs, ascending"}
    )


class EvictPlayer(Taken):
    seat = f.seat("The chair to be left")


class RefundPlayer(Taken):
    player = f.player_name("Whose buy-in is given back")
    game = f.Whole("Of which game of this table, from 1", 1)
    why = fields.String(
        required=True,
        validate=validate.OneOf(REFUNDS),
        metadata={"description": "`round`: the auditor faults one; `unfinished`: the game is not played out"},
    )


class TablesQuery(Taken):
    """Which tables."""

    limit = f.Number("At most so many; left out, 100", 1, 1000)
    after = f.table_id("Those whose ids come after this one")


def _entry_number(key: str, text: str) -> fields.String:
    return fields.String(
        data_key=key,
        validate=validate.Regexp(r"(?:0|[1-9][0-9]{0,15})\Z", error="expected the number of an entry"),
        metadata={"description": text, "pattern": "^(0|[1-9][0-9]{0,15})$"},
    )


class LogQuery(Taken):
    """Which entries, counted from 0."""

    from_ = _entry_number("from", "The first entry wanted, counted from 0")
    to = _entry_number("to", "The first entry not wanted any more; left out, all that there are")


class CheckpointQuery(Taken):
    """Which checkpoint; without anything the newest."""

    witnesses = fields.String(
        validate=validate.Regexp(r"[1-9][0-9]{0,2}\Z", error="expected a number of witnesses"),
        metadata={
            "description": "The newest checkpoint that at least so many witnesses cosigned",
            "pattern": "^[1-9][0-9]{0,2}$",
        },
    )


def check_policy_fields() -> bool:
    """The schema and the machine know the same time limits."""
    return set(PolicyFields().fields) == set(Policy._fields)
