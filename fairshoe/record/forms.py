"""Bets, decisions and ids in the log, and back."""

from __future__ import annotations

from typing import Any

from ..engine.moves import SEAT, Decision
from ..engine.table import Bet
from ..errors import InputError


def bet_form(bet: Bet) -> dict[str, int]:
    seat, amount, box = bet
    return {"amount": amount, "seat": seat} if box == seat else {"amount": amount, "box": box, "seat": seat}


def bet_of(form: dict[str, int]) -> Bet:
    seat = form["seat"]
    return Bet(seat, form["amount"], form.get("box", seat))


def decision_form(decision: Decision) -> dict[str, Any]:
    """`{"move", "seat"}`, with `amount`, `chosen` and `by` only where they differ from 0, [] and "seat"."""
    actor, move, amount, chosen, by = decision
    form: dict[str, Any] = {"move": move, "seat": actor}
    if amount:
        form["amount"] = amount
    if chosen:
        form["chosen"] = list(chosen)
    if by != SEAT:
        form["by"] = by
    return form


def decision_of(form: dict[str, Any]) -> Decision:
    return Decision(
        form["seat"], form["move"], form.get("amount", 0), tuple(form.get("chosen", ())), form.get("by", SEAT)
    )


def shoe_id(table: str, number: int) -> str:
    """The id of a table's shoe number 1, 2, …"""
    return f"{table}/{number}"


def table_of(shoe: str) -> tuple[str, int]:
    """The table and number in a shoe id. Raises InputError."""
    table, _, number = shoe.rpartition("/")
    if not table or not number.isascii() or not number.isdigit() or str(int(number[:18])) != number:
        raise InputError(f"shoe id {shoe!r}", where="shoe", expected="table/number")
    return table, int(number)
