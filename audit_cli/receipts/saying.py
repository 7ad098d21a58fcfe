"""What a receipt says, in a line for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from fairshoe.ceremony.receipts import CHIPS
from fairshoe.log.canonical import Entry

from .verdict import Case


def told_by(case: Case) -> str:
    """When the house took it, what it is about, and how many entries the log had before and after it."""
    form = case.form
    size = f"; entries of the log: {form['before']:,} before, {form['size']:,} after" if "size" in form else ""
    details = ", ".join(_details(form))
    return f"{form['at']} {case.about}{': ' if details else ''}{details}{size}"


def _details(form: Entry) -> Iterator[str]:
    for name in ("hash", "seed", "cut"):
        if name in form and form["do"] != name:
            yield f"{name} {form[name]}"
    for name in ("hash", "seed"):
        if form["do"] == name:
            yield str(form[name])
    if "amount" in form:
        yield f"{form['amount']:,}"
    if "to" in form:
        yield f"to seat {form['to']}"
    if form["do"] == CHIPS and form.get("leaves"):
        yield "and leaves the chair"
    if "chosen" in form:
        yield f"seats {', '.join(map(str, form['chosen']))}"
    if "bets" in form:
        yield _bets(form["bets"], form["seat"])
    if form.get("uncovered"):
        yield f"without cover {_bets(form['uncovered'], form['seat'])}"


def _bets(bets: Iterable[dict[str, Any]], seat: int) -> str:
    boxes = ((bet["amount"], bet.get("box", seat)) for bet in bets)
    return " and ".join(f"{amount:,}" + ("" if box == seat else f" on box {box}") for amount, box in boxes) or "none"
