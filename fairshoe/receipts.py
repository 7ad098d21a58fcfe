"""Receipts as signed notes: a heading, one canonical line, a signature by the house's key for receipts.

That key is named `<origin>/receipt`; the log's key vouches for it in a note, so that the house's key is enough.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from re import ASCII, compile
from typing import Any

from .ceremony.receipts import (
    BANK,
    BET,
    CHIPS,
    DECISION,
    HASH,
    HEADING,
    OFFERED,
    ROUND,
    SEED,
    STANDS,
    VERSION,
    WAIVER,
    Link,
    bets_left,
    offered_form,
    signed_text,
)
from .engine.rules import rules_of
from .errors import InputError, NotCanonical, VerificationError
from .log.canonical import Entry, decode
from .log.note import Signer, Verifier, open_note, signatures_of, verifier_of
from .log.times import is_moment
from .record.forms import is_bet, is_seat, is_seats

BUY_IN = "buy-in"
KEY_HEADING = "fairshoe receipt key"
SUFFIX = "/receipt"


def receipt_name(origin: str) -> str:
    """Return the name of the receipts' key of the log `origin`."""
    return f"{origin}{SUFFIX}"


def is_receipt_key(verifier: Verifier) -> bool:
    """Whether a verifier key signs receipts, by its name."""
    return verifier.name.endswith(SUFFIX)


def vouching_note(log: Signer, receipts: Verifier) -> str:
    """Return the note in which the log's key vouches for the receipts' key."""
    return log.sign(f"{KEY_HEADING}\n{receipts}\n")


def vouched_key(note: str, log: Verifier) -> Verifier:
    """Return the receipts' key that a note by the log's key vouches for. Raises VerificationError."""
    heading, _, rest = _opened(note, log).partition("\n")
    if heading != KEY_HEADING or not rest.endswith("\n") or rest.count("\n") != 1:
        raise VerificationError("not a note about a receipt key", where="receipt key", expected=KEY_HEADING)
    try:
        found = verifier_of(rest[:-1])
    except InputError as error:
        raise VerificationError(error.what, where="receipt key", expected=error.expected) from None
    if found.name != receipt_name(log.name) or rest != f"{found}\n":
        raise VerificationError("the key has another name", where="receipt key", expected=receipt_name(log.name))
    return found


def write_receipt(form: Entry, signer: Signer) -> str:
    """Return the receipt that says `form`."""
    return signer.sign(signed_text(form))


def read_receipt(note: str, verifier: Verifier) -> Entry:
    """Return the form of a receipt that `verifier` signed. Raises VerificationError."""
    heading, _, rest = _opened(note, verifier).partition("\n")
    if heading != HEADING or not rest.endswith("\n") or rest.count("\n") != 1:
        raise VerificationError("another note, not a receipt", where="receipt", expected=f"{HEADING}, then one line")
    try:
        return decode(rest[:-1].encode())
    except NotCanonical as error:
        raise VerificationError(error.what, where="receipt", expected=error.expected) from None


def _opened(note: str, verifier: Verifier) -> str:
    """The text of a note with one signature, which stands there as a signer writes it. Raises VerificationError."""
    try:
        text, signatures = signatures_of(note)
        open_note(note, verifier)
    except VerificationError as error:
        raise VerificationError(error.what, where="receipt", expected=error.expected) from None
    name, identifier, signature = signatures[0]
    written = f"{text}\n— {name} {base64.b64encode(identifier + signature).decode()}\n"
    if len(signatures) != 1 or note != written:
        raise VerificationError("not as it was signed", where="receipt", expected="one signature line in base64")
    return text


# The fields.

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


_object, _true, _text = _of(dict), lambda value: value is True, _like("(?s:.{1,256})")
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
    CHIPS: {"op": _like("buy-in|cash-out|transfer"), "amount": _count, "to?": is_seat, "leaves?": _true},
    OFFERED: {"state": _text, "shoe": _id, "round": is_seat, "bets": _bets},
    STANDS: {"state": _text, "shoe": _id, "round": is_seat, "bets": _bets, "uncovered": _bets},
    ROUND: {"shoe": _id, "saw": _object},
    BANK: {},
}
_CHOICE: dict[str, Test] = {"about": _text, "round": _count, "step": _count, "move": _text}
_CHOICE |= {"amount?": is_seat, "chosen?": is_seats}


SHOW = "show"
_OF_SHOE: dict[str, Test] = {"v": _ALL["v"], "shoe": _id, "player": _id, "at": is_moment, "do": _text}
_BY_DO_OF_SHOE: dict[str, dict[str, Test]] = {
    HASH: _BY_DO[HASH],
    SEED: _BY_DO[SEED],
    SHOW: {"pos": lambda value: type(value) is list and bool(value) and all(map(_count, value))},
}


def is_of_lone_shoe(says: Entry) -> bool:
    """Whether a receipt is of a step at a shoe without a table."""
    return "table" not in says


def shoe_receipt(shoe: str, player: str, at: str, do: str, said: Entry) -> Entry:
    """The receipt of what a player of a shoe without a table sent: a `hash`, a `seed`, or positions to `show`."""
    return {"v": VERSION, "shoe": shoe, "player": player, "at": at, "do": do, **said}


def fault_of(says: Entry) -> str | None:
    """Return the first field that a receipt has not, has too much or has wrong; None where all are right."""
    do = says.get("do")
    if is_of_lone_shoe(says):
        if type(do) is not str or do not in _BY_DO_OF_SHOE:
            return "do"
        return _field_fault(says, _OF_SHOE | _BY_DO_OF_SHOE[do])
    name = says.get("state") if do == BET else says.get("about") if do == DECISION else do
    kinds = {BET: (OFFERED, STANDS), DECISION: (ROUND, BANK)}
    if type(do) is not str or type(name) is not str or name not in kinds.get(do, (HASH, SEED, WAIVER, CHIPS)):
        return "do"
    tests = _ALL | ({} if name == STANDS else {"last": is_moment}) | _BY_DO[name] | (_CHOICE if do == DECISION else {})
    return _field_fault(says, tests)


def _field_fault(says: Entry, tests: dict[str, Test]) -> str | None:
    for each, test in tests.items():
        field = each.removesuffix("?")
        if not test(says[field]) if field in says else field == each:
            return field
    return next((field for field in says if field not in tests and f"{field}?" not in tests), None)


def stakes(form: Entry) -> list[Entry]:
    """Return the bets of an `open`, or of a receipt of bets that stand, by box."""
    bets = [*form["bets"], *form.get("uncovered", ())]
    return sorted(bets, key=lambda bet: int(bet.get("box", bet["seat"])))


# Whether the house's answer has it: what was sent, and what the answer itself shows.

WITH_RECEIPT = {"seats": CHIPS, "chips": CHIPS, "hash": HASH, "seed": SEED, "waiver": "waiver", "bets": BET}
WITH_RECEIPT |= {"decisions": DECISION}
"""The routes that are answered with a receipt, and what it is one of."""
SHARED_FIELDS = ("shoe", "commitment", "roster", "opened", "struck", "sealed")
"""Fields that a receipt's view of a shoe and the table's state have in common."""
PLACED = ("v", "number", "before", "at", "last", "view", "shoe", "about", "saw")
"""Fields that the house adds; all others repeat what was sent."""


def expected_statement(what: str, sent: dict[str, Any], seat: int) -> Entry:
    """Return exactly what the receipt must say of what was sent by the route `what`."""
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
    """Describe what is wrong with the receipt of a step; None if it is right.

    `said`: what it must say; of a leave without `amount` the house says it. `state`: the table in the same answer;
    `seen`: as seen before, or {}. `after`: the chair's receipt before, None if one may be lost.
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
    """Compare the view in a receipt with the answer."""
    shown, live, seat = form["view"], state["shoe"], str(form["seat"])
    if (shown.get("bank"), shown.get("chips")) != (state["bank"], state["chips"].get(seat)):
        return "it says another bank or other chips than the answer"
    shoe = shown.get("shoe")
    if (shoe is None) != (live is None) or (live and any(shoe.get(name) != live[name] for name in SHARED_FIELDS)):
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


def standing_bets_fault(form: Entry, place: Entry, state: Entry, offered: Sequence[Entry] | None) -> str | None:
    """Describe what is wrong with the receipt of standing bets; None if it is right. `place`: table, seat and player;
    `offered`: the bets of the chair's last receipt in this round, [] without one, None if unknown."""
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
