"""Whether a log says what a receipt says: what was answered, what stands there, and what the seat saw.

`ReceiptJudge` looks on while a log is audited, with what the books say of a table before and after each entry. Of
each receipt it decides, as soon as the log has come to it:

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
from collections.abc import Iterable

from fairshoe.ceremony.receipts import BANK, BET, DECISION, ROUND, chair_view
from fairshoe.log.canonical import Entry
from fairshoe.receipts import is_of_lone_shoe

from ...verify.walk.audit import Audit
from ...verify.walk.shapes import KINDS, entry_faults
from ...verify.walk.state import AuditedShoe, AuditedTable
from ...verify.walk.watcher import Watcher, entry_of
from .case import OWN, LoggedTable, LogPoint, Receipt, ReceiptCase, compare_with_log, table_named
from .chain import LoggedAct, LoggedActs, link_receipts
from .statements import ACT, NEEDS_WHOLE_LOG, banks, judge_act, judge_overdue, judge_stands

PLACE, VIEW = "place", "view"
PROOF_FIELDS = ("commitment", "roster", "hashes", "opened", "cut", "sealed")
"""Fields of a shoe that a proof's entries tell. Players struck by leaving are not among them."""


class ReceiptJudge(Watcher):
    """`cases` are the receipts in the order of their file; `strange` is what the log has in the name of whoever keeps
    the file, without a receipt in it. `whole`: no entry is left out, as of a proof some may be."""

    def __init__(self, receipts: Iterable[Receipt], *, whole: bool = True) -> None:
        super().__init__()
        self.cases = link_receipts([each for each in receipts if each.refused or not is_of_lone_shoe(each.says)])
        self._whole = whole
        self._before: dict[str, LoggedTable] = {}
        self._waiting: dict[str, list[ReceiptCase]] = defaultdict(list)
        self._active: dict[str, list[ReceiptCase]] = defaultdict(list)
        self._tables: dict[str, LogPoint] = {}
        self._starts: list[str] = []
        for case in sorted((case for case in self.cases if not case.receipt.refused), key=_begin, reverse=True):
            case.open_parts = {ACT} if case.stands else {PLACE, VIEW, ACT}
            self._waiting[case.form["table"]].append(case)
        self.acts = LoggedActs(self.cases)

    @property
    def strange(self) -> list[LoggedAct]:
        return self.acts.acts

    def before_entry(self, audit: Audit, shoe: AuditedShoe | None) -> None:
        about = audit.tables.values() if shoe is None else [] if shoe.table is None else [shoe.table]
        wanted = [state for state in about if state.id in self._waiting]
        for state in wanted:
            audit.apply_starts(state)
        self._before = {state.id: _standing(audit, state).kept() for state in wanted}

    def after_entry(self, audit: Audit, shoe: AuditedShoe | None, line: bytes) -> None:
        if shoe is not None and (shoe.table is None or shoe.table.id not in self._waiting):
            return
        entry = audit.entry or entry_of(line)
        kind = entry.get("kind")
        if type(kind) is not str or kind not in KINDS or entry_faults(entry):
            return
        if kind == "start":
            self._starts.append(entry["at"])
        name = entry.get("table") or table_named(entry.get("shoe")) or ""  # a late seed's shoe is not in play
        if name in self._waiting:
            state = audit.tables.get(name)
            after = None if state is None else _standing(audit, state)
            self._take(audit.index, entry, self._before.get(name), after)

    def _take(self, place: int, entry: Entry, before: LoggedTable | None, after: LoggedTable | None) -> None:
        """The next entry of a table that receipts are about, of a form that can be read."""
        standing = after or before
        if standing is None:
            return
        book = standing.book
        point = LogPoint(place, entry, before, after, self._whole, self._starts)
        waiting, active = self._waiting[book.id], self._active[book.id]
        while waiting and _begin(waiting[-1]) <= point.at:
            active.append(waiting.pop())
        for case in active:
            self._judge(case, point)
        self._active[book.id] = [case for case in active if not case.word]
        self._tables[book.id] = point
        if after is not None and self._whole:
            self.acts.add_entry(place, entry, after.book)

    def _judge(self, case: ReceiptCase, point: LogPoint) -> None:
        """One receipt at one entry of its table."""
        form = case.form
        if case.stands:
            judge_stands(case, point)
            return
        if PLACE in case.open_parts and case.behind(point.at):
            self._place(case, point)
        if ACT in case.open_parts and case.behind(point.at) and not case.word:
            judge_act(case, point)
        if VIEW in case.open_parts and form["last"] <= point.at:
            self._view(case, point)

    # Its place.

    def _place(self, case: ReceiptCase, point: LogPoint) -> None:
        """Return the subject of the step, by the log before it: the shoe in play, the open round or the bank."""
        form, place = case.form, point.place
        if point.before is None:
            case.decide("missing", place, "opens the table, which the receipt knows before")
            return
        book, own = point.before.book, form["do"] in OWN
        live = None if book.shoe is None else book.shoe.id
        if not self._whole and live is None and form.get("shoe") != point.entry.get("shoe"):
            case.agree(PLACE, place)  # a proof has nothing of the shoes before its own
            return
        own_entry = self._whole and point.kind  # at the log's end the time is that of any table's last entry
        if own_entry and form["last"] < point.at < form["at"] and not point.restarted(case):
            case.differs(place, "last", form["last"], point.at)
        if not own and "shoe" in form and form["shoe"] != live:
            case.differs(place, "shoe", form["shoe"], live)
        opened = None if book.open_round is None else book.open_round.number
        if form.get("about") == BANK and (opened is not None or not banks(book.rules)):
            case.differs(place, "about", BANK, ROUND if opened else "a bank that never moves")
        elif form.get("about") == ROUND and opened != form["round"]:
            case.differs(place, "round", form["round"], opened)
        elif form["do"] == BET and self._whole and form["round"] != book.rounds + 1:
            case.differs(place, "round", form["round"], book.rounds + 1)
        case.agree(PLACE, place)

    # What the seat could see.

    def _view(self, case: ReceiptCase, point: LogPoint) -> None:
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
            chair = point.after.book.chairs.get(form["seat"])
            if case.sat and chair is not None and chair.player == form["player"] and chair.seated_at != case.sat:
                case.differs(place, "number", form["number"], None, f"the chair was taken anew at {chair.seated_at}")
            compare_with_log(
                case, VIEW, place, chair_view(point.after.book, form["seat"], point.after.commitment), shown, "view"
            )

    def _view_of_some(self, case: ReceiptCase, point: LogPoint, shown: Entry) -> None:
        """Return the shoe in play as the entries of a proof tell it."""
        sure = point.at == case.form["last"]
        standing, seen = point.after if sure else point.before, shown.get("shoe")
        shoe = None if standing is None else standing.shoe
        named = case.form.get("shoe", shoe.id if sure and shoe is not None else None)  # one about the bank names none
        if standing is None or shoe is None or shoe.id != named:
            if sure and seen is not None:
                case.differs(point.place, "view.shoe", seen, None)
            case.agree(VIEW, point.place)
            return
        wanted = chair_view(standing.book, case.form["seat"], standing.commitment)["shoe"]
        names = PROOF_FIELDS if shoe.sealed else PROOF_FIELDS[:2]
        found = {name: seen.get(name) for name in names} if type(seen) is dict else seen
        compare_with_log(case, VIEW, point.place, {name: wanted[name] for name in names}, found, "view.shoe")

    # The end.

    def judge_rest(self) -> list[ReceiptCase]:
        """All cases, each with its word, once the log has ended."""
        last = "" if self.audit is None else self.audit.last_at
        for case in self.cases:
            if not case.word:
                self._left(case, last)
        return self.cases

    def _left(self, case: ReceiptCase, last: str) -> None:
        """The word for a receipt that the log never came to."""
        form, point = case.form, self._tables.get(case.form["table"])
        came = form["at"] if case.stands else form["last"]
        if not self._whole:
            case.decide("not decided", None, NEEDS_WHOLE_LOG)
        elif not last or came > last:
            case.decide("not decided", None, "the log ends before it")
        elif point is None or VIEW in case.open_parts or case.stands:
            case.decide("missing", None, f"the log goes on, and its table has no entry of {came}")
        else:
            after = point._replace(entry={"at": last, "kind": "", "v": 1}, before=point.after, after=None)
            if PLACE in case.open_parts:
                self._place(case, after)
            if not case.word and not judge_overdue(case, after):
                case.decide("not decided", None, "the log ends before it shows")


def _begin(case: ReceiptCase) -> str:
    """From which entry on a log has to do with a receipt."""
    form = case.form
    return str(form["at"] if case.stands else min(form["at"], form["last"]))


def _standing(audit: Audit, state: AuditedTable) -> LoggedTable:
    live = None if state.book.shoe is None else audit.shoes.get(state.book.shoe.id)
    return LoggedTable(state.book, "" if live is None else live.commitment)
