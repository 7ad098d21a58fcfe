"""What a chair can do next, a schema for each `do`; docs/service.md has them in words."""

from __future__ import annotations

from marshmallow import Schema

from .shapes import ABOUT, CHIP_WISHES, MOVES, Field, OneOf, flag, numbers, part, several, text, whole, word

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
