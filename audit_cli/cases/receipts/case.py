"""A receipt that is being decided, and a table at an entry of its log, against which it is held."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as made
from typing import Any, Literal, NamedTuple

from fairshoe.ceremony.book import Book, Shoe
from fairshoe.ceremony.receipts import BET, CHIPS, DECISION, SEED, STANDS
from fairshoe.errors import InputError
from fairshoe.log.canonical import Entry
from fairshoe.receipts import BUY_IN, is_of_lone_shoe
from fairshoe.record.forms import table_of

Word = Literal["agrees", "differs", "missing", "not decided", "refused", "unfinished"]
CONVICTING = ("differs", "missing")
"""Verdicts that show that the house said one thing and logged another."""
OWN = (SEED, CHIPS)
"""Requests that have an entry of their own, the first of their step."""
MAX_SHOWN = 160
SERVICE_RESTARTED = "the service started again, and the file does not go on"


class Receipt(NamedTuple):
    """A receipt in its place among the notes of a file (from 1): what it `says`, or why it is `refused`. `broken`:
    only because it was not written to its end."""

    place: int
    says: Entry
    refused: str = ""
    broken: bool = False


@dataclass(slots=True, eq=False)
class ReceiptCase:
    """A receipt that is being decided."""

    receipt: Receipt  # the receipt
    word: Word | Literal[""] = ""  # the decision, "" until then
    entry: int | None = None  # index of the entry that decides
    field: str | None = None  # the field that differs
    says: Any = None  # what the receipt says there
    log: Any = None  # what the log says there
    remark: str = ""  # why, in words
    open_parts: set[str] = made(default_factory=set)  # parts that have still to agree
    following: list[ReceiptCase] = made(default_factory=list, repr=False)  # name this one, at the next step
    stood: list[ReceiptCase] = made(default_factory=list, repr=False)  # name it, of bets before that step
    sat: str = ""  # when the chair was taken by the receipt that begins its numbers; "" if the file has none

    @property
    def form(self) -> Entry:
        return self.receipt.says

    @property
    def stands(self) -> bool:
        return self.form.get("state") == STANDS

    @property
    def begins(self) -> bool:
        """Whether the chair was taken by it."""
        return self.form["number"] == 1 and self.form.get("op") == BUY_IN

    def behind(self, at: str) -> bool:
        """Whether an entry of its table with this time is of its step, or later."""
        form = self.form
        return bool(at >= form["at"] if self.stands else at > form["last"] or form["last"] >= form["at"] <= at)

    def until(self, at: str) -> tuple[list[ReceiptCase], bool]:
        """Return the chair's later receipts from before an entry of this time, and whether the file has all of them."""
        found: list[ReceiptCase] = []
        case = self
        while len(case.following) == 1 and not case.form.get("leaves"):
            case = case.following[0]
            if not case.behind(at) or (case.form["do"] in OWN and case.form["at"] == at):
                return found, True
            found.append(case)
        last = bool(case.form.get("leaves")) or (not case.following and any(s.form["at"] >= at for s in case.stood))
        return found, last

    # Words.

    def decide(self, word: Word, entry: int | None = None, remark: str = "") -> None:
        """The first word counts, but that what is not decided by one entry may differ by it."""
        if not self.word or (self.word == "not decided" and word in CONVICTING):
            self.word, self.entry, self.remark = word, entry, remark or self.remark

    def differs(self, entry: int | None, field: str, says: Any, log: Any, remark: str = "") -> None:
        if self.word not in ("agrees", *CONVICTING):
            self.field, self.says, self.log = field, says, log
        self.decide("differs", entry, remark)

    def agree(self, part: str, entry: int | None, remark: str = "") -> None:
        """One part agrees; the receipt does when all do."""
        self.open_parts.discard(part)
        self.remark = self.remark or remark
        if not self.open_parts:
            self.decide("agrees", entry)

    @property
    def about(self) -> str:
        """The subject of the receipt, in words."""
        form = self.form
        if self.receipt.refused:
            subject = [f"{name} {form[name]}" for name in ("table", "shoe", "player", "do") if name in form]
            return ", ".join(subject) or "unreadable"
        if is_of_lone_shoe(form):
            return f"shoe {form['shoe']} {form['player']}: {form['do']}"
        what = f"{form['table']} seat {form['seat']} {form['player']}: {form['do']}"
        if form["do"] == DECISION:
            return f"{what} {form['move']}, {form['about']} {form['round']}, step {form['step']}"
        if form["do"] == BET:
            return f"{what} that {STANDS if self.stands else 'was offered'}, round {form['round']}"
        return f"{what} {form['op']}" if "op" in form else f"{what}, shoe {form['shoe']}"

    @property
    def line(self) -> str:
        """The decision, in a line."""
        why = self.receipt.refused or self.remark
        if self.word == "differs":
            says = f"field {self.field}: the receipt says {shown(self.says)}, "
            log = f"entry {self.entry}, {says}the log {shown(self.log)}" + (f" ({why})" if why else "")
            why = log if self.entry is not None else f"{says}but {why}"
        elif self.word == "missing" and self.entry is not None:
            why = f"entry {self.entry} {why}"
        return f"{self.about}: {self.word}" + (f": {why}" if why else "")

    def as_json(self) -> dict[str, Any]:
        return {
            "place": self.receipt.place,
            "about": self.about,
            "verdict": self.word,
            "entry": self.entry,
            "field": self.field,
            "receipt": self.says,
            "log": self.log,
            "remark": self.receipt.refused or self.remark,
        }


def shown(value: Any) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


# A log at one of its entries.


class LoggedTable(NamedTuple):
    """A table as the log tells it at an entry, and the commitment of its shoe in play."""

    book: Book
    commitment: str = ""

    @property
    def shoe(self) -> Shoe | None:
        return self.book.shoe

    def kept(self) -> LoggedTable:
        """Copy the table, so that it stays as it is whatever entries follow."""
        book, shoe = self.book, self.book.shoe
        shoe = None if shoe is None else replace(shoe, struck=list(shoe.struck))
        return LoggedTable(replace(book, chairs=dict(book.chairs), shoe=shoe), self.commitment)


class LogPoint(NamedTuple):
    """An entry, and its table before and after it; None where there is none.

    `whole`: the log has every entry of the table, so that what is not there was left out by the house. `starts`: when
    the service started; its clock may have been set back then, and what it heard and did not log may be lost.
    """

    place: int
    entry: Entry
    before: LoggedTable | None
    after: LoggedTable | None
    whole: bool
    starts: Sequence[str]

    @property
    def at(self) -> str:
        return str(self.entry["at"])

    @property
    def kind(self) -> str:
        return str(self.entry["kind"])

    def restarted(self, case: ReceiptCase) -> bool:
        """Whether the service started between the last entry that a receipt names and this one."""
        return any(case.form["last"] < at <= self.at for at in self.starts)

    def surely(self, case: ReceiptCase) -> bool:
        """Whether nothing that the file or the log may lack explains what is not there; else it is not decided."""
        if case.until(self.at)[1] or not self.restarted(case):
            return True
        case.decide("not decided", self.place, SERVICE_RESTARTED)
        return False


def compare_with_log(case: ReceiptCase, part: str, place: int, log: Any, says: Any, path: str = "") -> None:
    """Hold what a receipt says against the log: the first difference decides."""
    found = next(differences(log, says, path), None)
    if found is None:
        case.agree(part, place)
    else:
        case.differs(place, found[0], found[2], found[1])


def differences(log: Any, says: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield where two JSON values differ: the path, and both values. True is not 1."""
    if type(log) is dict and type(says) is dict:
        for name in sorted(log.keys() | says.keys()):
            inner = f"{path}.{name}" if path else str(name)
            yield from differences(log.get(name), says.get(name), inner)
    elif type(log) is list and type(says) is list and len(log) == len(says):
        for i, (one, other) in enumerate(zip(log, says, strict=True)):
            yield from differences(one, other, f"{path}[{i}]")
    elif type(log) is not type(says) or log != says:
        yield path, log, says


def table_named(shoe: Any) -> str | None:
    """Return the table that a shoe's id names."""
    try:
        return table_of(shoe)[0] if type(shoe) is str else None
    except InputError:
        return None
