"""What a player may do now, each by a key, made of `you.expects` (docs/service.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..client.errors import Form
from ..errors import InputError

USUAL = {"split": "p", "double": "d", "surrender": "u", "insurance": "i", "stand": "s", "hit": "h", "pass": "a"}
FIXED = {"shoe": "n", "hash": "k", "bets": "b", "waiver": "w", "reshuffle": "r", "chips": "c", "here": "e"}
QUIT = "q"
SAID = {
    "shoe": "new shoe",
    "hash": "cut",
    "bets": "bet",
    "waiver": "bet without a seed of mine in this shoe",
    "reshuffle": "ask for a reshuffle",
    "chips": "chips",
    "here": "I am back",
}


class Action(NamedTuple):
    """`asks`: what is to be typed before it is done, empty where nothing is."""

    key: str
    label: str
    wish: Form
    move: Form | None = None
    asks: str = ""
    usual: str = ""
    """What an empty line stands for."""


def actions(expects: Iterable[Form]) -> list[Action]:
    """What a player chooses, in the order of `expects`. A hash without a cut and a seed are sent without a word."""
    found: list[Action] = []
    free = {*"abcdefghijklmnopqrstuvwxyz", *"0123456789"} - {QUIT, *FIXED.values()}
    for wish in expects:
        match wish["do"]:
            case "decisions":
                for move in wish["moves"]:
                    found.append(_decision(wish, move, free))
            case "bets":
                asks = f"bet {wish['low']} to {wish['high']} in steps of {wish['unit']}; 0 passes; BOX:CHIPS for a box"
                found.append(Action(FIXED["bets"], _said(wish), wish, asks=asks, usual=str(wish["low"])))
            case "hash" if "cut" in wish:
                low, high = wish["cut"]
                asks = f"cut after how many cards, {low} to {high}"
                found.append(Action(FIXED["hash"], _said(wish), wish, asks=asks, usual=str((low + high) // 2)))
            case "chips":
                asks = f"{', '.join(wish['ops'])}: such as `buy-in 100`, `transfer 50 CHAIR`, `leave`"
                found.append(Action(FIXED["chips"], _said(wish), wish, asks=asks))
            case "shoe" | "waiver" | "reshuffle" | "here":
                found.append(Action(FIXED[wish["do"]], _said(wish), wish))
    return found


def _said(wish: Form) -> str:
    return SAID[wish["do"]]


def _decision(wish: Form, move: Form, free: set[str]) -> Action:
    name = move["move"]
    key = next((each for each in (USUAL.get(name, ""), *name, *sorted(free)) if each in free), QUIT)
    free.discard(key)
    if "among" in move:
        chairs = ", ".join(map(str, move["among"]))
        most = move.get("most", len(move["among"]))
        asks = f"whose hands to show, of chairs {chairs}: {move.get('fewest', 0)} to {most}"
        return Action(key, name, wish, move, asks, " ".join(map(str, move["among"][:most])))
    if "low" in move:
        return Action(key, name, wish, move, f"{name}: {move['low']} to {move['high']} chips", str(move["low"]))
    return Action(key, name, wish, move)


def choice_of(action: Action, typed: str) -> dict[str, Any]:
    """A decision's fields of what was typed. Raises InputError."""
    move = action.move or {}
    fields: dict[str, Any] = {"move": move["move"]}
    if "among" in move:
        fields["chosen"] = sorted(_numbers(typed))
    elif "low" in move:
        fields["amount"] = _number(typed, "the amount")
    return fields


def bets_of(typed: str) -> tuple[list[int], dict[int, int]]:
    """Amounts on the chair's own place, and by box. Raises InputError."""
    own: list[int] = []
    boxes: dict[int, int] = {}
    for word in typed.split():
        box, colon, digits = word.rpartition(":")
        amount = _number(digits, "the bet")
        if colon:
            boxes[_number(box, "the box")] = amount
        elif amount:
            own.append(amount)
    return own, boxes


def chips_of(typed: str) -> dict[str, Any]:
    """The fields of a move of chips. Raises InputError."""
    match typed.split():
        case ["leave"]:
            return {"op": "cash-out", "leave": True}
        case ["buy-in" | "cash-out" as op, amount]:
            return {"op": op, "amount": _number(amount, "the amount")}
        case ["transfer", amount, chair]:
            return {"op": "transfer", "amount": _number(amount, "the amount"), "to": _number(chair, "the chair")}
    remedy = "type `buy-in 100`, `cash-out 50`, `transfer 50 2` or `leave`"
    raise InputError(f"{typed!r} moves no chips", where="chips", remedy=remedy)


def _numbers(typed: str) -> Iterator[int]:
    for word in re.split(r"[\s,]+", typed.strip()):
        if word:
            yield _number(word, "a chair")


def _number(word: str, what: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 15:
        raise InputError(f"{word!r} is no number", where=what, expected="digits", remedy="type it again")
    return int(word)


def waited_for(state: Mapping[str, Any]) -> str:
    """Whom or what the table waits for, in words."""
    seat = state.get("you", {}).get("seat")
    first = next((wish for wish in state.get("you", {}).get("expects", ()) if not wish.get("may")), None)
    if first is not None:
        return "you" if first["do"] != "seed" else "your seed, which is sent by itself"
    match state["phase"]:
        case "hash":
            shoe = state["shoe"] or {}
            return f"the hash of {', '.join(w for w in shoe.get('roster', ()) if w not in shoe['hashed']) or 'nobody'}"
        case "seed":
            return f"the seed of {', '.join((state['shoe'] or {}).get('opens', ())) or 'nobody'}"
        case "bet":
            bets = state["bets"] or {"in": (), "passed": ()}
            had = {bet["seat"] for bet in bets["in"]} | set(bets["passed"])
            return f"the bets of {', '.join(names(state, (s['seat'] for s in state['seats'] if s['seat'] not in had)))}"
        case "round":
            turn = ((state["round"] or {}).get("view") or {}).get("turn")
            return "the house" if turn is None or turn == seat else names(state, [turn])[0]
    return {"idle": "somebody to ask for a shoe", "bank": "the bank", "closed": "nobody: it is closed"}[state["phase"]]


def names(state: Mapping[str, Any], seats: Iterable[int]) -> list[str]:
    """Who sits in these chairs."""
    known = {each["seat"]: each.get("name") or each["player"] for each in state["seats"]}
    return [known.get(seat, f"chair {seat}") for seat in seats]
