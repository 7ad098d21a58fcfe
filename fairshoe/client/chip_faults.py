"""Whether a seat's chips are what it knows of: its own moves of chips, and the rounds that it saw end."""

from __future__ import annotations

from typing import Any

from ..ceremony.receipts import BANK, CHIPS
from ..engine.rules import Rules, rules_of
from ..log.canonical import Entry

Form = dict[str, Any]


def chips_fault(place: Form, seen: Form, answer: Form, step: Entry | None = None) -> str | None:
    """Between the table as it was `seen` and the `answer`: what nobody has explained.

    `step`: what the receipt of the step between them says. Fewer chips than that are never right but for a bank that
    was bought, also by who had it before; more only where others could move them: a transfer, a refund, a share.
    None too where that cannot be known: a round was missed, the answer is older than what was seen.
    """
    seat = str(place["seat"])
    if step is not None and step.get("leaves"):
        return _short(seat, seen, answer, step)
    if seat not in seen.get("chips", {}) or seat not in answer["chips"] or not _counted(seen, answer, seat):
        return None
    rules = rules_of(answer["rules"], answer["options"])
    if type(rules).between is not Rules.between and _may_have_bought(seen, answer, step):
        return None
    expected = _after_rounds(seen, answer, seat) + _moved(rules, step)
    found = answer["chips"][seat]
    alone = seen["log"] == (answer["log"] if step is None else step["before"])
    if found < expected or (alone and found != expected):
        return f"the house says {found} chips, and the seat knows of {expected}"
    return None


def _short(seat: str, seen: Form, answer: Form, step: Entry) -> str | None:
    """Who leaves takes all chips along: what is missing of those that the seat knows of."""
    rules = rules_of(answer["rules"], answer["options"])
    if seat not in seen.get("chips", {}) or step["op"] != "cash-out" or type(rules).buy_in is not Rules.buy_in:
        return None
    if not _counted(seen, answer, seat) or _may_have_bought(seen, answer, step):
        return None
    expected, found = _after_rounds(seen, answer, seat), step["amount"]
    if found < expected or (seen["log"] == step["before"] and found != expected):
        return f"the house says that the seat leaves with {found} chips, and it knows of {expected}"
    return None


def _counted(seen: Form, answer: Form, seat: str) -> bool:
    """Whether the answer is no older, and no round was missed that may have moved the seat's chips."""
    ended = _ended(answer) - _ended(seen)
    if answer["log"] < seen["log"] or ended < 0:
        return False
    return ended <= 1 or seat in answer["last"]["chips"]


def _may_have_bought(seen: Form, answer: Form, step: Entry | None) -> bool:
    """Whether the seat may have paid for the bank in between: nobody does without a decision of the own."""
    return seen["bank"] != answer["bank"] or seen["phase"] == "bank" or (step or {}).get("about") == BANK


def _ended(state: Form) -> int:
    return state["last"]["round"] if state["last"] else 0


def _after_rounds(seen: Form, answer: Form, seat: str) -> int:
    """The seat's chips after the last round that it took part in."""
    if _ended(answer) != _ended(seen) and seat in answer["last"]["chips"]:
        return int(answer["last"]["chips"][seat])
    return int(seen["chips"][seat])


def _moved(rules: Rules, step: Entry | None) -> int:
    """What a receipted step adds to the seat's chips."""
    if step is None or step["do"] != CHIPS:
        return 0
    if step["op"] == "buy-in":
        return int(step["amount"]) if type(rules).buy_in is Rules.buy_in else 0
    return -int(step["amount"])
