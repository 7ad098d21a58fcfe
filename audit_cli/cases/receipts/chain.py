"""The receipts of a file: how those of a chair hang together, and what a log has in the player's name without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from fairshoe.ceremony.book import Book
from fairshoe.ceremony.receipts import BANK, BET, CHIPS, DECISION, HASH, SEED, WAIVER, Link, bets_left, link_of
from fairshoe.engine.moves import SEAT
from fairshoe.log.canonical import Entry
from fairshoe.receipts import BUY_IN, stakes

from .case import OWN, Receipt, ReceiptCase, shown, table_named

CUT = "cut"
OPS = (BUY_IN, "cash-out", "transfer")
"""The moves of chips that a player asks for."""
Chair = tuple[str, int, str]
"""Table, seat, player."""
Mark = tuple[Any, ...]


def link_receipts(receipts: Iterable[Receipt]) -> list[ReceiptCase]:
    """The receipts of a file in their order, each linked with those that name it; decided are those that no log could
    hold, or that cannot be read."""
    cases = [ReceiptCase(receipt) for receipt in receipts]
    for case in cases:
        if case.receipt.refused:
            case.decide("unfinished" if case.receipt.broken else "refused")
        else:
            _contradiction(case)
    _link([case for case in cases if not case.receipt.refused])
    return cases


def _contradiction(case: ReceiptCase) -> None:
    """Describe a statement of a receipt that no log can hold."""
    form = case.form
    if "shoe" in form and table_named(form["shoe"]) != form["table"]:
        case.differs(None, "shoe", form["shoe"], None, f"its table is {form['table']}")
    elif form["do"] in OWN and form["last"] < form["at"]:
        case.differs(None, "last", form["last"], None, "its step has an entry of its own")


def is_offer(form: Entry, stands: Entry) -> bool:
    """Whether a receipt is of bets on the round of bets that stand."""
    return form["do"] == BET and (form["shoe"], form["round"]) == (stands["shoe"], stands["round"])


def chair_of(form: Entry) -> Chair:
    return form["table"], form["seat"], form["player"]


def _link(cases: list[ReceiptCase]) -> None:
    """Have each know those that name it. Where two steps do, the house has begun anew, as after a restore: a gap."""
    known = {(*chair_of(case.form), link_of(case.form)): case for case in cases if not case.stands}

    def named_by(case: ReceiptCase) -> ReceiptCase | None:
        number = case.form["number"] - (not case.stands)
        return known.get((*chair_of(case.form), Link(number, case.form["before"])))

    for case in cases:
        named = named_by(case)
        if named is not None:
            (named.stood if case.stands else named.following).append(case)
        while named is not None and case.stands and not case.word:
            if is_offer(named.form, case.form):
                _hold(case, named.form)
                break
            named = named_by(named)
    for case in cases:
        if case.begins and not case.stands:
            _seated(case)


def _seated(begun: ReceiptCase) -> None:
    """Have all receipts of a stay in a chair know since when it is."""
    each = [begun]
    while each:
        case = each.pop()
        if not case.sat:
            case.sat = begun.form["at"]
            each += [*case.following, *case.stood]


def _hold(case: ReceiptCase, offered: Entry) -> None:
    """The bets that stand are those that were offered last, but for boxes that were given way."""
    own = stakes(case.form)
    if own != bets_left(offered["bets"], own, case.form["seat"]):
        why = f"receipt {offered['number']} of the chair, its last bet before, {shown(offered['bets'])}"
        case.differs(None, "bets", own, None, why)


# What has no receipt.


class LoggedAct(NamedTuple):
    """A player's act as an entry says it. `proven`: the house did it, since the file has no gap there."""

    entry: int
    table: str
    seat: int
    player: str
    what: str
    proven: bool

    @property
    def line(self) -> str:
        by = ": the numbers of the receipts leave no gap there, so that the house did it" if self.proven else ""
        return f"entry {self.entry}: {self.table} seat {self.seat} {self.player}: {self.what}{by}"


class LoggedActs:
    """Acts in the names of those whose file has the buy-in of a chair: `acts` are those without a receipt. What the
    house does where a limit passes, and bets that the rules force, are nobody's acts."""

    def __init__(self, cases: Iterable[ReceiptCase]) -> None:
        self.acts: list[LoggedAct] = []
        self._begun: dict[Mark, ReceiptCase] = {}
        self._sitting: dict[Chair, ReceiptCase] = {}
        self._marks: set[Mark] = set()
        self._offers: dict[Mark, list[list[Entry]]] = {}
        for case in cases:
            if case.receipt.refused or case.stands:
                continue
            form, chair = case.form, chair_of(case.form)
            self._marks.add((chair, *_mark(form)))
            if case.begins:
                self._begun[chair, form["at"]] = case
            if CUT in form:
                self._marks.add((chair, CUT, form["shoe"]))
            if form["do"] == BET:
                self._offers.setdefault((chair, form["shoe"], form["round"]), []).append(form["bets"])

    def add_entry(self, index: int, entry: Entry, book: Book) -> None:
        """An entry of a table, and the table after it."""
        if entry["kind"] == "chips":
            chair = (book.id, entry["seat"], entry["player"])
            if (begun := self._begun.get((chair, entry["at"]))) is not None:
                self._sitting[chair] = begun
        if not self._sitting:
            return
        for chair, mark, what in _acts(entry, book):
            if chair in self._sitting and not self._has(chair, mark, entry):
                proven = self._sitting[chair].until(entry["at"])[1]
                self.acts.append(LoggedAct(index, *chair, what, proven))
        for chair in [each for each in self._sitting if each[0] == book.id]:
            if book.table.players.get(chair[1]) != chair[2]:
                del self._sitting[chair]

    def _has(self, chair: Chair, mark: Mark, entry: Entry) -> bool:
        if (chair, *mark) not in self._marks or mark[0] != BET:
            return (chair, *mark) in self._marks
        seat, stand = chair[1], stakes(entry)
        own = [bet for bet in stand if bet["seat"] == seat]
        offers = self._offers[chair, entry["shoe"], entry["round"]]
        return any(own == bets_left(bets, stand, seat) for bets in offers)


def _mark(form: Entry) -> Mark:
    """Return the fields that an act and its receipt have in common."""
    do = form["do"]
    if do == CHIPS:
        return do, form["at"]
    if do == DECISION:
        return do, form["about"], form["round"], form["step"]
    return (do, form["shoe"], form["round"]) if do == BET else (do, form["shoe"])


def _acts(entry: Entry, book: Book) -> Iterator[tuple[Chair, Mark, str]]:
    kind, shoe, id = entry["kind"], entry.get("shoe"), book.id
    chairs = {seat: (id, seat, player) for seat, player in book.table.players.items()}
    seats = {chair[2]: chair for chair in chairs.values()}
    if kind == "chips" and entry["op"] in OPS and "by" not in entry:
        leaves = " and leaves" if entry.get("leaves") else ""
        yield (id, entry["seat"], entry["player"]), (CHIPS, entry["at"]), f"{entry['op']} {entry['amount']}{leaves}"
    elif kind == "seeds":
        for player in sorted(entry["hashes"].keys() & seats.keys()):
            yield seats[player], (HASH, shoe), f"hash, shoe {shoe}"
    elif kind in ("opened", "late") and entry["player"] in seats:
        yield seats[entry["player"]], (SEED, shoe), f"seed, shoe {shoe}"
    elif kind == "open":
        yield from _betting(entry, chairs, book)
    elif kind in (BANK, "round"):
        number = entry["round"] if kind == "round" else book.rounds
        for step, made in enumerate(entry.get("decisions", ())):
            if made["seat"] in chairs and made.get("by", SEAT) == SEAT:
                mark = (DECISION, kind, number, step)
                yield chairs[made["seat"]], mark, f"decision {made['move']}, {kind} {number}, step {step}"
    if kind in ("seeds", "opened") and (entry.get("cut") or {}).get("by") in seats:
        yield seats[entry["cut"]["by"]], (CUT, shoe), f"cut, shoe {shoe}"


def _betting(entry: Entry, chairs: dict[int, Chair], book: Book) -> Iterator[tuple[Chair, Mark, str]]:
    """Bets, passes and waivers; where the rules force the bets, only the waivers."""
    shoe, number = entry["shoe"], entry["round"]
    said = {bet["seat"]: "bet" for bet in stakes(entry)} | dict.fromkeys(entry.get("passed", ()), "pass")
    for seat in sorted(chairs.keys() & said) if book.rules.bets_freely else ():
        yield chairs[seat], (BET, shoe, number), f"{said[seat]}, round {number}"
    for seat in sorted(chairs.keys() & set(entry.get("waived", ()))):
        yield chairs[seat], (WAIVER, shoe), f"waiver, shoe {shoe}"
