"""A player's choices as keys, from what the table expects of the seat."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from ..client import Seat
from ..errors import InputError

Form = dict[str, Any]
Act = Callable[[Seat], object]
"""Sends something, by the seat."""

ROUTE_KEYS = {"shoe": "n", "waiver": "w", "reshuffle": "z", "here": "i"}
ROUTE_LABELS = {
    "shoe": "new shoe",
    "waiver": "bet without a seed of your own",
    "reshuffle": "throw this shoe away, and have another one",
    "here": "I am back",
}
CHIP_KEYS = {"buy-in": "+", "cash-out": "-", "transfer": "t", "leave": "l"}
BET, PASS, CUT = "b", "x", "c"
MOVE_KEYS = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "split": "p",
    "surrender": "r",
    "insure": "i",
    "decline": "n",
    "continue": "c",
    "stop": "x",
    "reveal": "v",
    "accept": "a",
    "refuse": "f",
    "give": "g",
    "sell": "l",
    "agree": "y",
}
"""Keys of moves, the same in the browser. A second move of the same name has a digit."""
AGAIN = {"g": ("the same bets again", 1, 1), "f": ("half of the bets", 1, 2), "d": ("double the bets", 2, 1)}
"""By key what can be done with the last bets: its label, and the factor as numerator and denominator."""


class KeyChoice(NamedTuple):
    """One key. `act` makes the request of what was typed; `asks`: the question or ""; `default`: its first text."""

    key: str
    label: str
    act: Callable[[str], Act]
    asks: str = ""
    default: str = ""


def choices(state: Form) -> list[KeyChoice]:
    """Every choice of the seat that sees the table so, the most urgent first."""
    return [choice for form in state["you"]["expects"] for choice in _of_form(form, state)]


def _of_form(form: Form, state: Form) -> Iterator[KeyChoice]:
    do, boxes = form["do"], "boxes" in (state["bets"] or {})
    if do in ("hash", "seed") and "cut" in form:
        low, high = form["cut"]
        middle = str((low + high) // 2)
        yield KeyChoice(CUT, "cut the shoe", _cut, f"where to cut, {low} to {high}", middle)
    elif do == "bets":
        told = f"{form['low']} to {form['high']}" + (f" by {form['unit']}" if form["unit"] > 1 else "")
        asks = f"your bet, {told}" + ("; on boxes as BOX:AMOUNT BOX:AMOUNT" if boxes else "")
        yield KeyChoice(BET, "change your bet" if form.get("may") else f"bet {told}", _bet, asks, str(form["low"]))
        if not form.get("may"):
            yield from _again(form, state)
        yield KeyChoice(PASS, "sit this round out", lambda _: lambda seat: seat.bet())
    elif do == "waiver":
        yield KeyChoice(ROUTE_KEYS[do], ROUTE_LABELS[do], lambda _: lambda seat: seat.contribute(waive=True))
    elif do == "reshuffle":
        yield KeyChoice(ROUTE_KEYS[do], ROUTE_LABELS[do], lambda _: _reshuffle)
    elif do in ROUTE_KEYS:
        yield KeyChoice(ROUTE_KEYS[do], ROUTE_LABELS[do], lambda _: lambda seat: seat.send(do))
    elif do == "decisions":
        seller = f"of chair {form['seller']}" if "seller" in form else ""
        yield from _moves(form["moves"], f"bank {seller}".strip() + ": " if form["about"] == "bank" else "")
    elif do == "chips":
        yield from map(_chips, form["ops"])


def _again(form: Form, state: Form) -> Iterator[KeyChoice]:
    """Offer the bets of the last round once more, or a multiple of them, if the table takes these."""
    you = state["you"]
    before = [bet for bet in you.get("betting", {"bets": []})["bets"] if "amount" in bet]
    for key, (label, times, parts) in AGAIN.items():
        amounts = [bet["amount"] * times // parts for bet in before]
        exact = all(bet["amount"] * times % (parts * form["unit"]) == 0 for bet in before)
        fit = exact and all(form["low"] <= amount <= form["high"] for amount in amounts)
        boxes = {bet.get("box", you["seat"]): amount for bet, amount in zip(before, amounts, strict=True)}
        free = state["bets"].get("boxes", boxes)
        if before and fit and sum(amounts) <= state["chips"][str(you["seat"])] and set(boxes) <= set(free):
            yield KeyChoice(key, f"{label}: {sum(amounts)}", partial(_same_bets, boxes, "boxes" in state["bets"]))


def _same_bets(boxes: dict[int, int], by_box: bool, _: str) -> Act:
    return lambda seat: seat.bet(boxes=boxes) if by_box else seat.bet(*boxes.values())


def _reshuffle(seat: Seat) -> object:
    return seat.send("reshuffle", shoe=(seat.state["shoe"] or {}).get("shoe"))


def key_list() -> str:
    """Return a line for each key that can be offered."""
    keys = [(BET, "bet"), (PASS, "sit this round out"), (CUT, "cut the shoe")]
    keys += [(key, label) for key, (label, _, _) in AGAIN.items()]
    keys += [(key, ROUTE_LABELS[do]) for do, key in ROUTE_KEYS.items()]
    keys += [(key, name) for name, key in (CHIP_KEYS | MOVE_KEYS).items()]
    return "\n".join(f"{key.upper()}  {label}" for key, label in keys)


# Moves.


def _moves(moves: list[Form], about: str) -> Iterator[KeyChoice]:
    taken: set[str] = set()
    for move in moves:
        key = next(key for key in (MOVE_KEYS[move["move"]], *"123456789") if key not in taken)
        taken.add(key)
        choice = _move(key, move)
        yield choice._replace(label=about + choice.label)


def _move(key: str, move: Form) -> KeyChoice:
    """A move, which asks for chairs or an amount where there is more than one possibility."""
    name, low, high, among = move["move"], move.get("low", 0), move.get("high", 0), move.get("among", [])
    label = f"{name} (chair{'s' * (len(among) > 1)} {_row(among)})" if among else name
    if move.get("fewest", 0) < len(among):
        asks = f"which chairs of {_row(among)}, {move['fewest']} to {move['most']} of them"
        given = _row(among[: move["most"]])
        return KeyChoice(key, label, lambda text: _decide(name, low, numbers_in(text or given)), asks, given)
    if low != high:
        asks = f"{label}: {low} to {high}"
        return KeyChoice(key, label, lambda text: _decide(name, one_number(text), among), asks, str(high))
    return KeyChoice(key, f"{label} {low}" if high else label, lambda _: _decide(name, low, among))


def _decide(name: str, amount: int, chosen: list[int]) -> Act:
    price = {"amount": amount} if amount else {}
    chairs = {"chosen": sorted(chosen)} if chosen else {}
    return lambda seat: seat.decide(name, **price, **chairs)


# Bets, chips and the cut.


def _cut(text: str) -> Act:
    place = one_number(text)
    return lambda seat: seat.contribute(cut=place)


def _bet(text: str) -> Act:
    """`10` on the seat's own place, or `3:10 5:20` by boxes."""
    amounts, boxes = [], {}
    for part in text.split():
        box, colon, amount = part.rpartition(":")
        if colon:
            boxes[one_number(box)] = one_number(amount)
        else:
            amounts.append(one_number(amount))
    if not amounts and not boxes:
        raise InputError("no bet", expected="an amount, or BOX:AMOUNT")
    return lambda seat: seat.bet(*amounts, boxes=boxes)


def _chips(op: str) -> KeyChoice:
    if op == "leave":
        return KeyChoice(CHIP_KEYS[op], "leave", lambda _: lambda seat: seat.leave())
    if op == "transfer":

        def give(text: str) -> Act:
            found = numbers_in(text)
            if len(found) != 2:
                raise InputError("that is no transfer", expected="AMOUNT CHAIR")
            return lambda seat: seat.send("chips", op=op, amount=found[0], to=found[1])

        return KeyChoice(CHIP_KEYS[op], "transfer chips", give, "how many chips, and to which chair: AMOUNT CHAIR")

    def move(text: str) -> Act:
        amount = one_number(text)
        return lambda seat: seat.send("chips", op=op, amount=amount)

    return KeyChoice(CHIP_KEYS[op], op, move, f"{op}: how many chips")


# What was typed.


def numbers_in(text: str) -> list[int]:
    """Numbers with blanks or commas between them. Raises InputError."""
    return [one_number(part) for part in re.split(r"[\s,]+", text.strip())]


def one_number(text: str) -> int:
    """Raises InputError."""
    if not re.fullmatch(r"[0-9]{1,15}", text.strip()):
        raise InputError(f"{text.strip()!r} is no number", expected="digits")
    return int(text)


def _row(seats: list[int]) -> str:
    return " ".join(map(str, seats))
