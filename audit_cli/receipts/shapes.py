"""What the fields of a receipt may be."""

from __future__ import annotations

from typing import Any

from fairshoe.ceremony.receipts import BANK, BET, CHIPS, DECISION, HASH, OFFERED, ROUND, SEED, STANDS, VERSION, WAIVER
from fairshoe.log.canonical import Entry

from ..walk.shapes import (
    Kind,
    Test,
    bet,
    count,
    faults,
    hex32,
    identifier,
    integer,
    list_of,
    moment,
    number,
    one_of,
    seats,
    seed,
    text,
    true,
)


def _object(value: Any) -> bool:
    return type(value) is dict


def _is_version(value: Any) -> bool:
    return type(value) is int and value == VERSION


_ENVELOPE: dict[str, Test] = {"v": _is_version, "table": identifier, "seat": number, "player": identifier}
_ALL = {**_ENVELOPE, "at": moment, "do": text, "view": _object}
_STEP = {**_ALL, "before": count, "size": number}
_KINDS = {
    HASH: Kind({**_STEP, "shoe": identifier, "hash": hex32}, {"cut": count}),
    SEED: Kind({**_STEP, "shoe": identifier, "seed": seed}, {"cut": count}),
    WAIVER: Kind({**_STEP, "shoe": identifier}, {}),
    CHIPS: Kind({**_STEP, "op": text, "amount": integer}, {"to": number, "leaves": true}),
}
_OFFERED = Kind(
    {**_STEP, "state": one_of(OFFERED), "shoe": identifier, "round": number, "bets": list_of(bet)},
    {},
)
_STANDS = Kind(
    {
        **_ALL,
        "state": one_of(STANDS),
        "shoe": identifier,
        "round": number,
        "bets": list_of(bet),
        "uncovered": list_of(bet),
    },
    {},
)
_CHOICE = {**_STEP, "about": one_of(ROUND, BANK), "round": count, "step": count, "move": text}
_CHOSEN: dict[str, Test] = {"amount": number, "chosen": seats}
_DECIDED = Kind({**_CHOICE, "shoe": identifier}, _CHOSEN)
_BANKED = Kind(_CHOICE, _CHOSEN)


def fault_of(says: Entry) -> str | None:
    """The first field that a receipt has not, has too much or has wrong; None where all are right."""
    do = says.get("do")
    if do == BET:
        kind: Kind | None = _STANDS if says.get("state") == STANDS else _OFFERED
    elif do == DECISION:
        kind = _BANKED if says.get("about") == BANK else _DECIDED
    else:
        kind = _KINDS.get(do) if type(do) is str else None
    if kind is None:
        return "do"
    return next(faults(kind, says), None)
