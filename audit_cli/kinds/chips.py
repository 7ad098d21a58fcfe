"""`chips`: buy-in, cash-out, transfer, refund, share; who sits where follows from them."""

from __future__ import annotations

from fairshoe.ceremony.chairs import gifts_against, held, keeps_cover, may_refund
from fairshoe.ceremony.fold import GAMES_KEPT, payments, take
from fairshoe.engine.table import Table, changed_accounts, move_chips
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.entries import chips_entry
from fairshoe.record.forms import is_display_name

from ..findings.finding import Code
from ..walk.audit import Audit, EntryKind
from ..walk.differ import Difference
from ..walk.shapes import identifier, integer, map_of, number, one_of, shape, true
from ..walk.state import TableState, logged_chips, logged_seat

SHAPE = shape(
    {"to": number, "leaves": true, "name": is_display_name, "game": number, "why": one_of("round", "unfinished")}
    | {"by": one_of("house")},
    table=identifier,
    op=one_of("buy-in", "cash-out", "transfer", "refund", "share"),
    seat=number,
    player=identifier,
    amount=integer,
    chips=map_of(integer),
)
CODES = (
    Code(
        "chips-not-allowed",
        "chips",
        "chips moved, or a chair was left, when that may not be",
        "From an `open` to its `round` nothing moves but what chairs without a bet cash out; a banker keeps its chips "
        "from the opening of a shoe to its reveal, and whoever owes a seed keeps the chair. "
        "The house has a chair left, or refunds, only where no shoe is between its `seeds` and its end.",
    ),
    Code(
        "seat-differs",
        "chips",
        "chips were moved for somebody who does not sit there",
        "Chair and player of a `chips` entry must agree with who took the chair.",
    ),
    Code(
        "refund-not-owed",
        "chips",
        "a buy-in was refunded twice, or that nobody paid",
        "A refund names game, chair and player of a buy-in in the log, into one of the last games, and each is "
        "refunded once (LO-07).",
    ),
)
ONLY_WITH = {"name": "buy-in", "game": "refund", "why": "refund", "by": "cash-out"}
OPTIONAL = ("name", "by")


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    state = audit.table(entry["table"])
    if state is None:
        return
    audit.report.checked("chips")
    book, before, place = state.book, state.book.table, state.place
    audit.count(state, None, entry)
    op, seat, player, amount = entry["op"], entry["seat"], entry["player"], entry["amount"]
    to, leaves, game = entry.get("to"), entry.get("leaves", False), entry.get("game", 0)
    for field, wanted in ONLY_WITH.items():
        if (field in entry) != (op == wanted) and (field not in OPTIONAL or op != wanted):
            audit.find("field-invalid", place, field=field, expected=f"only with a {wanted}", found=entry.get(field))
    reason = held(book, op, seat, to=to, leaves=leaves, by=entry.get("by"))
    if reason:
        audit.find("chips-not-allowed", place, field="op", expected=f"no {op}: {reason}", found=op)
    try:
        after = move_chips(
            before, op, seat, player, amount, to=to, leaves=leaves, game=game, gifts=_gifts(audit, state, entry)
        )
    except RuleError as error:
        legal = False
        code = "seat-differs" if error.where in ("seat", "player", "to") else "chips-differ"
        audit.refused(code, error, place)
        after = logged_chips(logged_seat(before, entry), entry["chips"])
    else:
        legal = True
        expected = chips_entry(
            entry["at"],
            state.id,
            op,
            seat,
            player,
            amount,
            changed_accounts(before, after, seat),
            to=to,
            leaves=leaves,
            name=entry.get("name"),
            game=entry.get("game"),
            why=entry.get("why"),
            by=entry.get("by"),
        )
        if not audit.compare(expected, entry, line, _code, place):
            after = logged_chips(after, entry["chips"])
    if not reason and not keeps_cover(book, after):
        expected_cover = "a banker that covers the lowest bet while its shoe is in play"
        audit.find("chips-not-allowed", place, field="amount", expected=expected_cover, found=amount)
    _follow(state, entry, after, legal)


def _gifts(audit: Audit, state: TableState, entry: Entry) -> int:
    """The gifts that count against a refund; a refund or share of what nobody paid is reported."""
    game, seat, player = entry.get("game", 0), entry["seat"], entry["player"]
    if entry["op"] == "share":
        audit.check_share(state, entry["at"])
        present = state.book.table.memory.get("game", 0)
        paid_in = (paid.player for paid in reversed(state.book.buy_ins) if (paid.game, paid.seat) == (present, seat))
        payer = next(paid_in, None)
        if player != payer:
            audit.find("seat-differs", state.place, field="player", expected=payer, found=player)
    if entry["op"] != "refund":
        return 0
    paid = payments(state.book, game, player, seat)
    if not paid:
        wanted = f"a buy-in into one of the last {GAMES_KEPT} games that was not refunded yet"
        audit.find("refund-not-owed", state.place, field="game", expected=wanted, found=game)
        return 0
    if "why" in entry and not may_refund(state.book, game, entry["why"], entry["at"]):
        wanted = "a game that the log shows not played out"
        audit.find("refund-not-owed", state.place, field="why", expected=wanted, found=entry.get("why"))
    return gifts_against(paid[0], entry.get("why", ""))


def _follow(state: TableState, entry: Entry, after: Table, legal: bool) -> None:
    """What was not legal is no payment. A share is due with the entry by which the last one who played left, then with
    the share before."""
    book = state.book
    due = book.rules.share_due(book.table)
    take(book, book.shoe, entry if legal else entry | {"op": ""}, after)
    if book.rules.share_due(after) not in (None, due):
        state.sharing = entry["at"]


def _code(difference: Difference) -> str:
    return "chips-differ" if difference.path.startswith("chips") else "field-invalid"


KINDS = (EntryKind("chips", SHAPE, check),)
