"""What a file of receipts decides by itself: which are refused, which contradict themselves or each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairshoe.ceremony.receipts import BET, STANDS

from ..walk.watching import table_named
from .reading import Receipt
from .verdict import Case

MOST_ENTRIES = 1_000
"""More entries than one step writes."""


def filed(receipts: Iterable[Receipt]) -> list[Case]:
    """The receipts of a file in their order; those have a word that need no log for it."""
    cases = [Case(receipt) for receipt in receipts]
    for case in cases:
        if case.receipt.refused:
            case.decide("unfinished" if case.receipt.broken else "refused")
        else:
            _contradiction(case)
    _check_order(cases)
    _supersede(cases)
    return cases


def _contradiction(case: Case) -> None:
    """What a receipt says that no log can hold."""
    form = case.form
    if "shoe" in form and table_named(form["shoe"]) != form["table"]:
        case.contradict("shoe", f"its table is {form['table']}")
    if "size" in form and form["before"] > form["size"]:
        case.contradict("before", f"also that the log had {form['size']} entries after the step")
    elif "size" in form and form["size"] > form["before"] + MOST_ENTRIES:
        case.contradict("size", f"also that the log had {form['before']} entries before, and no step writes so many")


def _supersede(cases: Iterable[Case]) -> None:
    """A bet may be changed until the round opens: only the last that was offered counts, or the one that stands."""
    last: dict[tuple[Any, ...], Case] = {}
    for case in cases:
        form = case.form
        if case.word or form["do"] != BET:
            continue
        key = (form["table"], form["seat"], form["player"], form["shoe"], form["round"])
        other = last.get(key)
        if other is None:
            last[key] = case
        elif _rank(case) > _rank(other):
            other.superseded, last[key] = True, case
        else:
            case.superseded = case.superseded or form["state"] != STANDS


def _rank(case: Case) -> tuple[bool, str, int]:
    return case.form["state"] == STANDS, case.form["at"], case.receipt.place


def _check_order(cases: Iterable[Case]) -> None:
    """Receipts stand in a file as they came, and their times rise: of one that is dated before another above it nobody
    can say whether the house dated it back or somebody moved it, so that it is refused."""
    last: dict[tuple[Any, ...], Case] = {}
    for case in cases:
        form = case.form
        if case.word or "size" not in form:
            continue
        key = (form["table"], form["seat"], form["player"])
        other = last.get(key)
        if other is None or (form["at"], form["before"]) >= (other.form["at"], other.form["before"]):
            last[key] = case
        else:
            case.refuse(
                f"at: dated before receipt {other.receipt.place}, which stands above it: the house dated it back, "
                "or the file is not as the client kept it"
            )
