"""`chips`: buy-in, cash-out, transfer, refund, share. `bank`: the bank moves, by rules and decisions."""

from __future__ import annotations

from fairshoe.ceremony import chairs
from fairshoe.ceremony.fold import apply_entry
from fairshoe.ceremony.stages import FIRST_BANK
from fairshoe.engine.cards import CardSource, LoggedCards
from fairshoe.engine.round import replay_bank
from fairshoe.engine.table import Table, changed_accounts, move_chips
from fairshoe.errors import IllegalDecision, RuleError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.record.entries import bank_entry, bank_move_entry, chips_entry
from fairshoe.record.forms import decisions_of, is_display_name, placement_of

from ..findings.finding import codes_of
from ..walk.audit import Audit, EntryKind, handler_of
from ..walk.comparison import FieldDifference
from ..walk.labels import check_known
from ..walk.shapes import decision, identifier, integer, list_of, map_of, number, one_of, shape, text, true
from ..walk.state import AuditedTable, DealtRound, logged_bank, logged_chips, logged_seat
from .placement import PLACED, PlacedCards, judge, rebuild_steps, verifier

CHIPS = shape(
    {"to": number, "leaves": true, "name": is_display_name, "game": number, "why": one_of("round", "unfinished")}
    | {"by": one_of("house"), "lapsed": true, "placer": verifier},
    table=identifier,
    op=one_of("buy-in", "cash-out", "transfer", "refund", "share"),
    seat=number,
    player=identifier,
    amount=integer,
    chips=map_of(integer),
)
CODES = codes_of("""
chips-not-allowed: chips
  chips moved, or a chair was left, when that may not be
  From an `open` to its `round` nothing moves but what chairs without a bet cash out; a banker keeps its chips from
  the opening of a shoe to its reveal, and whoever owes a seed keeps the chair. The house has a chair left, or
  refunds, only where no shoe is between its `seeds` and its end. It puts out for lapsed limits (`lapsed`) only whoever
  let as many pass in a row as the table's `lapses` says.
seat-differs: chips
  chips were moved for somebody who does not sit there
  Chair and player of a `chips` entry must agree with who took the chair.
refund-not-owed: chips
  a buy-in was refunded twice, or that nobody paid
  A refund names game, chair and player of a buy-in in the log, into one of the last games, and each is refunded
  once (LO-07).
bank-differs: policy
  the bank moved as the rules do not allow
  Who banks follows from the rules and the seats' decisions.
""")
OP_OF_FIELD = {"name": "buy-in", "game": "refund", "why": "refund", "by": "cash-out", "lapsed": "cash-out"}
OPTIONAL = ("name", "by", "lapsed")


def check_chips(audit: Audit, state: AuditedTable, entry: Entry, line: bytes) -> None:
    audit.report.checked("chips")
    book, before, place = state.book, state.book.table, state.place
    audit.count(state, None, entry)
    op, seat, player, amount = entry["op"], entry["seat"], entry["player"], entry["amount"]
    to, leaves, game = entry.get("to"), entry.get("leaves", False), entry.get("game", 0)
    for field, wanted in OP_OF_FIELD.items():
        if (field in entry) != (op == wanted) and (field not in OPTIONAL or op != wanted):
            audit.find("field-invalid", place, field=field, expected=f"only with a {wanted}", found=entry.get(field))
    _check_placer(audit, state, entry)
    reason = chairs.chips_hold_reason(book, op, seat, to=to, leaves=leaves, by=entry.get("by"))
    if reason:
        audit.find("chips-not-allowed", place, field="op", expected=f"no {op}: {reason}", found=op)
    if "lapsed" in entry and not ("by" in entry and chairs.has_lapsed_out(book, seat)):
        wanted = f"as many lapsed limits as the table's `lapses`: {book.lapse_limit or None}"
        found = book.chairs[seat].lapse_count if seat in book.chairs else None
        audit.find("chips-not-allowed", place, field="lapsed", expected=wanted, found=found)
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
            **{name: entry[name] for name in CHIPS.optional if name in entry},
        )
        if not audit.compare(expected, entry, line, _code, place):
            after = logged_chips(after, entry["chips"])
    if not reason and not chairs.keeps_cover(book, after):
        expected_cover = "a banker that covers the lowest bet while its shoe is in play"
        audit.find("chips-not-allowed", place, field="amount", expected=expected_cover, found=amount)
    _follow(state, entry, after, legal)


def _check_placer(audit: Audit, state: AuditedTable, entry: Entry) -> None:
    """Check that a table whose player places has one chair, taken with a key in the player's own name."""
    book, seat, placer = state.book, entry["seat"], entry.get("placer")
    takes = entry["op"] == "buy-in" and seat not in book.table.players
    if book.player_places and takes and seat > book.max_chairs:
        audit.find("seat-differs", state.place, field="seat", expected=f"chair {book.max_chairs}", found=seat)
    name = None if placer is None else placer.partition("+")[0]
    wanted = entry["player"] if book.player_places and takes else None
    if name != wanted:
        expected = None if wanted is None else f"a key with the name {wanted}"
        audit.find("placer-differs", state.place, field="placer", expected=expected, found=placer)


def _gifts(audit: Audit, state: AuditedTable, entry: Entry) -> int:
    """Return the gifts that count against a refund; a refund or share of what nobody paid is reported."""
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
    paid = chairs.open_buy_ins(state.book, game, player, seat)
    if not paid:
        wanted = f"a buy-in into one of the last {chairs.GAMES_KEPT} games that was not refunded yet"
        audit.find("refund-not-owed", state.place, field="game", expected=wanted, found=game)
        return 0
    if "why" in entry and not chairs.may_refund(state.book, game, entry["why"], entry["at"]):
        wanted = "a game that the log shows not played out"
        audit.find("refund-not-owed", state.place, field="why", expected=wanted, found=entry.get("why"))
    return chairs.deductible_gifts(paid[0], entry.get("why", ""))


def _follow(state: AuditedTable, entry: Entry, after: Table, legal: bool) -> None:
    """Record a legal payment. A share is due with the last player's leaving, then with the share before."""
    book = state.book
    due = book.rules.next_share_seat(book.table)
    apply_entry(book, book.shoe, entry if legal else entry | {"op": ""}, after)
    if book.rules.next_share_seat(after) not in (None, due):
        state.sharing = entry["at"]


def _code(difference: FieldDifference) -> str:
    return "chips-differ" if difference.path.startswith("chips") else "field-invalid"


BANK = shape(
    {
        "decisions": list_of(decision),
        "price": number,
        "chips": map_of(integer),
        "shoe": identifier,
        "cards": list_of(text),
        "placed": PLACED,
    },
    table=identifier,
    why=one_of("first", "rotation", "change", "gift", "sale"),
    to=number,
)


def check_bank(audit: Audit, state: AuditedTable, entry: Entry, line: bytes) -> None:
    audit.report.checked("policy")
    audit.count(state, None, entry)
    if entry["why"] == "first":
        _check_first(audit, state, entry, line)
        return
    if (told := state.book.shoe) is not None:
        opened, place = state.book.open_round, state.place
        place = place._replace(shoe=told.id) if opened is None else place._replace(round=opened.number)
        audit.in_turn(audit.shoes[told.id], "bank", place)
    _check_move(audit, state, entry, line)


def _check_first(audit: Audit, state: AuditedTable, entry: Entry, line: bytes) -> None:
    """PO-04: dealt from a shoe of its own, to the chairs of its roster that sat and covered at `seeds`."""
    book = state.book
    shoe = audit.shoes.get(entry.get("shoe", ""))
    cards = entry.get("cards", [])
    if shoe is None or shoe.table is not state:
        audit.wrong_step(state.place, "a sealed shoe for the first banker", FIRST_BANK)
        return
    told, place = shoe.book_shoe, shoe.place
    if not audit.in_turn(shoe, FIRST_BANK, place if told.sealed else state.place):
        return
    audit.check_late(shoe, entry["at"])
    check_known(audit, shoe, place, "cards", cards)
    source = LoggedCards(cards, position=0, present=told.cards, size=told.cards)
    asking, played = rebuild_steps(audit, shoe, entry), True
    try:
        by: CardSource = source if asking is None else PlacedCards(source, asking, shoe)
        seat, dealt = book.rules.draw_first_bank(book.table, by, told.draw_chairs)
    except (RuleError, IndexError, KeyError):
        audit.find("bank-differs", place, field="cards", expected="cards until one decides", found=cards)
        seat, dealt, played = entry["to"], cards, False
    judge(audit, shoe, entry, asking, place, played=played)
    placement = placement_of(entry)
    expected = bank_entry(entry["at"], state.id, "first", seat, shoe=shoe.id, cards=dealt, placement=placement)
    audit.compare(expected, entry, line, lambda _: "bank-differs", place)
    audit.report.cards += len(cards)
    shoe.rounds.append(DealtRound(0, audit.index, 0, cards, len(cards), told.cards))
    to = entry["to"] if entry["to"] in book.chairs else seat
    after = book.rules.set_first_bank(book.table, to) if to in book.chairs else book.table
    apply_entry(book, told, entry | {"cards": cards}, logged_chips(after, entry.get("chips")))


def _check_move(audit: Audit, state: AuditedTable, entry: Entry, line: bytes) -> None:
    book, at, place = state.book, entry["at"], state.place
    decisions, moments = decisions_of(entry.get("decisions", ()))
    after = logged_bank(book.table, entry)
    try:
        between = replay_bank(book.table, decisions)
    except IllegalDecision as error:
        audit.refused("decision-illegal", error, place)
    else:
        if between.ask is not None:
            audit.find("decision-missing", place, field="decisions", expected=between.ask.legal_moves)
        else:
            expected = bank_move_entry(at, state.id, between, moments)
            if audit.compare(expected, entry, line, lambda _: "bank-differs", place):
                after = between.result.table
    shoe = None if book.shoe is None or book.rules.one_round else audit.shoes.get(book.shoe.id)
    if shoe is not None:
        begun = microseconds(book.bank_settled_at)
        audit.check_late(shoe, at, begun + len(decisions) * book.policy.decision * SECOND)
    if moments:
        audit.check_moments(state, place, at, book.bank_settled_at, decisions, moments)
    apply_entry(book, book.shoe, entry, after)


KINDS = (
    EntryKind("chips", CHIPS, handler_of(Audit.table_of, check_chips)),
    EntryKind("bank", BANK, handler_of(Audit.table_of, check_bank)),
)
