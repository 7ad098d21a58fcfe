"""Whether the house's answer has the receipt that it must have: what was sent, and what the answer itself shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    Link,
    bets_left,
    offered_form,
)
from ..engine.rules import rules_of
from ..log.canonical import Entry
from .kept import BUY_IN, stakes
from .notes import fault_of

WITH_RECEIPT = {"seats": CHIPS, "chips": CHIPS, "hash": HASH, "seed": SEED, "waiver": "waiver", "bets": BET}
WITH_RECEIPT |= {"decisions": DECISION}
"""The routes that are answered with a receipt, and what it is one of."""
SHOWN = ("shoe", "commitment", "roster", "opened", "struck", "sealed")
"""What the receipt's view of a shoe and the table's state have in common."""
PLACED = ("v", "number", "before", "at", "last", "view", "shoe", "about", "saw")
"""What the house says of itself; everything else is what was sent."""


def said_by(what: str, sent: dict[str, Any], seat: int) -> Entry:
    """What the receipt must say, and no more, of what was sent by the route `what`."""
    fields = {name: value for name, value in sent.items() if value or (value == 0 and name in ("round", "step", "cut"))}
    if what == "bets":
        bets = [(bet["amount"], bet.get("box", seat)) for bet in sent["bets"]]
        fields = {"state": OFFERED, "round": sent["round"], "bets": offered_form(bets, seat)}
    elif what == "seats":
        fields = {"op": BUY_IN, "amount": sent["amount"]}
    elif fields.pop("leave", False):
        fields["leaves"] = True
    return {"do": WITH_RECEIPT[what]} | fields


def answer_fault(form: Entry, said: Entry, state: Entry, seen: Entry, after: Link | None) -> str | None:
    """What is wrong with the receipt of a step, in words; None where it is right.

    `said`: what it must say: table, seat, player, and `said_by`; where a leave tells no `amount` that is the house's to
    say. `state` is the table in the same answer, `seen` as the seat saw it before, {} where it does not know. `after`:
    the chair's receipt before, None where the house may have begun anew, or one may be lost.
    """
    fault = fault_of(form)
    if fault is not None:
        return f"it is no receipt: {fault}"
    own = {name: form[name] for name in form if name not in PLACED}
    if own.get("leaves") and "amount" not in said:
        own.pop("amount", None)
    own |= {"shoe": form.get("shoe")} if "shoe" in said else {}
    wrong = next((name for name in sorted(own.keys() | said.keys()) if own.get(name) != said.get(name)), None)
    if wrong is not None:
        return f"it says another {wrong}: {own.get(wrong)!r}, not {said.get(wrong)!r}"
    if after is not None and Link(form["number"] - 1, form["before"]) != after:
        return f"it is number {form['number']}, and does not follow number {after.number}"
    if form["at"] != state["at"]:
        return f"it is dated {form['at']}, the answer {state['at']}"
    return _view_fault(form, state) or _question_fault(form, seen)


def _view_fault(form: Entry, state: Entry) -> str | None:
    """What it says that the seat could see, against what the answer shows."""
    shown, live, seat = form["view"], state["shoe"], str(form["seat"])
    if (shown.get("bank"), shown.get("chips")) != (state["bank"], state["chips"].get(seat)):
        return "it says another bank or other chips than the answer"
    shoe = shown.get("shoe")
    if (shoe is None) != (live is None) or (live and any(shoe.get(name) != live[name] for name in SHOWN)):
        return "it says another shoe than the answer shows"
    open_round = state.get("round") or {}
    if "view" in open_round and form.get("about") == ROUND and open_round["round"] == form["round"]:
        return None if shown.get("round") == open_round["view"] else "it shows another round than the answer"
    return None


def _question_fault(form: Entry, seen: Entry) -> str | None:
    """Whether it is about what the seat was asked, and what it saw then."""
    live = (seen.get("shoe") or {}).get("shoe")
    if form["do"] not in (SEED, CHIPS) and form.get("about") != BANK and live and form["shoe"] != live:
        return f"it is about another shoe: {form['shoe']}"
    before = seen.get("round") or {}
    asked = form.get("about") == ROUND and before.get("round") == form["round"]
    if asked and before.get("view", {}).get("step") == form["step"] and before["view"] != form["saw"]:
        return "it says that the seat saw something else before it decided"
    return None


def stands_fault(form: Entry, place: Entry, state: Entry, offered: Sequence[Entry] | None) -> str | None:
    """What is wrong with the receipt of bets that stand. `place`: table, seat and player; `offered`: the bets of the
    chair's last receipt about this round before it, [] where it has none, None where that is not known."""
    fault = fault_of(form)
    if fault is not None:
        return f"it is no receipt: {fault}"
    if form.get("state") != STANDS or any(form[name] != value for name, value in place.items()):
        return "it is another receipt than that of the bets that stand"
    if form["round"] > state["rounds"]:
        return f"it is about round {form['round']}, of {state['rounds']}"
    if offered is None or not rules_of(state["rules"], state["options"]).bets_freely:
        return None
    left = bets_left(list(offered), stakes(form["view"]), form["seat"])
    return None if stakes(form) == left else f"other bets stand than {offered}"
