"""Receipts against the few entries of a proof file: what those decide, and what only the whole log can."""

from __future__ import annotations

from collections.abc import Iterable

from fairshoe.ceremony.receipts import BET, DECISION, HASH, STANDS
from fairshoe.engine.table import account_name
from fairshoe.log.canonical import Entry
from fairshoe.log.times import microseconds

from ..hand.dealt import Hand
from ..proof.parts import Parts
from . import acts
from .filed import filed
from .of_hand import is_about
from .proof_acts import act_in, opening_of
from .reading import Receipt
from .verdict import ACT, VIEW, Case

LATER = "the proof's checkpoint covers {:,} entries, before it: get the proof again"
FIXED = ("commitment", "roster")
SHOWN = (*FIXED, "hashes", "opened", "cut", "sealed")
"""What of a shoe's view the entries of a proof tell; who was struck by leaving they do not. Without the `seal` entries
before it may be left out."""


def decided(receipts: Iterable[Receipt], parts: Parts, hand: Hand, size: int) -> list[Case]:
    """The receipts of a file, those about the hand decided. `size`: how many entries the proof's checkpoint covers.

    Nothing that somebody could bring about who leaves entries out of a proof counts against the house: balances, and
    who has left a chair, are not held.
    """
    cases = filed(receipts)
    for case in cases:
        if not case.word and is_about(hand, case):
            _decide(case, parts, hand, size)
    return cases


def _decide(case: Case, parts: Parts, hand: Hand, size: int) -> None:
    form = case.form
    if form["do"] == BET and form["state"] == STANDS:
        case.left = {ACT}
        _stands(case, parts, hand)
        return
    case.left = {ACT, VIEW}
    _hold_places(case, parts)
    if form["size"] > size:
        case.decide("not yet", None, LATER.format(size))
        return
    left = act_in(case, parts, hand)
    _hold_view(case, parts, hand)
    if left is not None:
        case.decide(left.word, None, left.why)


# Where and when.


def _hold_places(case: Case, parts: Parts) -> None:
    """An entry stands before the step if it is older, and behind it if it is not; `before` and `size` say which do."""
    form = case.form
    before, size, at = form["before"], form["size"], form["at"]
    for place, _, entry in parts.all:
        if entry["at"] < at if place >= before else entry["at"] >= at:
            case.differs(place, "at", at, entry["at"])
        elif before <= place < size and microseconds(entry["at"]) > microseconds(at) + place - before:
            case.differs(place, "size", size, f"an entry of {entry['at']}: the step was over")
    ahead = [parts.shoe]
    if form["do"] == DECISION:
        ahead.append(opening_of(parts))
    behind = parts.of("seeds") if form["do"] == HASH else []
    if form["do"] == DECISION:
        behind = [part for part in parts.of("round") if part.entry["round"] == parts.number]
    elif form["do"] == BET:
        behind = [opening_of(parts)]
    for part in ahead:
        if part.place >= before:
            case.differs(part.place, "before", before, f"the `{part.entry['kind']}` as entry {part.place}")
    for part in behind:
        if part.place < before:
            case.differs(part.place, "before", before, f"the `{part.entry['kind']}` as entry {part.place}")


# What the seat saw.


def _hold_view(case: Case, parts: Parts, hand: Hand) -> None:
    """The shoe as the entries of the proof had it when the step was done."""
    size, shown = case.form["size"], case.form["view"].get("shoe")
    last = max((part.place for part in parts.all if part.place < size), default=parts.shoe.place)
    if type(shown) is not dict or shown.get("shoe") != hand.shoe.id:
        case.agree(VIEW, last)  # the shoe that came after it, or none
    else:
        acts.same(case, VIEW, last, _shoe(parts, size), _shown(shown, parts), "view.shoe")


def _shown(shoe: Entry, parts: Parts) -> Entry:
    """What of a shoe's view is held."""
    names = SHOWN if parts.of("seal") else FIXED
    return {name: shoe[name] for name in names if name in shoe}


def _shoe(parts: Parts, size: int) -> Entry:
    """The shoe's view by those entries that are among the log's first `size`."""
    form = parts.shoe.entry
    seen: Entry = {
        "commitment": form["commitment"],
        "roster": form["roster"],
        "hashes": {},
        "opened": [],
        "cut": None,
        "sealed": False,
    }
    for part in parts.of("seeds", "opened", "seal"):
        entry = part.entry
        if part.place >= size:
            break
        seen["cut"] = seen["cut"] or entry.get("cut")
        if entry["kind"] == "seeds":
            seen["hashes"] = entry["hashes"]
        elif entry["kind"] == "opened":
            seen["opened"] = [*seen["opened"], entry["player"]]
        else:
            seen["sealed"] = True
    return _shown(seen, parts)


def _stands(case: Case, parts: Parts, hand: Hand) -> None:
    """The `open` is the receipt's own: nobody's leaving comes in between."""
    form, opened = case.form, opening_of(parts)
    entry, seat = opened.entry, form["seat"]
    logged: Entry = {name: list(entry.get(name, ())) for name in ("bets", "uncovered", "passed", "late", "waived")}
    own = {name: [bet for bet in logged[name] if bet["seat"] == seat] for name in ("bets", "uncovered")}
    shoe = _shoe(parts, opened.place + 1)
    view = {**logged, "bank": account_name(hand.before.bank), "shoe": shoe}
    says = {name: value for name, value in form["view"].items() if name != "chips"}
    says["shoe"] = _shown(says["shoe"], parts) if type(says.get("shoe")) is dict else says.get("shoe")
    wanted = {"at": entry["at"], **own, "view": view}
    acts.same(case, ACT, opened.place, wanted, {**{name: form[name] for name in ("at", *own)}, "view": says})
