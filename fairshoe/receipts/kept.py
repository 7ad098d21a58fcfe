"""Receipts as a player keeps them: their form, and how those of a chair hang together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dataclasses import field as made
from re import ASCII, compile
from typing import Any, Literal, NamedTuple

from ..ceremony.receipts import (
    BANK,
    BET,
    CHIPS,
    DECISION,
    HASH,
    OFFERED,
    ROUND,
    SEED,
    STANDS,
    VERSION,
    WAIVER,
    Link,
    bets_left,
    link_of,
)
from ..errors import InputError
from ..log.canonical import Entry
from ..log.times import is_moment
from ..record.forms import is_bet, is_seat, is_seats, table_of

Word = Literal["agrees", "differs", "missing", "not decided", "refused", "unfinished"]
CONVICTS = ("differs", "missing")
"""What shows that the house said one thing and logged another."""
BUY_IN = "buy-in"
OWN = (SEED, CHIPS)
"""What has an entry of its own, the first of its step."""
MOST_SHOWN = 160

# Their form.

Test = Callable[[Any], bool]


def _like(pattern: str) -> Test:
    found = compile(pattern, ASCII)
    return lambda value: type(value) is str and found.fullmatch(value) is not None


def _of(kind: type) -> Test:
    return lambda value: type(value) is kind


def _count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _bets(value: Any) -> bool:
    return type(value) is list and all(map(is_bet, value))


_object, _integer, _true, _text = _of(dict), _of(int), lambda value: value is True, _like("(?s:.{1,256})")
_id, _hash, _seed = _like(r"[A-Za-z0-9._:/-]{1,64}"), _like("[0-9a-f]{64}"), _like("(?:[0-9a-f]{2}){1,128}")
_ALL: dict[str, Test] = {
    "v": lambda value: type(value) is int and value == VERSION,
    "table": _id,
    "seat": is_seat,
    "player": _id,
    "number": _count,
    "before": lambda value: value is None or _hash(value),
    "at": is_moment,
    "do": _text,
    "view": _object,
}
_BY_DO: dict[str, dict[str, Test]] = {
    HASH: {"shoe": _id, "hash": _hash, "cut?": _count},
    SEED: {"shoe": _id, "seed": _seed, "cut?": _count},
    WAIVER: {"shoe": _id},
    CHIPS: {"op": _text, "amount": _integer, "to?": is_seat, "leaves?": _true},
    OFFERED: {"state": _text, "shoe": _id, "round": is_seat, "bets": _bets},
    STANDS: {"state": _text, "shoe": _id, "round": is_seat, "bets": _bets, "uncovered": _bets},
    ROUND: {"shoe": _id, "saw": _object},
    BANK: {},
}
_CHOICE: dict[str, Test] = {"about": _text, "round": _count, "step": _count, "move": _text}
_CHOICE |= {"amount?": is_seat, "chosen?": is_seats}


def fault_of(says: Entry) -> str | None:
    """The first field that a receipt has not, has too much or has wrong; None where all are right."""
    do = says.get("do")
    name = says.get("state") if do == BET else says.get("about") if do == DECISION else do
    kinds = {BET: (OFFERED, STANDS), DECISION: (ROUND, BANK)}
    if type(do) is not str or type(name) is not str or name not in kinds.get(do, (HASH, SEED, WAIVER, CHIPS)):
        return "do"
    tests = _ALL | ({} if name == STANDS else {"last": is_moment}) | _BY_DO[name] | (_CHOICE if do == DECISION else {})
    for each, test in tests.items():
        field = each.removesuffix("?")
        if not test(says[field]) if field in says else field == each:
            return field
    return next((field for field in says if field not in tests and f"{field}?" not in tests), None)


# What is decided about each.


class Receipt(NamedTuple):
    """A receipt in its place among the notes of a file (from 1): what it `says`, or why it is `refused`. `broken`:
    only because it was not written to its end."""

    place: int
    says: Entry
    refused: str = ""
    broken: bool = False


@dataclass(slots=True, eq=False)
class Case:
    """A receipt that is being decided: `word` is "" until then.

    `entry` is the entry that decides, `field` what differs, `says` and `log` what the receipt and the log say there.
    `left`: what has still to agree. `following` and `stood` are the receipts that name this one: of the chair's next
    step, and of bets that stood before it. `sat`: when the chair was taken by the receipt with which its numbers began,
    "" where the file does not have it.
    """

    receipt: Receipt
    word: Word | Literal[""] = ""
    entry: int | None = None
    field: str | None = None
    says: Any = None
    log: Any = None
    remark: str = ""
    left: set[str] = made(default_factory=set)
    following: list[Case] = made(default_factory=list, repr=False)
    stood: list[Case] = made(default_factory=list, repr=False)
    sat: str = ""

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

    def until(self, at: str) -> tuple[list[Case], bool]:
        """The chair's later receipts from before an entry of this time, and whether the file has all of them."""
        found: list[Case] = []
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
        if not self.word or (self.word == "not decided" and word in CONVICTS):
            self.word, self.entry, self.remark = word, entry, remark or self.remark

    def differs(self, entry: int | None, field: str, says: Any, log: Any, remark: str = "") -> None:
        if self.word not in ("agrees", *CONVICTS):
            self.field, self.says, self.log = field, says, log
        self.decide("differs", entry, remark)

    def agree(self, part: str, entry: int | None, remark: str = "") -> None:
        """One part agrees; the receipt does when all do."""
        self.left.discard(part)
        self.remark = self.remark or remark
        if not self.left:
            self.decide("agrees", entry)

    @property
    def about(self) -> str:
        """What it is a receipt of, in words."""
        form = self.form
        if not form:
            return "unreadable"
        what = f"{form['table']} seat {form['seat']} {form['player']}: {form['do']}"
        if form["do"] == DECISION:
            return f"{what} {form['move']}, {form['about']} {form['round']}, step {form['step']}"
        if form["do"] == BET:
            return f"{what} that {STANDS if self.stands else 'was offered'}, round {form['round']}"
        return f"{what} {form['op']}" if "op" in form else f"{what}, shoe {form['shoe']}"

    @property
    def line(self) -> str:
        """What is decided, in a line."""
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
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def filed(receipts: Iterable[Receipt]) -> list[Case]:
    """The receipts of a file in their order, each linked with those that name it; decided are those that no log could
    hold, or that cannot be read."""
    cases = [Case(receipt) for receipt in receipts]
    for case in cases:
        if case.receipt.refused:
            case.decide("unfinished" if case.receipt.broken else "refused")
        else:
            _contradiction(case)
    _link([case for case in cases if not case.receipt.refused])
    return cases


def _contradiction(case: Case) -> None:
    """What a receipt says that no log can hold."""
    form = case.form
    if "shoe" in form and table_named(form["shoe"]) != form["table"]:
        case.differs(None, "shoe", form["shoe"], None, f"its table is {form['table']}")
    elif form["do"] in OWN and form["last"] < form["at"]:
        case.differs(None, "last", form["last"], None, "its step has an entry of its own")


def is_offer(form: Entry, stands: Entry) -> bool:
    """Whether a receipt is of bets on the round of bets that stand."""
    return form["do"] == BET and (form["shoe"], form["round"]) == (stands["shoe"], stands["round"])


def stakes(form: Entry) -> list[Entry]:
    """The bets of an `open`, or of a receipt of bets that stand, by box."""
    bets = [*form["bets"], *form.get("uncovered", ())]
    return sorted(bets, key=lambda bet: int(bet.get("box", bet["seat"])))


def table_named(shoe: Any) -> str | None:
    """The table that a shoe's id names."""
    try:
        return table_of(shoe)[0] if type(shoe) is str else None
    except InputError:
        return None


def chair_of(form: Entry) -> tuple[str, int, str]:
    """Table, seat and player."""
    return form["table"], form["seat"], form["player"]


def _link(cases: list[Case]) -> None:
    """Have each know those that name it. Where two steps do, the house has begun anew, as after a restore: a gap."""
    known = {(*chair_of(case.form), link_of(case.form)): case for case in cases if not case.stands}

    def named_by(case: Case) -> Case | None:
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


def _seated(begun: Case) -> None:
    """Have all receipts of a stay in a chair know since when it is."""
    each = [begun]
    while each:
        case = each.pop()
        if not case.sat:
            case.sat = begun.form["at"]
            each += [*case.following, *case.stood]


def _hold(case: Case, offered: Entry) -> None:
    """The bets that stand are those that were offered last, but for boxes that were given way."""
    own = stakes(case.form)
    if own != bets_left(offered["bets"], own, case.form["seat"]):
        why = f"receipt {offered['number']} of the chair, its last bet before, {shown(offered['bets'])}"
        case.differs(None, "bets", own, None, why)
