"""Requests of the API: a schema a route; an unknown field is refused."""

from __future__ import annotations

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validates_schema

from ...ceremony.drawing import MAX_POSITIONS
from ...ceremony.policy import BEACON_DELAY, LAPSES, Policy, bounds
from ...engine.table import MAX_BET, MAX_CHIPS
from ...errors import InputError
from ...protocol.deck import deck_of
from ...protocol.text import MAX_DECIMAL
from ...protocol.transcript import MAX_SEED, MIN_SEED
from ...record.forms import is_display_name
from .fields import (
    CHIP_MOVES,
    HEX64,
    MOVES,
    REFUNDS,
    RULE_SETS,
    TABLE,
    Option,
    TextPattern,
    digest_field,
    flag_field,
    integer_field,
    list_field,
    map_field,
    part_field,
    seat_field,
    text_field,
    word_field,
)

MAX_MOVE = 2 * MAX_CHIPS
"""The most chips that a buy-in, cash-out or transfer may move: from the lowest an account may have to the highest."""
LAST_PLACE = 65_535
PLAYER = TextPattern("[A-Za-z0-9._:/-]{1,64}", "1 to 64 characters of A-Z a-z 0-9 . _ : / -")
SHOE = TextPattern("[A-Za-z0-9_.:/-]{1,64}", "its id, as in `expects`")
SEED = TextPattern(f"(?:[0-9a-f]{{2}}){{{MIN_SEED},{MAX_SEED}}}", f"{MIN_SEED} to {MAX_SEED} bytes as lower-case hex")
ENTRY = TextPattern("(?:0|[1-9][0-9]{0,15})", "the number of an entry, from 0")
WITNESS_COUNT = TextPattern("[1-9][0-9]{0,2}", "a number of witnesses")
KEY = TextPattern("[^ \n]{1,512}", "a verifier key, name+id+base64")
NOTE = TextPattern("[^\r]{1,8192}", "a signed note")
WAIT = TextPattern("(?:[1-9]|[1-5][0-9]|60)", "1 to 60")
PLACE = TextPattern("0|[1-9][0-9]{0,4}", "0 to 99999")
PAGE = TextPattern("(?:[1-9][0-9]{0,2}|1000)", "1 to 1000")
CUT = "Where to cut, in the range that `expects` shows; only the cutter"
TOKEN = "SHA-256 of your token's text: make a fresh one of 32 random bytes for every chair, and keep it"
SHOE_MEANT = "The shoe that you mean; left out, whichever is in play"


SHOE_NAME = TextPattern(
    "[A-Za-z0-9][A-Za-z0-9._-]{0,25}", "1 to 26 characters of A-Z a-z 0-9 . _ -, the first a letter or digit"
)
PACKS = TextPattern("french:[1-8]", "french:1 to french:8")


def _label(value: str) -> None:
    try:
        deck_of([value])
    except InputError as error:
        raise ValidationError(f"expected {error.expected}") from None


def _display_name(value: str) -> None:
    if not is_display_name(value):
        raise ValidationError("expected 1 to 64 characters of any script, none of them a control character")


class RequestSchema(Schema):
    """Nothing else is taken."""

    class Meta:
        unknown = RAISE


class Nothing(RequestSchema):
    """No field at all; the body may be left out."""


POLICY = {
    "hash": "to send the hash of a seed",
    "seed": "to open a seed, for each contributor",
    "cut": "to cut",
    "bet": "to bet",
    "decision": "for each decision",
    "shoe": "a shoe's life",
}
PolicyFields = RequestSchema.from_dict(
    {name: integer_field(POLICY[name], *bounds(name), required=False) for name in Policy._fields}, name="PolicyFields"
)


class DelayFields(RequestSchema):
    delay = integer_field("Seconds from a commitment to its round; longer if the players' limits are", *BEACON_DELAY)


class BeaconFields(RequestSchema):
    """The round of drand's quicknet that goes into the order."""

    round = integer_field("Its number", 1, MAX_DECIMAL, required=False)
    delay = integer_field(
        "Or the seconds until it; longer if the players' limits are",
        *BEACON_DELAY,
        required=False,
    )

    @validates_schema
    def one_of_them(self, data: dict[str, object], **_: object) -> None:
        if len(data) != 1:
            raise ValidationError("either this or `delay`", "round")


class NewTable(RequestSchema):
    table = text_field("The table's id; left out, one is made", TABLE, required=False)
    rules = word_field("The rule set's name", RULE_SETS)
    options = map_field("Options of the rule set; what is left out has its default", Option(), required=False)
    policy = part_field(PolicyFields, "Time limits in seconds; what is left out has its default", required=False)
    placer = text_field("Verifier key of a placer that the service knows, or `player`", KEY, required=False)
    lapses = integer_field("Lapsed limits in a row that put a player out; left out: none do", *LAPSES, required=False)
    beacon = part_field(DelayFields, "Public beacons that go into the orders of its shoes", required=False)

    @validates_schema
    def one_dealer(self, data: dict[str, object], **_: object) -> None:
        if "beacon" in data and data.get("placer"):
            raise ValidationError("a table has beacons or a placer, with whom nobody knows the order", "beacon")


class NewSeat(RequestSchema):
    player = text_field("Your name in the log", PLAYER)
    amount = integer_field("The buy-in, in the smallest unit", 1, MAX_MOVE)
    token_sha256 = digest_field(TOKEN)
    seat = seat_field("A chair; left out, the lowest that is free", required=False)
    name = text_field("Your name as people write it", _display_name, required=False)
    placer = text_field(
        "Where the player places: your client's verifier key, by the name `player`", KEY, required=False
    )


class SeatToken(RequestSchema):
    token_sha256 = digest_field(TOKEN)


class ChipsMove(RequestSchema):
    op = word_field("What is done", CHIP_MOVES)
    amount = integer_field("How many, in the smallest unit", -MAX_MOVE, MAX_MOVE, required=False)
    to = seat_field("transfer: the chair that gets them", required=False)
    leave = flag_field("cash-out: take everything and give up the chair", required=False)

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


class OfShoe(RequestSchema):
    shoe = text_field(SHOE_MEANT, SHOE, required=False)


class HashRequest(RequestSchema):
    shoe = text_field(SHOE_MEANT, SHOE, required=False)
    hash = text_field("SHA-256 of your seed's bytes", HEX64)
    cut = integer_field(CUT, 0, LAST_PLACE, required=False)


class SeedRequest(RequestSchema):
    seed = text_field("Your seed's bytes", SEED)
    cut = integer_field(f"{CUT}, who is the sole contributor", 0, LAST_PLACE, required=False)


class CommitmentRequest(RequestSchema):
    shoe = text_field("For which shoe", SHOE)
    commitment = digest_field("SHA-256 of your client's key for it")


class PlacesRequest(RequestSchema):
    question = text_field("The signed question as it is `awaited`, or is the placer's `question`", NOTE)
    given = list_field(
        "The place of each card asked for; none for the key", integer_field("A place", 0, LAST_PLACE), most=64
    )
    note = text_field("The signed note after these steps", NOTE)


class PlayerFields(RequestSchema):
    player = text_field("The player's name in the log", PLAYER)
    token_sha256 = digest_field("SHA-256 of a token that the player has made; left out, one is made", required=False)


class NewShoeRequest(RequestSchema):
    shoe = text_field("The shoe's id; left out, one is made", SHOE_NAME, required=False)
    deck = text_field("N packs", PACKS, required=False)
    labels = list_field("A deck of your own instead", text_field("A card", _label), most=65_536, required=False)
    roster = list_field("Who may contribute, in order", fields.Nested(PlayerFields), most=64)
    draws = map_field("Named draws with their exclusive upper bounds", integer_field("", 1, 1 << 32), required=False)
    cutter = text_field("Who cuts; left out, anybody of the roster may, if `draws` has `cut`", PLAYER, required=False)
    policy = part_field(PolicyFields, "Time limits in seconds; `bet` and `decision` decide nothing", required=False)
    rules_hash = digest_field("SHA-256 of the game's rules, which you have published", required=False)
    placer = text_field("Verifier key of a placer that the service knows", KEY, required=False)
    beacon = part_field(BeaconFields, "The round of a public beacon that goes into the order", required=False)

    @validates_schema
    def one_deck(self, data: dict[str, object], **_: object) -> None:
        if ("deck" in data) == ("labels" in data):
            raise ValidationError("either this or `labels`", "deck")

    @validates_schema
    def one_dealer(self, data: dict[str, object], **_: object) -> None:
        if "beacon" in data and data.get("placer"):
            raise ValidationError("a shoe has a beacon or a placer, with whom nobody knows the order", "beacon")


class ShoeHashRequest(RequestSchema):
    hash = text_field("SHA-256 of your seed's bytes", HEX64)
    cut = integer_field("Where to cut: who is named as `cutter`, or anybody", 0, LAST_PLACE, required=False)


class ShoeSeedRequest(RequestSchema):
    seed = text_field("Your seed's bytes", SEED)


class DrawRequest(RequestSchema):
    pos = integer_field("The position of the first card: how many were drawn before", 0, MAX_POSITIONS)
    count = integer_field("How many cards; left out, none", 0, LAST_PLACE + 1, required=False)
    to = text_field("The player who alone sees them", PLAYER, required=False)
    hidden = flag_field("Nobody sees them yet", required=False)
    draws = list_field("Names of named draws to be told", text_field("A name", PLAYER), most=64, required=False)


class ShowRequest(RequestSchema):
    pos = list_field("The positions of the cards", integer_field("A position", 0, MAX_POSITIONS), least=1, most=256)


class GatherRequest(RequestSchema):
    pos = integer_field("How many cards were drawn: the position of the next", 0, MAX_POSITIONS)
    out = list_field(
        "Positions of drawn cards that stay out, such as those of hands; left out, all cards are gathered",
        integer_field("A position", 0, MAX_POSITIONS),
        most=4_096,
        required=False,
    )


class BetFields(RequestSchema):
    amount = integer_field("The wager, in the smallest unit", 1, MAX_BET)
    box = seat_field("The betting place; left out, the one of your own chair", required=False)


class BetsRequest(RequestSchema):
    round = integer_field("The number of the round that you bet on", 1, MAX_DECIMAL)
    bets = list_field("Your bets; none is a pass", fields.Nested(BetFields), most=64)


class DecisionRequest(RequestSchema):
    round = integer_field("The round's number; about the bank, that of the last one", 0, MAX_DECIMAL)
    step = integer_field("How many decisions were made before this one", 0, MAX_DECIMAL)
    move = word_field("The move", MOVES)
    amount = integer_field("With a move that has a `high`", 0, MAX_CHIPS, required=False)
    chosen = list_field("Chairs, ascending", seat_field("A chair"), most=64, required=False)


class EvictPlayer(RequestSchema):
    seat = seat_field("The chair to be left")


class RefundPlayer(RequestSchema):
    player = text_field("Whose buy-in is given back", PLAYER)
    game = integer_field("Of which game of this table, from 1", 1, MAX_DECIMAL)
    why = word_field("`round`: the auditor faults one; `unfinished`: the game is not played out", REFUNDS)


class TablesQuery(RequestSchema):
    """Which tables."""

    limit = text_field("At most so many; left out, 100", PAGE, required=False)
    after = text_field("Those whose ids come after this one", TABLE, required=False)


class OpeningsQuery(RequestSchema):
    """Which openings."""

    from_ = text_field("From this card of the shoe on; left out, 0: the first", PLACE, required=False, key="from")


class DrawProofQuery(RequestSchema):
    """Of which card."""

    pos = text_field("The card at this position; left out, the shoe alone", PLACE, required=False)


class TableQuery(RequestSchema):
    """Whether to wait."""

    wait = text_field("With `If-None-Match`: so many seconds until it is 304", WAIT, required=False)


class HandsQuery(RequestSchema):
    """Hands of a player, from a round on."""

    player = text_field("Whose", PLAYER)
    after = text_field("Of the rounds after this one; left out, from the first on", ENTRY, required=False)


class LogQuery(RequestSchema):
    """Which entries, counted from 0."""

    from_ = text_field("The first entry wanted", ENTRY, required=False, key="from")
    to = text_field("The first entry not wanted any more; left out, all that there are", ENTRY, required=False)


class CheckpointQuery(RequestSchema):
    """Which checkpoint; without anything the newest."""

    witnesses = text_field(
        "The newest checkpoint that at least so many witnesses cosigned", WITNESS_COUNT, required=False
    )


_DIGEST = "474108ac7ce901b12adc8d0e15b5528b40699df09fae9c984b7dbae601a02dae"
EXAMPLES: dict[type[Schema], dict[str, Any]] = {
    NewTable: {"table": "t1", "rules": "casino", "options": {"packs": 8}, "policy": {"bet": 90, "decision": 45}},
    SeatToken: {"token_sha256": _DIGEST},
    NewSeat: {"player": "alice", "amount": 1000, "token_sha256": _DIGEST, "name": "Алиса Л."},
    ChipsMove: {"op": "cash-out", "leave": True},
    OfShoe: {"shoe": "t1/3"},
    HashRequest: {"hash": _DIGEST, "cut": 100, "shoe": "t1/3"},
    SeedRequest: {"seed": "8d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b364"},
    CommitmentRequest: {"shoe": "t1/3", "commitment": _DIGEST},
    PlacesRequest: {"question": "fairshoe question v1\n…", "given": [5, 49], "note": "fairshoe placing v1\n…"},
    BetsRequest: {"round": 2, "bets": [{"amount": 10}]},
    DecisionRequest: {"round": 2, "step": 0, "move": "stand"},
    EvictPlayer: {"seat": 1},
    NewShoeRequest: {
        "deck": "french:1",
        "roster": [{"player": "alice"}, {"player": "bob", "token_sha256": _DIGEST}],
        "draws": {"cut": 52, "die": 6},
        "rules_hash": _DIGEST,
    },
    ShoeHashRequest: {"hash": _DIGEST, "cut": 20},
    ShoeSeedRequest: {"seed": "8d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b3648d7f1c5e2a90b364"},
    DrawRequest: {"pos": 0, "count": 5, "to": "alice"},
    ShowRequest: {"pos": [0, 3]},
    GatherRequest: {"pos": 14, "out": [0, 1, 2]},
    RefundPlayer: {"player": "alice", "game": 1, "why": "round"},
}
"""Of bodies, for the API's description."""
