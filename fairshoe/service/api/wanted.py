"""What a chair can do next, a schema for each `do`; docs/service.md has them in words."""

from __future__ import annotations

from marshmallow import Schema

from .shapes import ABOUT, CHIP_WISHES, MOVES, OneOf, flag, numbers, part, several, text, whole, word

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


class SeedWanted(Schema):
    """Open the seed that was hashed for this shoe, or hand in one that is owed."""

    do = word("The route", ["seed"])
    shoe = text("Of which shoe")
    owed = flag("It is owed from an earlier shoe", required=False)
    cut = numbers(CUT, required=False, minItems=2, maxItems=2)


class HashWanted(Schema):
    """Promise a seed."""

    do = word("The route", ["hash"])
    shoe = text("For which shoe")
    cut = numbers(CUT, required=False, minItems=2, maxItems=2)


class ShoeWanted(Schema):
    """A new shoe may be asked for."""

    do = word("The route", ["shoe"])


class WaiverWanted(Schema):
    """No seed of yours is in the shoe, since you came after its commitment: a bet needs this first."""

    do = word("The route", ["waiver"])
    may = flag(MAY)


class BetsWanted(Schema):
    """Bet, or pass; with `may` you have, and may change it."""

    do = word("The route", ["bets"])
    round = whole("The round to bet on")
    low = whole("The lowest bet")
    high = whole("The highest bet")
    unit = whole("A bet is a multiple of it")
    may = flag(MAY, required=False)


class ReshuffleWanted(Schema):
    """This shoe may be thrown away and another one committed."""

    do = word("The route", ["reshuffle"])
    may = flag(MAY)


class DecisionWanted(Schema):
    """Choose one of `moves`; `default` is what the table does at the time limit."""

    do = word("The route", ["decisions"])
    about = word("What it is about", ABOUT)
    round = whole("The round's number; about the bank, that of the last one")
    step = whole("How many decisions were made before")
    moves = several("The legal moves", part(MoveForm))
    default = part(Choice, "What the table does at the time limit")


class ChipsWanted(Schema):
    """What the ceremony allows now."""

    do = word("The route", ["chips"])
    ops = several("What may be done; `leave` is a cash-out with `leave`", word("", CHIP_WISHES))
    may = flag(MAY)


class HereWanted(Schema):
    """You let two limits in a row pass, and nobody waits for you any more: say that you are back."""

    do = word("The route", ["here"])
    may = flag(MAY)


FORMS: dict[str, type[Schema]] = {
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


def wanted() -> OneOf:
    return OneOf("do", FORMS)
