"""The end of a shoe. `reveal`: every card, draw and cut is rebuilt from the key. `void`: before its seal. `lost`: by a
restore."""

from __future__ import annotations

from collections.abc import Mapping

from fairshoe.ceremony.choices import count_unshown
from fairshoe.ceremony.contributing import order_of
from fairshoe.ceremony.ending import due_time, may_void, may_void_alone, why_ends
from fairshoe.ceremony.fold import apply_entry
from fairshoe.ceremony.stages import DRAW, FIRST
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import microseconds
from fairshoe.protocol.shoe import Sealed
from fairshoe.protocol.transcript import check_beacon
from fairshoe.record.entries import reveal_entry

from ..findings.finding import codes_of
from ..findings.report import WITHOUT_TABLE
from ..walk.audit import Audit, EntryKind, handler_of
from ..walk.comparison import FieldDifference
from ..walk.rebuild import check_dealt, count_misplaced, is_dealt_in_one_row
from ..walk.shapes import count, hex32, identifier, map_of, number, one_of, shape
from ..walk.state import AuditedShoe, AuditedTable
from .drawing import check_told
from .placement import LoggedPlaces, is_whole

REVEAL = shape(shoe=identifier, key=hex32, draws=map_of(count), end=count, why=one_of("worn", "bank", "age", "left"))
CODES = codes_of("""
draw-differs: shuffle
  the house changed a committed random number
  A named draw follows from the key and the transcript.
order-differs: shuffle
  the key, a seed, the cut or the cards of a whole shoe were exchanged
  Nearly all cards of the shoe are others than the revealed key, the seeds and the cut give, so that the whole shoe
  was dealt in another order. Each card that differs is counted below it.
  next: Ask every player of the shoe for the seed that they sent and for the commitment that they saw before the
  bets, and compare: `fairshoe-audit hand` takes both.
cards-root-differs: shuffle
  the seal binds other cards than the key gives, or none
  `cards_root` is the RFC 6962 tree head over the salted cards in dealt order. In a shoe with a placer it must stand.
shoe-retired-early: policy
  the house retired a shoe before its time
  A sealed shoe is revealed when it is worn, when the bank has moved, at its age, or when nobody plays on it.
end-differs: policy
  the reason was changed
  Of the reasons why a shoe ends the first counts: worn, bank, age, left.
bound-exceeded: shuffle
  the log was made to be costly, and is no honest one
  The log asks for far more cards in order than its size explains; those of this shoe were not checked. docs/log.md
  lists the bounds.
shoe-void: completeness, note, unknown
  a shoe ended before it was dealt, as the ceremony allows
  Nobody knew its order yet, or whoever let it fail owes the seed. Counted, not a failure.
  next: Nothing, if it happens now and then. The counts under choices show who often lets a shoe fail: ask why.
beacon-missing: completeness, note, unknown
  a shoe ended since its beacon came too late, as the house says
  Its round was out before any seed was open, or an hour has passed since then without its signature. Once a beacon is
  out the house may know the order, and could throw a shoe away by saying that.
  next: Look the round up at the beacon's own address. If it was out in time, ask the house why it did not use it.
void-not-allowed: completeness
  the house got rid of a shoe that it did not like
  A sealed shoe is dealt and revealed; an opened round is played to its end (GE-13); before that a shoe is void only
  for a reason that the log shows.
shoe-lost: completeness
  the house broke off a shoe that it had committed to
  After an outage, or a restore from a backup, the house had lost the shoe. What would have been dealt cannot be
  checked, nor, unless the entry has the key, what was; bets that stood were returned. A house that knows the cards
  could break off just the shoes that go against it.
  next: Ask the house what happened, and for the key if the entry has none. Shoes that were all lost at one `start` are
  one outage; look whose bets went back at the others.
""")


def check_reveal(audit: Audit, entry: Entry, line: bytes) -> None:
    if entry["shoe"] in audit.passed:
        _check_passed(audit, audit.passed.pop(entry["shoe"]), entry, line)
        return
    shoe = audit.ending_shoe(entry)
    if shoe is None:
        return
    told, state = shoe.book_shoe, shoe.table
    audit.report.checked("completeness")
    audit.count(state, shoe, entry)
    opened = None if state is None else state.book.open_round
    if told.stage is not DRAW:  # of a shoe that is too early, `why_ends` tells
        audit.in_turn(shoe, "reveal", None if opened is None else shoe.round(opened.number))
    if not told.sealed and shoe.rounds:
        audit.unchecked["cards", "shoes without a seal: their cards"] += 1
    if state is not None:
        state.book.open_round = None
    draws: Mapping[str, int] = entry["draws"]
    if audit.key_fits(shoe, entry["key"]) and told.sealed:
        draws = _check_order(audit, shoe, bytes.fromhex(entry["key"]), entry, line)
    if told.sealed and state is not None:
        _check_end(audit, state, shoe, draws, entry)
    elif told.sealed:
        if told.told_cards is None:
            audit.unchecked["cards", WITHOUT_TABLE] += 1
        audit.report.choices.add(shoe.id, count_unshown(told))
        audit.check_late(shoe, entry["at"])
        if entry["why"] == "age":
            audit.check_limit(shoe.place, entry["at"], told.sealed, "", told.policy.shoe, "the shoe's age")
        elif entry["why"] != "worn":
            audit.find("end-differs", shoe.place, field="why", expected="worn or age", found=entry["why"])
    apply_entry(shoe.book, told, entry)
    audit.end(shoe)


def _check_passed(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    """A reveal that comes after the next shoe had its turn: its key is as good for that."""
    audit.wrong_step(shoe.place, "the reveal before the next shoe's turn", "reveal")
    if audit.key_fits(shoe, entry["key"]) and shoe.book_shoe.sealed:
        _check_order(audit, shoe, bytes.fromhex(entry["key"]), entry, line)


def _check_order(audit: Audit, shoe: AuditedShoe, key: bytes, entry: Entry, line: bytes) -> Mapping[str, int]:
    """Rebuild the shoe from its key and hold all against it; gives its draws."""
    told, place = shoe.book_shoe, shoe.place
    try:
        sealed = audit.rebuilt = rebuild_order(shoe, key)
    except InputError as error:
        _report_refusal(audit, shoe, error)
        audit.unchecked["cards", "shoes that cannot be put in order from what is logged: their cards"] += 1
        draws: Mapping[str, int] = entry["draws"]
        return draws
    draws = {name: sealed.number(name) for name in told.draws}
    bound = shoe.table is not None or told.told_cards is not None or shoe.cards_root is not None
    ordered = bound and is_whole(audit, shoe) and audit.may_order(shoe)
    fits = ordered and is_dealt_in_one_row(shoe, sealed)
    order = sealed.order() if ordered and not fits else []
    if draws or shoe.rounds or ordered:
        audit.report.checked("shuffle")
    known = fits and bool(shoe.rounds)
    if ordered and told.told_cards is not None:
        check_told(audit, shoe, sealed)
    elif ordered and not known and (found := count_misplaced(shoe, order, dict(draws), entry["draws"])):
        audit.find("order-differs", place, expected="the order that key, seeds and cut give", found=found)
    end = min(entry["end"], len(shoe.deck)) if shoe.table is None and told.told_cards is None else told.position
    if entry["draws"] != draws or entry["end"] != end:  # the rest of the entry is what it says itself
        expected = reveal_entry(entry["at"], shoe.id, entry["key"], draws, end, entry["why"])
        audit.compare(expected, entry, line, _code_of, place)
    if ordered:
        _check_root(audit, shoe, sealed)
    if order:
        check_dealt(audit, shoe, sealed, order)
    elif known:
        audit.report.checked("cards")
    return draws


def check_rounds(audit: Audit, shoe: AuditedShoe, key: str | None) -> None:
    """The rounds of a shoe that was not played out; `key`: in hex, if it is known and the right one."""
    if not shoe.rounds and not shoe.told_entries:
        return
    if key is not None and shoe.book_shoe.sealed and is_whole(audit, shoe) and audit.may_order(shoe):
        try:
            sealed = audit.rebuilt = rebuild_order(shoe, bytes.fromhex(key))
        except InputError as error:
            _report_refusal(audit, shoe, error)
        else:
            _check_root(audit, shoe, sealed)
            check_dealt(audit, shoe, sealed, sealed.order())
            check_told(audit, shoe, sealed)
            return
    audit.unchecked["cards", "shoes that were not played out: their cards"] += 1


def _report_refusal(audit: Audit, shoe: AuditedShoe, error: InputError) -> None:
    """The shoe cannot be put in order: a cut that does not fit is told of where it stands."""
    if error.where == "cut":
        audit.refused("cut-differs", error, shoe.place, entry=shoe.cut_line)
    else:
        audit.refused("shoe-differs", error, shoe.place)


def _check_root(audit: Audit, shoe: AuditedShoe, sealed: Sealed) -> None:
    """A seal that binds the cards by itself binds those that the key gives."""
    if shoe.cards_root is not None and shoe.cards_root != (root := sealed.bound[0].root().hex()):
        audit.find("cards-root-differs", shoe.place, field="cards_root", expected=root, found=shoe.cards_root)


def rebuild_order(shoe: AuditedShoe, key: bytes) -> Sealed:
    """Return the shoe's order from its key and what stands in the log, which has its shape. Raises InputError."""
    check_beacon(shoe.book_shoe.beacon)
    return order_of(shoe.book_shoe, key, shoe.deck, LoggedPlaces(shoe) if shoe.book_shoe.placer is not None else None)


def _code_of(difference: FieldDifference) -> str:
    top = difference.path.partition(".")[0]
    return {"draws": "draw-differs", "end": "position-differs"}.get(top, "field-invalid")


def _check_end(audit: Audit, state: AuditedTable, shoe: AuditedShoe, draws: Mapping[str, int], entry: Entry) -> None:
    """A shoe is dealt from until it must end, and then no more; it ends for the reason that the ceremony gives."""
    book, told, rules, at = state.book, shoe.book_shoe, state.book.rules, entry["at"]
    audit.report.checked("policy")
    worn = bool(shoe.rounds)
    if told.course is not FIRST and shoe.rounds:
        if not set(rules.draws()) <= set(draws):
            return
        *earlier, worn = [rules.is_worn_out(dealt.end, dealt.present, draws) for dealt in shoe.rounds]
        for dealt, was_worn in zip(shoe.rounds, earlier, strict=False):
            if was_worn:
                place = shoe.round(dealt.number)
                audit.find("shoe-not-retired", place, entry=dealt.line, expected="a new shoe after this round")
    why = why_ends(book, told, microseconds(at), worn=worn)
    if why is None:
        wanted = "a shoe that is worn, or another reason to end it"
        audit.find("shoe-retired-early", shoe.place, field="why", expected=wanted, found=entry["why"])
    elif why != entry["why"]:
        audit.find("end-differs", shoe.place, field="why", expected=why, found=entry["why"])
    if audit.begun or at[:13] != shoe.step:
        by_round = why == "worn" or (why == "bank" and told.bank_moved)
        audit.check_late(shoe, at, microseconds(book.bank_settled_at) if by_round else due_time(book, told))


VOID = shape(
    {"by": identifier, "round": number},
    shoe=identifier,
    key=hex32,
    why=one_of("reshuffle", "close", "bank", "idle", "age", "seed", "beacon"),
)
MAX_MOMENT = 1 << 62
"""A moment at which every limit is over."""


LOST = shape({"key": hex32, "round": number}, shoe=identifier)


def check_void(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    why, at = entry["why"], entry["at"]
    audit.report.checked("completeness")
    audit.count(shoe.table, shoe, entry)
    audit.check_late(shoe, at)
    key = entry["key"]
    check_rounds(audit, shoe, key if audit.key_fits(shoe, key) else None)
    if _may(audit, shoe, entry, microseconds(at)):
        audit.find("beacon-missing" if why == "beacon" else "shoe-void", shoe.place, field="why", found=why)
    elif _may(audit, shoe, entry, MAX_MOMENT):
        audit.find("limit-early", shoe.place, field="at", expected=f"a later moment for a void ({why})", found=at)
    else:
        wanted = "a reason before the seal"
        audit.find("void-not-allowed", shoe.place, field="why", expected=wanted, found=why)
    check_round(audit, shoe, entry)
    apply_entry(shoe.book, shoe.book_shoe, entry)
    audit.end(shoe)


def _may(audit: Audit, shoe: AuditedShoe, entry: Entry, now: int) -> bool:
    why, by = entry["why"], entry.get("by")
    if shoe.book is None:
        return may_void_alone(shoe.book_shoe, audit.starts.last, why, by, now)
    return may_void(shoe.book, shoe.book_shoe, why, by, now)


def check_round(audit: Audit, shoe: AuditedShoe, entry: Entry) -> None:
    """An end before the deal names the round whose bets go back."""
    book = shoe.book
    opened = None if book is None else book.open_round
    number = None if opened is None else opened.number
    if entry.get("round") != number:
        audit.find("step-out-of-order", shoe.place, field="round", expected=number, found=entry.get("round"))


def check_lost(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    audit.report.checked("completeness")
    opened = entry.get("round")
    audit.find("shoe-lost", shoe.place if opened is None else shoe.round(opened), found=shoe.id)
    key = entry.get("key")
    check_rounds(audit, shoe, key if key is not None and audit.key_fits(shoe, key) else None)
    check_round(audit, shoe, entry)
    apply_entry(shoe.book, shoe.book_shoe, entry)
    audit.end(shoe)


KINDS = (
    EntryKind("reveal", REVEAL, check_reveal),
    EntryKind("void", VOID, handler_of(Audit.ending_shoe, check_void)),
    EntryKind("lost", LOST, handler_of(Audit.ending_shoe, check_lost)),
)
