"""Receipts as signed notes: a heading, one canonical line, and a signature by the house's key for receipts; and which
fields the line has.

That key is named `<origin>/receipt`. The log's key vouches for it in a note of its own, so that whoever has the
house's key needs no other.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from re import ASCII, compile
from typing import Any

from ..ceremony.receipts import (
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
    signed_text,
)
from ..errors import InputError, VerificationError
from ..log.canonical import Entry, NotCanonical, decode
from ..log.note import Signer, Verifier, open_note, signatures_of, verifier_of
from ..log.times import is_moment
from ..record.forms import is_bet, is_seat, is_seats

KEY_HEADING = "fairshoe receipt key"
SUFFIX = "/receipt"


def receipt_name(origin: str) -> str:
    """The name of the receipts' key of the log `origin`."""
    return f"{origin}{SUFFIX}"


def is_receipt_key(verifier: Verifier) -> bool:
    """Whether a verifier key signs receipts, by its name."""
    return verifier.name.endswith(SUFFIX)


def vouching_note(log: Signer, receipts: Verifier) -> str:
    """The note in which the log's key vouches for the receipts' key."""
    return log.sign(f"{KEY_HEADING}\n{receipts}\n")


def vouched_key(note: str, log: Verifier) -> Verifier:
    """The receipts' key that a note by the log's key vouches for. Raises VerificationError."""
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
    """The receipt that says `form`."""
    return signer.sign(signed_text(form))


def read_receipt(note: str, verifier: Verifier) -> Entry:
    """What a receipt says that `verifier` signed. Raises VerificationError."""
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
