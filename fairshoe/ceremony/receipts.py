"""The text of receipts, which service and auditor build alike: what a seat sent, and what it may see then.

All follows from the log up to the entry of `last` and the seat's request, but a round's views: from its `round` entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from ..engine.table import Bet, account_name
from ..log.canonical import Entry, encode
from ..record.forms import bet_form, cut_form
from .book import Book, Shoe

HEADING = "fairshoe receipt v1"
VERSION = 1
HASH, SEED, WAIVER, BET, DECISION, CHIPS = "hash", "seed", "waiver", "bet", "decision", "chips"
OFFERED, STANDS = "offered", "stands"
"""A bet that may still be changed, and one that may not."""
ROUND, BANK = "round", "bank"
"""The fields that place a decision."""


class Link(NamedTuple):
    """A chair's newest receipt: its number, and the hash of what was signed. Each names the one before it."""

    number: int = 0
    hash: str | None = None


def signed_text(form: Entry) -> str:
    """Return the text to sign of a receipt that says `form`."""
    return f"{HEADING}\n{encode(form).decode()}\n"


def link_of(form: Entry) -> Link:
    """Return the receipt of a step as the next one names it."""
    return Link(form["number"], sha256(signed_text(form).encode()).hexdigest())


def chair_view(book: Book, seat: int, commitment: str) -> Entry:
    """Return what the log says after a step: who banks, the seat's chips (None if it left), and the live shoe."""
    return {
        "bank": account_name(book.table.bank),
        "chips": book.table.purse[seat] if seat in book.table.players else None,
        "shoe": None if book.shoe is None else shoe_view(book.shoe, commitment),
    }


def shoe_view(shoe: Shoe, commitment: str) -> Entry:
    """A shoe so far, as everybody may know it. The hashes are shown once they are all in the log."""
    return {
        "shoe": shoe.id,
        "commitment": commitment,
        "roster": list(shoe.roster),
        "hashes": dict(shoe.hashes),
        "opened": list(shoe.opened),
        "struck": list(shoe.struck),
        "cut": None if shoe.cut is None else cut_form(*shoe.cut),
        "sealed": bool(shoe.sealed),
    }


# Bets that stand.

PUBLIC_FIELDS = ("bank", "shoe", "bets", "uncovered", "passed", "late", "waived")
"""The fields that every seat sees."""


def describe_standing_bets(book: Book, shoe: Shoe, commitment: str, links: Mapping[int, Link]) -> Entry:
    """Return the facts of the round just opened, for all chairs' receipts; `links`: their newest receipts."""
    opened, players = book.open_round, book.table.players
    if opened is None:
        return {}
    bets, waived, passed, late, uncovered, unfunded = opened.betting
    return {
        "at": opened.at,
        "round": opened.number,
        "bank": account_name(book.table.bank),
        "chips": {account_name(seat): book.table.purse[seat] for seat in players},
        "players": {account_name(seat): player for seat, player in players.items()},
        "shoe": shoe_view(shoe, commitment),
        "bets": _forms(bets),
        "uncovered": _forms(uncovered),
        "passed": list(passed),
        "late": list(late),
        "waived": list(waived),
        "unfunded": list(unfunded),
        "links": {account_name(seat): list(links.get(seat, Link())) for seat in players},
    }


def standing_bets_receipt(table: str, stood: Entry, seat: int) -> Entry | None:
    """Return a seat's receipt of its standing bets, the same at each look; None if it had no part in the betting. It
    has the `open`'s time, and the number of the receipt before it."""
    name = account_name(seat)
    bets, uncovered = _own(stood["bets"], seat), _own(stood["uncovered"], seat)
    if name not in stood["players"] or not (bets or uncovered or seat in stood["passed"] or seat in stood["late"]):
        return None
    number, before = stood["links"][name]
    return {
        "v": VERSION,
        "table": table,
        "seat": seat,
        "player": stood["players"][name],
        "number": number,
        "before": before,
        "at": stood["at"],
        "do": BET,
        "state": STANDS,
        "shoe": stood["shoe"]["shoe"],
        "round": stood["round"],
        "bets": bets,
        "uncovered": uncovered,
        "view": {part: stood[part] for part in PUBLIC_FIELDS} | {"chips": stood["chips"][name]},
    }


def _forms(bets: Sequence[Bet]) -> list[dict[str, int]]:
    return [bet_form(bet) for bet in bets]


def _own(forms: list[dict[str, int]], seat: int) -> list[dict[str, int]]:
    return [form for form in forms if form["seat"] == seat]


def offered_form(bets: Sequence[tuple[int, int]], seat: int) -> list[dict[str, int]]:
    """Bets (amount, box) of a seat as they were offered, by box."""
    return [bet_form(Bet(seat, amount, box)) for amount, box in sorted(bets, key=lambda bet: bet[1])]


def bets_left(offered: list[dict[str, int]], stand: list[dict[str, int]], seat: int) -> list[dict[str, int]]:
    """Return what is left of a seat's bets if all of `stand` do: a box's own chair comes first."""
    return [bet for bet in offered if bet.get("box", seat) == seat or bet in stand]
