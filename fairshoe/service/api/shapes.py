"""Fields of answers, one function a shape, required unless it is said that they are not; the words they may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from ...ceremony.acting.phase import PHASES
from ...engine.rules import RULES

Field = fields.Field[Any]
RULE_SETS = tuple(sorted(RULES))
PHASE_NAMES = tuple(PHASES)
MOVES = (
    "hit",
    "stand",
    "double",
    "split",
    "surrender",
    "insure",
    "decline",
    "continue",
    "stop",
    "reveal",
    "accept",
    "refuse",
    "give",
    "sell",
    "agree",
)
"""Every move of every rule set: which of them are legal now, `moves` says."""
CHIP_MOVES = ("buy-in", "cash-out", "transfer")
CHIP_WISHES = (*CHIP_MOVES, "leave")
REFUNDS = ("round", "unfinished")
FAULTS = ("caller", "player", "house", "machine")
ABOUT = ("round", "bank")
DECIDED_BY = ("table",)


def _said(description: str, **more: Any) -> dict[str, Any]:
    return ({"description": description} if description else {}) | more


def text(description: str, *, none: bool = False, required: bool = True) -> fields.String:
    return fields.String(required=required, allow_none=none, metadata=_said(description))


def word(description: str, words: Sequence[str], *, none: bool = False, required: bool = True) -> fields.String:
    """One of the words."""
    among = validate.OneOf(words)
    return fields.String(required=required, allow_none=none, validate=among, metadata=_said(description))


def digest(description: str) -> fields.String:
    return fields.String(required=True, metadata=_said(description, pattern="^[0-9a-f]{64}$"))


def moment(description: str, *, none: bool = False, required: bool = True) -> fields.String:
    """RFC 3339, UTC, to the microsecond."""
    return fields.String(required=required, allow_none=none, metadata=_said(description, format="date-time"))


def whole(description: str, *, none: bool = False, required: bool = True) -> fields.Integer:
    return fields.Integer(strict=True, required=required, allow_none=none, metadata=_said(description))


def flag(description: str, *, required: bool = True) -> fields.Boolean:
    return fields.Boolean(required=required, metadata=_said(description))


def mapping(description: str, values: Field, *, none: bool = False, required: bool = True) -> fields.Dict:
    said = _said(description)
    return fields.Dict(keys=fields.String(), values=values, required=required, allow_none=none, metadata=said)


def several(description: str, of: Field | type[Field], *, required: bool = True, **most: int) -> fields.Field[Any]:
    """A list. `most` has `minItems` and `maxItems` where they are known."""
    return fields.List(of, required=required, metadata=_said(description, **most))


def names(description: str, *, required: bool = True) -> Field:
    return several(description, fields.String(), required=required)


def numbers(description: str, *, required: bool = True, **most: int) -> Field:
    return several(description, fields.Integer(strict=True), required=required, **most)


def part(schema: type[Schema], description: str = "", *, required: bool = True, none: bool = False) -> fields.Nested:
    return fields.Nested(schema, required=required, allow_none=none, metadata=_said(description))


class Option(fields.Field[Any]):
    """The value of an option: a number, a word, true or false."""

    def __init__(self) -> None:
        super().__init__(metadata={"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "string"}]})


class OneOf(fields.Field[Any]):
    """One of several schemas, told apart by the word in the field `by`."""

    def __init__(self, by: str, schemas: Mapping[str, type[Schema]], description: str = "") -> None:
        super().__init__(required=True, metadata=_said(description))
        self.by = by
        self.schemas = schemas

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        schema = self.schemas.get(str(value.get(self.by))) if isinstance(value, dict) else None
        if schema is None:
            raise ValidationError(f"expected `{self.by}`: {', '.join(self.schemas)}")
        return schema().load(value)


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
    "seed": _form(
        "SeedWanted",
        "seed",
        shoe=text("Of which shoe"),
        owed=flag("It is owed from an earlier shoe", required=False),
        cut=numbers(CUT, required=False, minItems=2, maxItems=2),
    ),
    "hash": _form(
        "HashWanted",
        "hash",
        shoe=text("For which shoe"),
        cut=numbers(CUT, required=False, minItems=2, maxItems=2),
    ),
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


def wanted() -> OneOf:
    return OneOf("do", FORMS)
