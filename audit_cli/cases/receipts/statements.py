"""Comparison of a seat's statement with the entry that should have it: one function for each kind of receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairshoe.ceremony import receipts
from fairshoe.ceremony.book import Book, Shoe, standing_bets
from fairshoe.ceremony.contributing import close_betting, cutters
from fairshoe.ceremony.ending import is_deserted, wait_start
from fairshoe.ceremony.stages import Course, Stage
from fairshoe.engine.cards import LoggedCards
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import replay, replay_bank
from fairshoe.engine.rules import Rules
from fairshoe.engine.view import view
from fairshoe.errors import RuleError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.receipts import stakes
from fairshoe.record.forms import bet_of, decision_form, decision_of
from fairshoe.record.hand_entries import ENDS

from .case import OWN, LoggedTable, LogPoint, ReceiptCase, compare_with_log, differences

ACT = "act"
GRACE = 60 * SECOND
"""By so much a round may open after the last limit that it waits for."""
GAP = "a later receipt of the chair could explain it, and the file has none or a gap there"
SEATED = "who sat there then only the whole log shows"
NEEDS_WHOLE_LOG = "it takes the whole log"
CHANGED, LEFT = "it was changed afterwards", "the seat was left before"
CHIP_FIELDS = ("op", "amount", "to", "leaves")


def judge_act(case: ReceiptCase, point: LogPoint) -> None:
    """Compare what the seat said with an entry of the step or after it."""
    form, entry, kind = case.form, point.entry, point.kind
    if form["do"] in OWN:
        _own_entry(case, point)
    elif form.get("about") == receipts.BANK:
        _banked(case, point)
    elif kind == "shoe" and point.whole:
        case.decide("missing", point.place, f"begins another shoe, and nothing of it stands about {form['shoe']}")
    elif entry.get("shoe") != form["shoe"]:
        judge_overdue(case, point)
    elif kind in ENDS:
        _ended(case, point)
    elif (form["do"], kind) in IN_ENTRY:
        IN_ENTRY[form["do"], kind](case, point)


def _own_entry(case: ReceiptCase, point: LogPoint) -> None:
    """A seed or a move of chips is the first entry of its step."""
    form, entry = case.form, point.entry
    if point.at != form["at"] or point.kind not in (("chips",) if form["do"] == receipts.CHIPS else ("opened", "late")):
        if point.whole:
            about = entry.get("shoe") or entry.get("table") or ""
            case.decide("missing", point.place, f"is another one ({point.kind} {about}".rstrip() + ")")
        return
    wanted = {name: form[name] for name in ("at", "player")}
    if form["do"] == receipts.CHIPS:
        wanted |= {name: form[name] for name in ("table", "seat", *CHIP_FIELDS) if name in form}
        logged = {name: entry[name] for name in (*wanted, *CHIP_FIELDS, "by") if name in entry}
    else:
        wanted |= {"shoe": form["shoe"], "seed": form["seed"]}
        wanted |= {"cut": {"at": form["cut"], "by": form["player"]}} if "cut" in form else {}
        logged = {name: entry[name] for name in wanted if name in entry}
    compare_with_log(case, ACT, point.place, logged, wanted)


def _hashed(case: ReceiptCase, point: LogPoint) -> None:
    """`seeds`: the hash stands there, unless the seat left before; and the cut, if it is the one that counts."""
    form, player, cut = case.form, case.form["player"], point.entry.get("cut")
    logged = point.entry.get("hashes", {}).get(player)
    shoe = None if point.after is None else point.after.shoe
    if logged is None and shoe is not None and player in shoe.struck:
        case.agree(ACT, point.place, LEFT)
    elif logged is None and not point.whole and player not in point.entry.get("unheard", ()):
        case.decide("not decided", point.place, SEATED)
    elif logged != form["hash"]:
        if point.surely(case):
            case.differs(point.place, f"hashes.{player}", form["hash"], logged)
    elif "cut" in form and not _is_cut(case, point):
        if point.surely(case):
            case.differs(point.place, "cut", {"at": form["cut"], "by": player}, cut)
    else:
        case.agree(ACT, point.place)


def _is_cut(case: ReceiptCase, point: LogPoint) -> bool:
    """Whether the log has this cut, or rightly one of somebody before."""
    after = point.after
    able = [] if after is None or after.shoe is None or not point.whole else cutters(after.book, after.shoe)
    return is_logged_cut(case.form, point.entry.get("cut") or {}, able)


def is_logged_cut(form: Entry, cut: Entry, able: Sequence[str]) -> bool:
    """Whether the log's `cut` is the receipt's, or rightly an earlier player's. `able`: who may cut, in their order."""
    by, player = cut.get("by"), form["player"]
    if by == player:
        return bool(cut.get("at") == form["cut"])
    return player not in able or by in able[: able.index(player)]


def _waived(case: ReceiptCase, point: LogPoint) -> None:
    """A waiver shows with the first bet that needs it."""
    seat = case.form["seat"]
    if seat in point.entry.get("waived", ()):
        case.agree(ACT, point.place)
    elif _is_left(case, point):
        case.agree(ACT, point.place, LEFT)
    elif not point.whole:
        case.decide("not decided", point.place, NEEDS_WHOLE_LOG)
    elif _of_seat(point.entry, seat) and point.surely(case):
        case.differs(point.place, "waived", [seat], point.entry.get("waived"))


def _offered(case: ReceiptCase, point: LogPoint) -> None:
    """The last bets that a seat offered stand, but for a box that was given way to its own chair."""
    form, entry, seat = case.form, point.entry, case.form["seat"]
    if entry["round"] > form["round"]:
        case.decide("missing", point.place, f"opens round {entry['round']}, and round {form['round']} never was")
    if entry["round"] != form["round"]:
        return
    later, all_of_it = case.until(point.at)
    logged = _of_seat(entry, seat)
    wanted = receipts.bets_left(form["bets"], stakes(entry), seat)
    heard = logged or form["bets"] or seat not in entry.get("late", ())
    if _is_changed(case, later):
        case.agree(ACT, point.place, CHANGED)
    elif _is_left(case, point):
        case.agree(ACT, point.place, LEFT)
    elif logged == wanted and heard and (logged or point.whole or seat in entry.get("passed", ())):
        case.agree(ACT, point.place)
    elif not (point.whole and all_of_it):
        case.decide("not decided", point.place, GAP if point.whole else SEATED)
    else:
        case.differs(point.place, "bets", form["bets"], logged)


def judge_stands(case: ReceiptCase, point: LogPoint) -> None:
    """`open`: bets stand, and what was to be seen then."""
    form, after = case.form, point.after
    if point.at != form["at"] or point.kind != "open" or after is None or after.shoe is None:
        if point.whole and point.at >= form["at"]:
            case.decide("missing", point.place, f"is later: no such bets of {form['shoe']} stand")
        return
    stood = receipts.describe_standing_bets(after.book, after.shoe, after.commitment, {})
    logged = receipts.standing_bets_receipt(form["table"], stood, form["seat"]) if stood else None
    if logged is None:
        case.differs(point.place, "bets", form["bets"], None)
        return
    logged |= {name: form[name] for name in ("number", "before")}
    if not point.whole:
        logged, form = _without_balances(logged), _without_balances(form)
    compare_with_log(case, ACT, point.place, logged, form)


def _decided(case: ReceiptCase, point: LogPoint) -> None:
    """`round`: the decision stands there, and what the seat saw before it and after it."""
    form, entry = case.form, point.entry
    if entry["round"] != form["round"] or point.before is None or not _says(case, point):
        return
    dealt = _played(point.before, entry)
    if dealt is None:
        case.differs(point.place, "cards", form["view"].get("round"), "a round that cannot be played")
        return
    views = [(form["saw"], "saw", form["step"]), (form["view"].get("round"), "view.round", None)]
    if "placed" in entry and "round" not in form["view"]:
        views.pop()  # the card that the decision asked for had still to be placed
    for shown, path, step in views:
        seen = view(dealt, form["seat"], form["step"] + 1 if step is None else step)
        if not point.whole:
            seen, shown = _named(seen, entry), _named(shown, entry)
        found = next(differences(seen, shown, path), None)
        if found is not None:
            case.differs(point.place, found[0], found[2], found[1])
    case.agree(ACT, point.place)


def _says(case: ReceiptCase, point: LogPoint) -> bool:
    """Whether the decision stands in its place among the entry's."""
    form, step = case.form, case.form["step"]
    said = Decision(form["seat"], form["move"], form.get("amount", 0), tuple(form.get("chosen", ())))
    logged = [{name: made[name] for name in made if name != "at"} for made in point.entry.get("decisions", ())]
    made = logged[step] if step < len(logged) else None
    found = next(differences(made, decision_form(said), f"decisions[{step}]"), None)
    if found is not None and point.surely(case):
        case.differs(point.place, found[0], found[2], found[1])
    return found is None


def _banked(case: ReceiptCase, point: LogPoint) -> None:
    """`bank`: the decision stands there; a shoe that ended before left the bank where it was, but for one that wore
    out, whose end comes first."""
    if point.kind not in ("bank", "open", "shoe", *ENDS) or point.before is None or point.entry.get("why") == "worn":
        return
    if point.kind == "bank" and point.entry.get("why") != "first":
        if _says(case, point):
            case.agree(ACT, point.place)
    elif point.kind in ("bank", *ENDS) or not replay_bank(point.before.book.table).result.why:
        case.agree(ACT, point.place, "the bank was not in question any more")
    elif point.surely(case):
        case.decide("missing", point.place, f"({point.kind}) comes without a decision about the bank")


IN_ENTRY = {
    (receipts.HASH, "seeds"): _hashed,
    (receipts.WAIVER, "open"): _waived,
    (receipts.BET, "open"): _offered,
    (receipts.DECISION, "round"): _decided,
}

# Where it could not stand.


def _ended(case: ReceiptCase, point: LogPoint) -> None:
    """The shoe has ended without the entry that would have had it."""
    form, kind, why = case.form, point.kind, point.entry.get("why")
    shoe = None if point.before is None else point.before.shoe
    if kind == "lost":
        case.agree(ACT, point.place, "the house has lost the shoe, and says so (lost)")
    elif not point.whole and form["do"] != receipts.HASH:
        case.decide("not decided", point.place, NEEDS_WHOLE_LOG)
    elif form["do"] == receipts.DECISION:
        if point.surely(case):
            case.decide("missing", point.place, f"ends the shoe ({kind}) without it")
    elif form["do"] == receipts.HASH and why == "idle" and shoe is not None and shoe.stage is Stage.HASH:
        if form["player"] in shoe.struck:
            case.agree(ACT, point.place, LEFT)
        elif point.before is not None and is_deserted(point.before.book, shoe):
            case.agree(ACT, point.place, "nobody was left who could be dealt to")
        elif point.surely(case):
            case.differs(point.place, "why", f"a hash of {form['player']}", "idle: nobody sent one")
    elif form["do"] != receipts.BET or not judge_overdue(case, point):
        case.agree(ACT, point.place, f"the shoe ended before ({why or kind})")


def judge_overdue(case: ReceiptCase, point: LogPoint) -> bool:
    """Whether a round had to open with bets that the house took, and something else came: decides that."""
    form, before = case.form, point.before
    shoe = None if before is None else before.shoe
    if form["do"] != receipts.BET or not form["bets"] or before is None or shoe is None or not point.whole:
        return False
    later, all_of_it = case.until(point.at)
    if not all_of_it or shoe.id != form["shoe"] or _is_left(case, point) or _is_changed(case, later):
        return False
    if not _would_open(case, before.book, shoe):
        return False
    if shoe.course is Course.ONE and point.entry.get("why") == "idle" and not is_deserted(before.book, shoe):
        case.differs(point.place, "why", form["bets"], "idle: nobody bet")
    elif microseconds(point.at) > _due(case, before.book, shoe):
        case.differs(point.place, "at", form["bets"], point.at, "the round had to open with these bets long before")
    return bool(case.word)


def _would_open(case: ReceiptCase, book: Book, shoe: Shoe) -> bool:
    """Whether these bets alone would have a round opened."""
    if shoe.stage is not Stage.BET or shoe.bank_moved or book.rules.needs_first_bank(book.table):
        return False
    form = case.form
    try:
        own = [bet for bet in map(bet_of, form["bets"]) if bet.box == form["seat"]]
        return close_betting(book, shoe, {form["seat"]: own}, [form["seat"]]) is not None
    except RuleError:
        return False


def _due(case: ReceiptCase, book: Book, shoe: Shoe) -> int:
    """By when a round with these bets was open, if nothing else was waited for than limits (microseconds)."""
    began = max(wait_start(book, shoe.betting_since), wait_start(book, case.form["at"]))
    choices = 2 * len(book.chairs) if banks(book.rules) else 0
    return began + (shoe.policy.bet + choices * shoe.policy.decision) * SECOND + GRACE


def banks(rules: Rules) -> bool:
    """Whether the rules ever move the bank."""
    return type(rules).settle_bank is not Rules.settle_bank


def _is_changed(case: ReceiptCase, later: list[ReceiptCase]) -> bool:
    """Whether other bets on the same round were offered since."""
    return any(each.form["do"] == receipts.BET and each.form["round"] == case.form["round"] for each in later)


def _is_left(case: ReceiptCase, point: LogPoint) -> bool:
    """Whether the chair was left since, by a receipt or by the log; somebody may sit there again."""
    later, _ = case.until(point.at)
    if any(each.form.get("leaves") for each in later):
        return True
    chair = None if point.before is None else point.before.book.chairs.get(case.form["seat"])
    return point.whole and (chair is None or chair.player != case.form["player"] or chair.seated_at > case.form["last"])


# What an entry shows.


def _of_seat(opened: Entry, seat: int) -> list[Entry]:
    """A seat's bets in an `open`, by box."""
    return [bet for bet in stakes(opened) if bet["seat"] == seat]


def _played(before: LoggedTable, entry: Entry) -> Any:
    """Return the round that an entry tells, by the table before it; None where it cannot be played."""
    book, shoe = before.book, before.shoe
    if book.open_round is None or shoe is None:
        return None
    source = LoggedCards(entry["cards"], position=shoe.position, present=shoe.deck_size, size=shoe.cards)
    try:
        return replay(
            book.table, source, standing_bets(book, shoe, book.open_round), map(decision_of, entry["decisions"])
        )
    except (RuleError, KeyError):
        return None


def _named(seen: Any, logged: Entry) -> Any:
    """A round's view without the balances of whom the round does not name."""
    if type(seen) is not dict or type(seen.get("chips")) is not dict:
        return seen
    return {**seen, "chips": {name: held for name, held in seen["chips"].items() if name in logged["chips"]}}


def _without_balances(form: Entry) -> Entry:
    shown = form["view"]
    if type(shown.get("shoe")) is not dict:
        return form
    shoe = {name: value for name, value in shown["shoe"].items() if name != "struck"}
    return {**form, "view": {**shown, "chips": None, "shoe": shoe}}
