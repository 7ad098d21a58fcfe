"""What the API takes: fields that never take a string for a number or more than fits, and a schema a route."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from ...ceremony.policy import bounds
from ...record.forms import is_display_name
from .shapes import CHIP_MOVES, MOVES, REFUNDS, RULE_SETS, Option

MOST = 10**12
"""The most chips that one request may move."""

_TABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
TABLE_PATTERN = f"^{_TABLE.pattern}$"
_PLAYER = re.compile(r"[A-Za-z0-9._:/-]{1,64}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_SHOE = re.compile(r"[A-Za-z0-9_.:/-]{1,64}", re.ASCII)
_SEED = re.compile(r"(?:[0-9a-f]{2}){1,128}", re.ASCII)
_INVITATION = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)
_WORD = re.compile(r"[a-z][a-z_-]{0,31}", re.ASCII)


class Whole(fields.Integer):
    """An integer from `low` to `high`, written as one."""

    def __init__(self, text: str, low: int = 0, high: int = MOST, *, required: bool = True, **more: Any) -> None:
        metadata = {"description": text, "minimum": low, "maximum": high}
        super().__init__(strict=True, required=required, metadata=metadata, **more)
        self._low, self._high = low, high

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int or not self._low <= value <= self._high:
            raise ValidationError(f"expected an integer from {self._low} to {self._high}")
        return value


class Number(Whole):
    """The same in a query, where everything is text; it may be left out."""

    def __init__(self, text: str, low: int, high: int) -> None:
        super().__init__(text, low, high, required=False)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        digits = isinstance(value, str) and _NUMBER.fullmatch(value)
        return super()._deserialize(int(value) if digits else value, attr, data, **kwargs)


class Matching(fields.String):
    """Text that matches a pattern, `expected` says how in words; the description may have `words` that are known."""

    def __init__(
        self, text: str, pattern: re.Pattern[str], expected: str, *, required: bool = True, words: Sequence[str] = ()
    ) -> None:
        metadata: dict[str, Any] = {"description": f"{text}: {expected}", "pattern": f"^{pattern.pattern}$"}
        if words:
            metadata = {"description": text, "enum": list(words)}
        super().__init__(required=required, metadata=metadata)
        self._pattern, self._expected = pattern, expected

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str) or not self._pattern.fullmatch(value):
            raise ValidationError(f"expected {self._expected}")
        return value


class Flag(fields.Boolean):
    """true or false, and nothing that only looks like them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("expected true or false")
        return value


def table_id(text: str) -> Matching:
    expected = "1 to 32 characters of A-Z a-z 0-9 . _ -, the first a letter or digit"
    return Matching(text, _TABLE, expected, required=False)


def player_name(text: str) -> Matching:
    return Matching(text, _PLAYER, "1 to 64 characters of A-Z a-z 0-9 . _ : / -")


class DisplayName(fields.String):
    """1 to 64 characters of any script, without control characters."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str) or not is_display_name(value):
            raise ValidationError("expected 1 to 64 characters of any script, none of them a control character")
        return value


def seat(text: str, *, required: bool = True) -> Whole:
    return Whole(text, 1, 64, required=required)


CUT = "Where to cut, in the range that `expects` shows; only the cutter"


class Taken(Schema):
    """Nothing else is taken."""

    class Meta:
        unknown = RAISE


class Nothing(Taken):
    """No field at all; the body may be left out."""


class PolicyFields(Taken):
    """Time limits in seconds; what is left out has its default."""

    hash = Whole("to send the hash of a seed", *bounds("hash"), required=False)
    seed = Whole("to open a seed, for each contributor", *bounds("seed"), required=False)
    cut = Whole("to cut", *bounds("cut"), required=False)
    bet = Whole("to bet", *bounds("bet"), required=False)
    decision = Whole("for each decision", *bounds("decision"), required=False)
    shoe = Whole("a shoe's life", *bounds("shoe"), required=False)


class NewTable(Taken):
    table = table_id("The table's id; left out, one is made")
    rules = fields.String(required=True, metadata={"description": "The rule set's name", "enum": list(RULE_SETS)})
    options = fields.Dict(
        keys=fields.String(),
        values=Option(),
        metadata={"description": "Options of the rule set; what is left out has its default"},
    )
    policy = fields.Nested(PolicyFields)
    invitation = Flag(metadata={"description": "Whether a chair needs an invitation of the operator's"})


class NewInvitation(Taken):
    seconds = Whole("How long it is good; left out, until it is used", 1, 30 * 86_400, required=False)


def token_digest() -> Matching:
    told = "SHA-256 of your token's text: make a fresh one of 32 random bytes for every chair, and keep it"
    return Matching(told, _HASH, "64 lower-case hex digits")


class NewSeat(Taken):
    player = player_name("Your name in the log")
    amount = Whole("The buy-in, in the smallest unit", 1)
    token_sha256 = token_digest()
    seat = seat("A chair; left out, the lowest that is free", required=False)
    name = DisplayName(metadata={"description": "Your name as people write it", "maxLength": 64})
    invitation = Matching(
        "The invitation that you were given, at a table that needs one",
        _INVITATION,
        "as the operator was given it",
        required=False,
    )


class SeatToken(Taken):
    token_sha256 = token_digest()


class ChipsMove(Taken):
    op = fields.String(required=True, validate=validate.OneOf(CHIP_MOVES))
    amount = Whole("How many, in the smallest unit", -MOST * 100, MOST * 100, required=False)
    to = seat("transfer: the chair that gets them", required=False)
    leave = Flag(metadata={"description": "cash-out: take everything and give up the chair"})

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


def meant_shoe() -> Matching:
    told = "The shoe that you mean; left out, whichever is in play"
    return Matching(told, _SHOE, "its id, as in `expects`", required=False)


class OfShoe(Taken):
    shoe = meant_shoe()


class Hash(Taken):
    shoe = meant_shoe()
    hash = Matching("SHA-256 of your seed's bytes", _HASH, "64 lower-case hex digits")
    cut = Whole(CUT, 0, 65_535, required=False)


class Seed(Taken):
    seed = Matching("Your seed's bytes", _SEED, "1 to 128 bytes as lower-case hex")
    cut = Whole(CUT + ", who is the sole contributor", 0, 65_535, required=False)


class BetFields(Taken):
    amount = Whole("The wager, in the smallest unit", 1)
    box = seat("The betting place; left out, the one of your own chair", required=False)


class Bets(Taken):
    round = Whole("The number of the round that you bet on", 1)
    bets = fields.List(
        fields.Nested(BetFields),
        required=True,
        validate=validate.Length(max=64),
        metadata={"description": "Your bets; none is a pass"},
    )


class Decision(Taken):
    round = Whole("The round's number; about the bank, that of the last one")
    step = Whole("How many decisions were made before this one")
    move = Matching("The move", _WORD, "a lower-case word", words=MOVES)
    amount = Whole("With a move that has a `high`", required=False)
    chosen = fields.List(
        seat("A chair"), validate=validate.Length(max=64), metadata={"description": "Chairs, ascending"}
    )


class EvictPlayer(Taken):
    seat = seat("The chair to be left")


class RefundPlayer(Taken):
    player = player_name("Whose buy-in is given back")
    game = Whole("Of which game of this table, from 1", 1)
    why = fields.String(
        required=True,
        validate=validate.OneOf(REFUNDS),
        metadata={"description": "`round`: the auditor faults one; `unfinished`: the game is not played out"},
    )


class TablesQuery(Taken):
    """Which tables."""

    limit = Number("At most so many; left out, 100", 1, 1000)
    after = table_id("Those whose ids come after this one")


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


_TOKEN = "474108ac7ce901b12adc8d0e15b5528b40699df09fae9c984b7dbae601a02dae"
EXAMPLES: dict[type[Taken], dict[str, Any]] = {
    NewTable: {"table": "t1", "rules": "casino", "options": {"packs": 8}, "policy": {"bet": 90, "decision": 45}},
    NewInvitation: {"seconds": 3600},
    SeatToken: {"token_sha256": _TOKEN},
    NewSeat: {"player": "alice", "amount": 1000, "token_sha256": _TOKEN, "name": "Алиса Л."},
    ChipsMove: {"op": "cash-out", "leave": True},
    OfShoe: {"shoe": "t1/3"},
    Hash: {
        "hash": "474108ac7ce901b12adc8d0e15b5528b40699df09fae9c984b7dbae601a02dae",
        "cut": 100,
        "shoe": "t1/3",
    },
    Seed: {"seed": "8d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b364"},
    Bets: {"round": 2, "bets": [{"amount": 10}]},
    Decision: {"round": 2, "step": 0, "move": "stand"},
    EvictPlayer: {"seat": 1},
    RefundPlayer: {"player": "alice", "game": 1, "why": "round"},
}
"""Of bodies, for the API's description."""
