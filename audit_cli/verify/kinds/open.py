"""`open`: bets stand before the first card."""

from __future__ import annotations

from collections.abc import Sequence

from fairshoe.ceremony.book import Book, has_seed
from fairshoe.ceremony.choices import count_missing_bets
from fairshoe.ceremony.contributing import close_betting, forced_bets_of, may_waive
from fairshoe.ceremony.ending import bank_left, may_begin_shoe
from fairshoe.ceremony.fold import record_bets
from fairshoe.ceremony.stages import FIRST, ONE
from fairshoe.engine.table import Bet
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.rounds import EVERYBODY, Betting, betting_of, open_entry, read_open

from ..findings.finding import Place, codes_of
from ..walk.audit import Audit, EntryKind
from ..walk.shapes import bet, identifier, list_of, number, seats, shape
from ..walk.state import MAX_WAIVERS, AuditedShoe, AuditedTable
from .contributions import check_beacon_ahead
from .shoe import check_bank_settled

STARTS = '"bets":'
SHAPE = shape(
    {"waived": seats, "passed": seats, "late": seats, "uncovered": list_of(bet), "unfunded": seats},
    shoe=identifier,
    round=number,
    bets=list_of(bet),
)
CODES = codes_of("""
bet-without-seed: contributions
  the house let a seat bet that had no part in the shuffle
  A bet needs the seat's own seed in the shoe, or a waiver that the log shows: of a chair that was taken after the
  commitment of a shoe of many rounds.
seats-unaccounted: decisions
  the house left a seat out of the betting, or named one that had no part in it
  Every seat that has a part in the shoe and does not bank stands in just one of bets, uncovered, passed, late and
  unfunded; unfunded is whose chips do not reach the lowest bet.
cover-differs: decisions
  the house refused a bet, or took one that was not covered
  Which of the offered bets count follows from their order and the purses of seat and bank (CH-05, PO-38).
bets-not-forced: decisions
  the table left a hand out, or dealt one too many
  By these rules nobody chooses: each seat that has joined and has a seed in the shoe has one bet (LO-05).
""")


def try_fast_path(audit: Audit, at: str, text: str) -> bool:
    """Take a line that is exactly the text of what it says; anything else is left to `check`."""
    read = read_open(text)
    shoe = None if read is None else audit.shoes.get(read[0])
    if read is None or shoe is None or shoe.table is None or shoe.book_shoe.purpose is not None:
        return False
    betting = read[2]
    if betting[1:] != EVERYBODY:
        audit.report.choices.add(shoe.table.id, count_missing_bets(shoe.book, betting))
    _apply_open(audit, shoe.table, shoe, at, read[1], betting)
    return True


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe, betting = audit.shoe(entry), betting_of(entry)
    if shoe is None or betting is None:
        return
    state = shoe.table
    if state is None or shoe.book_shoe.course is FIRST:
        audit.in_turn(shoe, "open")
        return
    expected = open_entry(entry["at"], shoe.id, entry["round"], betting)
    audit.compare(expected, entry, line, lambda _: "field-invalid", shoe.round(entry["round"]))
    audit.count(state, shoe, entry)
    _apply_open(audit, state, shoe, entry["at"], entry["round"], betting)


def _apply_open(audit: Audit, state: AuditedTable, shoe: AuditedShoe, at: str, number: int, betting: Betting) -> None:
    book, told = state.book, shoe.book_shoe
    table = book.table
    rules = table.rules
    if audit.begun:
        audit.apply_starts(state)
    if audit.begun or at[:13] != shoe.step:
        audit.check_late(shoe, at)
    if not book.rounds:
        audit.report.checked("completeness", "decisions", "contributions")
    if number != book.rounds + 1:
        audit.find("number-gap", shoe.round(number), field="round", expected=book.rounds + 1, found=number)
    check_beacon_ahead(audit, told, at, shoe.round(number))
    if not told.allows("open"):
        audit.in_turn(shoe, "open", shoe.round(number))
    elif told.sealed:
        if at >= shoe.until or told.bank_moved:
            wanted = "a new shoe after the bank moved" if told.bank_moved else f"no `open` from {shoe.until} on"
            audit.find("shoe-not-retired", shoe.round(number), expected=wanted, found=shoe.id)
    elif state.banking and bank_left(book, told):
        audit.find("shoe-not-retired", shoe.round(number), expected="a new shoe after the bank left", found=shoe.id)
    elif book.closed_at and not may_begin_shoe(book, at):
        audit.find("table-closed", shoe.round(number), expected="the shoe void", found=shoe.id)
    if state.banking and not rules.one_round:
        check_bank_settled(audit, state, shoe.round(number))
    try:
        rules.check_round_bets(table, betting.bets)
        state.legal, state.checked = True, table
    except RuleError as error:
        state.legal, state.checked = False, None
        audit.refused("bet-illegal", error, shoe.round(number))
    if not rules.bets_freely:  # LO-05
        _check_forced(audit, book, shoe, betting, number)
    elif not _is_usual(book, shoe, betting):
        _check_seats(audit, book, shoe, at, betting, number)
    if betting.waived and len(told.waived) + len(betting.waived) > MAX_WAIVERS:
        betting = betting._replace(waived=())
    if state.reshuffles:
        state.reshuffles, state.unlisted = [], 0
    record_bets(book, told, at, number, betting)


def _is_usual(book: Book, shoe: AuditedShoe, betting: Betting) -> bool:
    """Whether there is nothing to look at: each chair but the bank's bets, and has its own seed in the shoe."""
    if betting[1:] != EVERYBODY:
        return False
    chairs = book.chairs
    seats = {bet[0] for bet in betting.bets}
    if len(seats) != len(chairs) - (book.table.bank in chairs):
        return False
    for seat in seats:
        if seat not in chairs or not has_seed(book, shoe.book_shoe, seat):
            return False
    return True


def _check_forced(audit: Audit, book: Book, shoe: AuditedShoe, betting: Betting, number: int) -> None:
    """LO-05: nobody chooses."""
    wanted = Betting(tuple(forced_bets_of(book, shoe.book_shoe) or ()))
    if betting != wanted:
        expected, found = [bet.seat for bet in wanted.bets], [bet.seat for bet in betting.bets]
        audit.find("bets-not-forced", shoe.round(number), field="bets", expected=expected, found=found)


def _check_seats(audit: Audit, book: Book, shoe: AuditedShoe, at: str, betting: Betting, number: int) -> None:
    """Close the betting again from the log, and compare which bets count (CH-05, PO-38), and who waives or is named."""
    audit.report.checked("contributions", "decisions")
    place, told = shoe.round(number), shoe.book_shoe
    placed = (*betting.bets, *betting.uncovered)
    offered: dict[int, list[Bet]] = {seat: [] for seat in betting.passed}
    for each in placed:
        offered.setdefault(each.seat, []).append(each)
    heard = [seat for seat in sorted(offered) if offered[seat] and seat in book.chairs]
    without = [seat for seat in heard if not has_seed(book, told, seat)]
    able = [seat for seat in without if may_waive(book, told, seat)]
    if list(betting.waived) != able or able != without:
        audit.find("bet-without-seed", place, field="waived", expected=able, found=list(betting.waived))
    try:
        for each in betting.uncovered:
            book.rules.check_round_bets(book.table, [each])
        wanted = close_betting(book, told, offered, able)
    except RuleError as error:
        audit.refused("bet-illegal", error, place)
        return
    if len({each.box for each in placed}) < len(placed):
        audit.find("bet-illegal", place, field="uncovered", expected="one bet a seat")
    for field, code in CODE_OF.items() if wanted is not None else ():
        expected, found = getattr(wanted, field), getattr(betting, field)
        if expected != found:
            audit.find(code, place, field=field, expected=_seats(expected), found=_seats(found))
    _check_late_bets(audit, book, shoe, at, betting.late, place)


CODE_OF = {
    "uncovered": "cover-differs",
    "passed": "seats-unaccounted",
    "late": "seats-unaccounted",
    "unfunded": "seats-unaccounted",
}


def _seats(named: Sequence[Bet | int]) -> list[int]:
    return [each if isinstance(each, int) else each.seat for each in named]


def _check_late_bets(audit: Audit, book: Book, shoe: AuditedShoe, at: str, late: tuple[int, ...], place: Place) -> None:
    """Somebody is late when the limit is over, or by a word that only some rules have (BX-06)."""
    told = shoe.book_shoe
    waited = any(not book.chairs[seat].is_absent for seat in late if seat in book.chairs)
    if waited and told.betting_since and not (book.rules.closes_bets and told.course is ONE):
        started, seconds = audit.last_limit_restart(shoe), told.policy.bet
        audit.check_limit(place, at, told.betting_since, started, seconds, "a seat is late to bet")


KINDS = (EntryKind("open", SHAPE, check, STARTS, try_fast_path),)
