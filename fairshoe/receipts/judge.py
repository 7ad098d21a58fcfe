"""Whether a log says what a receipt says: what was answered, what stands there, and what the seat saw.

`Judge` is shown the entries of tables in turn, with what the books say before and after each, by whoever follows a log:
the auditor, a player's own program. Of each receipt it decides, as soon as the log has come to it:

1. *its place*: the shoe and the round that it is about were in play before its step, and no entry of the table stands
   between the one that it names as the last and the moment when it was taken;
2. *what the seat could see* once the step was done: after the entry that it names as the last, the bank, the seat's
   chips and the shoe are what it shows;
3. *what was said* stands where it belongs: a seed or a move of chips as the step's first entry, a hash in `seeds`,
   bets in the next `open`, a decision in its `round` or `bank`, with the cards that the seat saw before it and after
   it. What is not there differs, unless the log shows that it could not be (the seat was left, the shoe had ended), or
   a later receipt of the chair took it back. Where the file has a gap there, or ends, that may be why: not decided.

A `whole` log has every entry of the table. Of a proof's few entries whoever made it may have left some out: nothing
that follows from one that is not there counts against the house.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from ..ceremony.betting import close_betting, taking_bets
from ..ceremony.book import Book, Shoe, bets_that_stand, one_round
from ..ceremony.contributing import cutters
from ..ceremony.ending import is_deserted, since
from ..ceremony.receipts import (
    BANK,
    BET,
    CHIPS,
    DECISION,
    HASH,
    ROUND,
    WAIVER,
    bets_left,
    chair_view,
    stands_receipt,
    stood_bets,
)
from ..engine.cards import Dealt
from ..engine.moves import Decision
from ..engine.round import replay, settle_bank
from ..engine.rules import Rules
from ..engine.view import view
from ..errors import RuleError
from ..log.canonical import Entry
from ..log.times import SECOND, microseconds
from ..record.forms import bet_of, decision_form, decision_of
from .acts import Act, Acts
from .kept import OWN, Case, Receipt, filed

PLACE, VIEW, ACT = "place", "view", "act"
ENDS = ("reveal", "void", "lost")
GRACE = 60 * SECOND
"""By so much a round may open after the last limit that it waits for."""
GAP = "a later receipt of the chair could explain it, and the file has none or a gap there"
AGAIN = "the service started again, and the file does not go on"
SEATED = "who sat there then only the whole log shows"
NOT_HERE = "it takes the whole log"
CHANGED, LEFT = "it was changed afterwards", "the seat was left before"
SHOWN = ("commitment", "roster", "hashes", "opened", "cut", "sealed")
"""What a proof's entries tell of a shoe; who was struck by leaving they do not."""
CHIP_FIELDS = ("op", "amount", "to", "leaves")


class Standing(NamedTuple):
    """A table as the log tells it at an entry, and the commitment of its shoe in play."""

    book: Book
    commitment: str = ""

    @property
    def shoe(self) -> Shoe | None:
        return self.book.shoe

    def kept(self) -> Standing:
        """The same, whatever entries follow."""
        book, shoe = self.book, self.book.shoe
        shoe = None if shoe is None else replace(shoe, struck=list(shoe.struck))
        return Standing(replace(book, chairs=dict(book.chairs), shoe=shoe), self.commitment)


class Point(NamedTuple):
    """An entry, and its table before and after it; None where there is none."""

    place: int
    entry: Entry
    before: Standing | None
    after: Standing | None

    @property
    def at(self) -> str:
        return str(self.entry["at"])

    @property
    def kind(self) -> str:
        return str(self.entry["kind"])


class Judge:
    """`cases` are the receipts in the order of their file, each with its word once `ended` was called; `strange` is
    what the log has in the name of whoever keeps the file, without a receipt in it."""

    def __init__(self, receipts: Iterable[Receipt], *, whole: bool = True) -> None:
        self.cases = filed(receipts)
        self._whole = whole
        self._waiting: dict[str, list[Case]] = defaultdict(list)
        self._active: dict[str, list[Case]] = defaultdict(list)
        self._tables: dict[str, Point] = {}
        self._starts: list[str] = []
        for case in sorted((case for case in self.cases if not case.receipt.refused), key=_begin, reverse=True):
            case.left = {ACT} if case.stands else {PLACE, VIEW, ACT}
            self._waiting[case.form["table"]].append(case)
        self.acts = Acts(self.cases)

    @property
    def strange(self) -> list[Act]:
        return self.acts.found

    def wants(self, table: str) -> bool:
        """Whether receipts are about this table."""
        return table in self._waiting

    def started(self, at: str) -> None:
        """The service started: its clock may have been set back, and what it heard and did not log may be lost."""
        self._starts.append(at)

    def take(self, place: int, entry: Entry, before: Standing | None, after: Standing | None) -> None:
        """The next entry of a table that it `wants`, of a form that can be read; `before` is kept as it was."""
        standing = after or before
        if standing is None:
            return
        book = standing.book
        point = Point(place, entry, before, after)
        waiting, active = self._waiting[book.id], self._active[book.id]
        while waiting and _begin(waiting[-1]) <= point.at:
            active.append(waiting.pop())
        for case in active:
            self._judge(case, point)
        self._active[book.id] = [case for case in active if not case.word]
        self._tables[book.id] = point
        if after is not None and self._whole:
            self.acts.look(place, entry, after.book)

    def _judge(self, case: Case, point: Point) -> None:
        """One receipt at one entry of its table."""
        form = case.form
        if case.stands:
            self._stands(case, point)
            return
        if PLACE in case.left and case.behind(point.at):
            self._place(case, point)
        if ACT in case.left and case.behind(point.at) and not case.word:
            self._act(case, point)
        if VIEW in case.left and form["last"] <= point.at:
            self._view(case, point)

    # Its place.

    def _place(self, case: Case, point: Point) -> None:
        """What the step was about, by the log before it: the shoe in play, the open round or the bank."""
        form, place = case.form, point.place
        if point.before is None:
            case.decide("missing", place, "opens the table, which the receipt knows before")
            return
        book, own = point.before.book, form["do"] in OWN
        live = None if book.shoe is None else book.shoe.id
        if self._whole and form["last"] < point.at < form["at"] and not self._restarted(case, point.at):
            case.differs(place, "last", form["last"], point.at)
        if not own and "shoe" in form and form["shoe"] != live:
            case.differs(place, "shoe", form["shoe"], live)
        opened = None if book.open is None else book.open.number
        if form.get("about") == BANK and (opened is not None or not _banks(book.rules)):
            case.differs(place, "about", BANK, ROUND if opened else "a bank that never moves")
        elif form.get("about") == ROUND and opened != form["round"]:
            case.differs(place, "round", form["round"], opened)
        elif form["do"] == BET and self._whole and form["round"] != book.rounds + 1:
            case.differs(place, "round", form["round"], book.rounds + 1)
        case.agree(PLACE, place)

    def _restarted(self, case: Case, until: str) -> bool:
        return any(case.form["last"] < at <= until for at in self._starts)

    # What the seat could see.

    def _view(self, case: Case, point: Point) -> None:
        """The table after the entry that the receipt names as the last, but for the cards of a round."""
        form, place = case.form, point.place
        shown = {name: value for name, value in form["view"].items() if (form["do"], name) != (DECISION, ROUND)}
        if not self._whole:
            self._view_of_some(case, point, shown)
        elif point.at != form["last"]:
            case.decide("missing", place, f"is later, and the table has no entry of {form['last']}")
        elif point.after is None:
            case.decide("missing", place, "leaves no table")
        else:
            sits = point.after.book.table.players.get(form["seat"])
            gone = "leaves" in form or shown.get("chips", 0) is None  # by the house's word, as soon as it was done
            if sits != (None if gone else form["player"]):
                case.differs(place, "player", form["player"], sits)
            _same(case, VIEW, place, chair_view(point.after.book, form["seat"], point.after.commitment), shown, "view")

    def _view_of_some(self, case: Case, point: Point, shown: Entry) -> None:
        """What the entries of a proof tell of the shoe that was in play."""
        sure = point.at == case.form["last"]
        standing, seen = point.after if sure else point.before, shown.get("shoe")
        shoe = None if standing is None else standing.shoe
        if standing is None or shoe is None or shoe.id != case.form.get("shoe"):
            if sure and seen is not None:
                case.differs(point.place, "view.shoe", seen, None)
            case.agree(VIEW, point.place)
            return
        wanted = chair_view(standing.book, case.form["seat"], standing.commitment)["shoe"]
        names = SHOWN if shoe.sealed else SHOWN[:2]
        found = {name: seen.get(name) for name in names} if type(seen) is dict else seen
        _same(case, VIEW, point.place, {name: wanted[name] for name in names}, found, "view.shoe")

    # What was said.

    def _act(self, case: Case, point: Point) -> None:
        form, entry, kind = case.form, point.entry, point.kind
        if form["do"] in OWN:
            self._own_entry(case, point)
        elif form.get("about") == BANK:
            self._banked(case, point)
        elif kind == "shoe" and self._whole:
            case.decide("missing", point.place, f"begins another shoe, and nothing of it stands about {form['shoe']}")
        elif entry.get("shoe") != form["shoe"]:
            self._overdue(case, point)
        elif kind in ENDS:
            self._ended(case, point)
        elif form["do"] == HASH and kind == "seeds":
            self._hashed(case, point)
        elif form["do"] == WAIVER and kind == "open":
            self._waived(case, point)
        elif form["do"] == BET and kind == "open":
            self._offered(case, point)
        elif form["do"] == DECISION and kind == "round":
            self._decided(case, point)

    def _surely(self, case: Case, point: Point) -> bool:
        """Whether nothing that the file or the log may lack explains what is not there; else it is not decided."""
        if case.until(point.at)[1] or not self._restarted(case, point.at):
            return True
        case.decide("not decided", point.place, AGAIN)
        return False

    def _own_entry(self, case: Case, point: Point) -> None:
        """A seed or a move of chips is the first entry of its step."""
        form, entry = case.form, point.entry
        if point.at != form["at"] or point.kind not in (("chips",) if form["do"] == CHIPS else ("opened", "late")):
            if self._whole:
                about = entry.get("shoe") or entry.get("table") or ""
                case.decide("missing", point.place, f"is another one ({point.kind} {about}".rstrip() + ")")
            return
        wanted: Entry = {"at": form["at"], "player": form["player"]}
        if form["do"] == CHIPS:
            wanted |= {name: form[name] for name in ("table", "seat", *CHIP_FIELDS) if name in form}
            logged = {name: entry[name] for name in (*wanted, *CHIP_FIELDS, "by") if name in entry}
        else:
            wanted |= {"shoe": form["shoe"], "seed": form["seed"]}
            if "cut" in form:
                wanted["cut"] = {"at": form["cut"], "by": form["player"]}
            logged = {name: entry[name] for name in wanted if name in entry}
        _same(case, ACT, point.place, logged, wanted)

    def _hashed(self, case: Case, point: Point) -> None:
        """`seeds`: the hash stands there, unless the seat left before; and the cut, if it is the one that counts."""
        form, player, cut = case.form, case.form["player"], point.entry.get("cut")
        logged = point.entry.get("hashes", {}).get(player)
        shoe = None if point.after is None else point.after.shoe
        if logged is None and shoe is not None and player in shoe.struck:
            case.agree(ACT, point.place, LEFT)
        elif logged is None and not self._whole and player not in point.entry.get("unheard", ()):
            case.decide("not decided", point.place, SEATED)
        elif logged != form["hash"]:
            if self._surely(case, point):
                case.differs(point.place, f"hashes.{player}", form["hash"], logged)
        elif "cut" in form and not self._is_cut(case, point):
            case.differs(point.place, "cut", {"at": form["cut"], "by": player}, cut)
        else:
            case.agree(ACT, point.place)

    def _is_cut(self, case: Case, point: Point) -> bool:
        """Whether the log has this cut, or rightly one of somebody before."""
        form, cut = case.form, point.entry.get("cut") or {}
        if cut.get("by") == form["player"]:
            return bool(cut.get("at") == form["cut"])
        if point.after is None or point.after.shoe is None or not self._whole:
            return True
        able = cutters(point.after.book, point.after.shoe)
        return form["player"] not in able or cut.get("by") in able[: able.index(form["player"])]

    def _waived(self, case: Case, point: Point) -> None:
        """A waiver shows with the first bet that needs it."""
        seat = case.form["seat"]
        if seat in point.entry.get("waived", ()):
            case.agree(ACT, point.place)
        elif self._is_left(case, point):
            case.agree(ACT, point.place, LEFT)
        elif not self._whole:
            case.decide("not decided", point.place, NOT_HERE)
        elif _stakes(point.entry, seat) and self._surely(case, point):
            case.differs(point.place, "waived", [seat], point.entry.get("waived"))

    def _is_left(self, case: Case, point: Point) -> bool:
        """Whether the chair was left since, by a receipt or by the log; somebody may sit there again."""
        later, _ = case.until(point.at)
        if any(each.form.get("leaves") for each in later):
            return True
        chair = None if point.before is None else point.before.book.chairs.get(case.form["seat"])
        return self._whole and (chair is None or chair.player != case.form["player"] or chair.sat > case.form["last"])

    def _offered(self, case: Case, point: Point) -> None:
        """The last bets that a seat offered stand, but for a box that was given way to its own chair."""
        form, entry, seat = case.form, point.entry, case.form["seat"]
        if entry["round"] > form["round"]:
            case.decide("missing", point.place, f"opens round {entry['round']}, and round {form['round']} never was")
        if entry["round"] != form["round"]:
            return
        later, all_of_it = case.until(point.at)
        changed = any(each.form["do"] == BET and each.form["round"] == form["round"] for each in later)
        logged = _stakes(entry, seat)
        wanted = bets_left(form["bets"], [*entry["bets"], *entry.get("uncovered", ())], seat)
        heard = logged or form["bets"] or seat not in entry.get("late", ())
        if changed:
            case.agree(ACT, point.place, CHANGED)
        elif self._is_left(case, point):
            case.agree(ACT, point.place, LEFT)
        elif logged == wanted and heard and (logged or self._whole or seat in entry.get("passed", ())):
            case.agree(ACT, point.place)
        elif not self._whole:
            case.decide("not decided", point.place, SEATED)
        elif not all_of_it:
            case.decide("not decided", point.place, GAP)
        else:
            case.differs(point.place, "bets", form["bets"], logged)

    def _stands(self, case: Case, point: Point) -> None:
        """`open`: bets stand, and what was to be seen then."""
        form, after = case.form, point.after
        if point.at != form["at"] or point.kind != "open" or after is None or after.shoe is None:
            if self._whole and point.at >= form["at"]:
                case.decide("missing", point.place, f"is later: no such bets of {form['shoe']} stand")
            return
        stood = stood_bets(after.book, after.shoe, after.commitment, {})
        logged = stands_receipt(form["table"], stood, form["seat"]) if stood else None
        if logged is None:
            case.differs(point.place, "bets", form["bets"], None)
            return
        logged |= {name: form[name] for name in ("number", "before")}
        if not self._whole:
            logged, form = _without_balances(logged), _without_balances(form)
        _same(case, ACT, point.place, logged, form)

    def _decided(self, case: Case, point: Point) -> None:
        """`round`: the decision stands there, and what the seat saw before it and after it."""
        form, entry = case.form, point.entry
        if entry["round"] != form["round"] or point.before is None:
            return
        if not self._says(case, point):
            return
        dealt = _played(point.before, entry)
        if dealt is None:
            case.differs(point.place, "cards", form["view"].get("round"), "a round that cannot be played")
            return
        for shown, path, step in ((form["saw"], "saw", form["step"]), (form["view"].get("round"), "view.round", None)):
            seen = view(dealt, form["seat"], form["step"] + 1 if step is None else step)
            if not self._whole:
                seen, shown = _named(seen, entry), _named(shown, entry)
            found = next(differences(seen, shown, path), None)
            if found is not None:
                case.differs(point.place, found[0], found[2], found[1])
        case.agree(ACT, point.place)

    def _says(self, case: Case, point: Point) -> bool:
        """Whether the decision stands in its place among the entry's."""
        form, step = case.form, case.form["step"]
        said = Decision(form["seat"], form["move"], form.get("amount", 0), tuple(form.get("chosen", ())))
        logged = [{name: made[name] for name in made if name != "at"} for made in point.entry.get("decisions", ())]
        made = logged[step] if step < len(logged) else None
        found = next(differences(made, decision_form(said), f"decisions[{step}]"), None)
        if found is not None and self._surely(case, point):
            case.differs(point.place, found[0], found[2], found[1])
        return found is None

    def _banked(self, case: Case, point: Point) -> None:
        """`bank`: the decision stands there; a shoe that ended before left the bank where it was."""
        if point.kind not in ("bank", "open", "shoe", *ENDS) or point.before is None:
            return
        if point.kind == "bank" and point.entry.get("why") != "first":
            if self._says(case, point):
                case.agree(ACT, point.place)
        elif point.kind in ("bank", *ENDS) or not settle_bank(point.before.book.table).result.why:
            case.agree(ACT, point.place, "the bank was not in question any more")
        elif self._surely(case, point):
            case.decide("missing", point.place, f"({point.kind}) comes without a decision about the bank")

    def _ended(self, case: Case, point: Point) -> None:
        """The shoe has ended without the entry that would have had it."""
        form, kind, why = case.form, point.kind, point.entry.get("why")
        shoe = None if point.before is None else point.before.shoe
        if kind == "lost":
            case.agree(ACT, point.place, "the house has lost the shoe, and says so (lost)")
        elif not self._whole and form["do"] != HASH:
            case.decide("not decided", point.place, NOT_HERE)
        elif form["do"] == DECISION:
            if self._surely(case, point):
                case.decide("missing", point.place, f"ends the shoe ({kind}) without it")
        elif form["do"] == HASH and why == "idle" and shoe is not None and not shoe.hashed:
            if form["player"] in shoe.struck:
                case.agree(ACT, point.place, LEFT)
            elif self._surely(case, point):
                case.differs(point.place, "why", f"a hash of {form['player']}", "idle: nobody sent one")
        elif form["do"] != BET or not self._overdue(case, point):
            case.agree(ACT, point.place, f"the shoe ended before ({why or kind})")

    def _overdue(self, case: Case, point: Point) -> bool:
        """Whether a round had to open with bets that the house took, and something else came: decides that."""
        form, before = case.form, point.before
        shoe = None if before is None else before.shoe
        if form["do"] != BET or not form["bets"] or before is None or shoe is None or not self._whole:
            return False
        book, now = before.book, microseconds(point.at)
        later, all_of_it = case.until(point.at)
        if not all_of_it or shoe.id != form["shoe"] or self._is_left(case, point) or not _would_open(case, book, shoe):
            return False
        if any(each.form["do"] == BET and each.form["round"] == form["round"] for each in later):
            return False
        if one_round(book, shoe) and point.entry.get("why") == "idle" and not is_deserted(book, shoe):
            case.differs(point.place, "why", form["bets"], "idle: nobody bet")
        elif now > _due(case, book, shoe):
            case.differs(point.place, "at", form["bets"], point.at, "the round had to open with these bets long before")
        return bool(case.word)

    # The end.

    def ended(self, last: str) -> list[Case]:
        """All cases, once the log has ended with an entry of that time, "" where it has none."""
        for case in self.cases:
            if not case.word:
                self._left(case, last)
        return self.cases

    def _left(self, case: Case, last: str) -> None:
        """The word for a receipt that the log never came to."""
        form, point = case.form, self._tables.get(case.form["table"])
        came = form["at"] if case.stands else form["last"]
        if not self._whole:
            case.decide("not decided", None, NOT_HERE)
        elif not last or came > last:
            case.decide("not decided", None, "the log ends before it")
        elif point is None or VIEW in case.left or case.stands:
            case.decide("missing", None, f"the log goes on, and its table has no entry of {came}")
        else:
            after = Point(point.place, {"at": last, "kind": "", "v": 1}, point.after, None)
            if PLACE in case.left:
                self._place(case, after)
            if not case.word and not self._overdue(case, after):
                case.decide("not decided", None, "the log ends before it shows")


def _begin(case: Case) -> str:
    """From which entry on a log has to do with a receipt."""
    form = case.form
    return str(form["at"] if case.stands else min(form["at"], form["last"]))


def _banks(rules: Rules) -> bool:
    """Whether the rules ever move the bank."""
    return type(rules).between is not Rules.between


def _stakes(opened: Entry, seat: int) -> list[Entry]:
    """A seat's bets in an `open`, by box."""
    stakes = [*opened["bets"], *opened.get("uncovered", ())]
    return sorted((bet for bet in stakes if bet["seat"] == seat), key=lambda bet: bet.get("box", seat))


def _would_open(case: Case, book: Book, shoe: Shoe) -> bool:
    """Whether these bets alone would have a round opened."""
    if not taking_bets(book, shoe) or shoe.moved or book.rules.needs_first_bank(book.table):
        return False
    form = case.form
    try:
        own = [bet for bet in map(bet_of, form["bets"]) if bet.box == form["seat"]]
        return close_betting(book, shoe, {form["seat"]: own}, [form["seat"]]) is not None
    except RuleError:
        return False


def _due(case: Case, book: Book, shoe: Shoe) -> int:
    """By when a round with these bets was open, if nothing else was waited for than limits (microseconds)."""
    policy = shoe.policy
    began = max(since(book, shoe.betting), since(book, case.form["at"]))
    choices = 2 * len(book.chairs) if _banks(book.rules) else 0
    return began + (policy.bet + choices * policy.decision) * SECOND + GRACE


def _played(before: Standing, entry: Entry) -> Any:
    """The round that an entry tells, by the table before it; None where it cannot be played."""
    book, shoe = before.book, before.shoe
    if book.open is None or shoe is None:
        return None
    source = Dealt(entry["cards"], position=shoe.position, present=shoe.present, size=shoe.cards)
    try:
        return replay(book.table, source, bets_that_stand(book, shoe, book.open), map(decision_of, entry["decisions"]))
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


def _same(case: Case, part: str, place: int, log: Any, says: Any, path: str = "") -> None:
    """Hold what a receipt says against the log: the first difference decides."""
    found = next(differences(log, says, path), None)
    if found is None:
        case.agree(part, place)
    else:
        case.differs(place, found[0], found[2], found[1])


def differences(log: Any, says: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Where two JSON values differ: the path, and both. True is not 1."""
    if type(log) is dict and type(says) is dict:
        for name in sorted(log.keys() | says.keys()):
            inner = f"{path}.{name}" if path else str(name)
            yield from differences(log.get(name), says.get(name), inner)
    elif type(log) is list and type(says) is list and len(log) == len(says):
        for i, (one, other) in enumerate(zip(log, says, strict=True)):
            yield from differences(one, other, f"{path}[{i}]")
    elif type(log) is not type(says) or log != says:
        yield path, log, says
