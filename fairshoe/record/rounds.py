"""`open` and `round` as canonical text, each thing once, and what they say cut out of such a text.

They are written straight in canonical order, since an audit's cost is mostly the entries' size: a line
that equals the text rebuilt from its inputs needs no parsing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from ..engine.hand import Hand
from ..engine.moves import Decision
from ..engine.round import Round
from ..engine.table import Bet, account_name
from ..log.canonical import Entry, encode, text_of
from .forms import (
    LATER,
    MAX_KEPT,
    Placement,
    bet_form,
    bet_of,
    decision_form,
    decisions_of,
    is_bet,
    is_decision,
    is_seats,
)


def round_text(
    at: str, shoe: str, number: int, round: Round, moments: Sequence[str] = (), placement: Placement | None = None
) -> str:
    """Return the `round` entry of a round that is over; `moments`: the `at` of each decision that the table made.

    `cards`: labels in dealt order, from position `pos`; hands list offsets. `chips`: of accounts that took part,
    afterwards.
    """
    purse = round.purse
    form, in_order = _chips(tuple(purse))
    cards = '","'.join(round.cards)
    dealer = round.dealer
    total = round.rules.total
    hands = ",".join([_hand(hand, total(hand)) for hand in round.hands])
    decisions = ",".join(map(_decision, round.decisions))
    if moments:
        decisions = _add_moments(decisions, moments)
    again = f'"reshuffled":{_integers(round.reshuffled)},' if round.reshuffled else ""
    given, version = "", 1
    if placement is not None:
        given, version = f'"placed":{text_of(placement.form)},', LATER["round.placed"]
    return (
        f'{{"at":"{at}","cards":["{cards}"],"chips":{{{form % in_order(purse)}}},'
        f'"dealer":{{"cards":{_integers(tuple(dealer.offsets))},"total":{total(dealer)}}},'
        f'"decisions":[{decisions}],"hands":[{hands}],'
        f'"kind":"round",{given}"pos":{round.position},{again}"round":{number},"shoe":"{shoe}","v":{version}}}'
    )


def round_entry(
    at: str, shoe: str, number: int, round: Round, moments: Sequence[str] = (), placement: Placement | None = None
) -> Entry:
    """Return what `round_text` writes as an object."""
    entry: Entry = json.loads(round_text(at, shoe, number, round, moments, placement))
    return entry


TABLES = '"by":"table"'
"""How a decision says that the table made it."""
CARDS = len('{"at":"2026-01-01T00:00:00.000000Z","cards":["')
"""The text before the first card of a line."""


def read_round(text: str) -> tuple[str, list[str], list[Decision], list[str]] | None:
    """Cut a round's shoe, cards, decisions and moments out of a line that begins as `round_text` does; None if they are
    none. A wrong cut does no harm: the caller replays the round and compares its text."""
    end = text.find('"]', CARDS)
    start = text.find('"decisions":[', end) + 13
    made = text[start : text.find('],"hands":', start)]
    once = len(made) > MAX_KEPT or TABLES in made
    found = _decisions.__wrapped__(made) if once else _decisions(made)
    if found is None:
        return None
    return text[text.rfind('"shoe":"') + 8 : -8], text[CARDS:end].split('","'), *found


@lru_cache(maxsize=1 << 12)
def _decisions(text: str) -> tuple[list[Decision], list[str]] | None:
    try:
        forms = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    return decisions_of(forms) if all(map(is_decision, forms)) else None


def _add_moments(decisions: str, moments: Sequence[str]) -> str:
    """Return the text of decisions with the moments of those that the table made."""
    parts = decisions.split(TABLES)
    return parts[0] + "".join(f'"at":"{at}",{TABLES}{part}' for at, part in zip(moments, parts[1:], strict=True))


def _hand(hand: Hand, total: int) -> str:
    box = "" if hand.box == hand.seat else f'"box":{hand.box},'
    insured = f'"insurance":{hand.insurance},"insured":{hand.insured},' if hand.insured else ""
    short = f'"short":{hand.short},' if hand.short else ""
    return (
        f'{{"bet":{hand.bet},{box}"cards":{_integers(tuple(hand.offsets))},{insured}"net":{hand.net},'
        f'"outcome":"{hand.outcome}","seat":{hand.seat},{short}"total":{total}}}'
    )


@lru_cache(maxsize=4096)
def _chips(accounts: tuple[int, ...]) -> tuple[str, Callable[[Mapping[int, int]], Any]]:
    """Accounts by name in canonical order, with a place for the chips of each, and what puts these in order."""
    names = sorted((account_name(account), account) for account in accounts)
    return ",".join(f'"{name}":%d' for name, _ in names), itemgetter(*(account for _, account in names))


@lru_cache(maxsize=4096)
def _integers(numbers: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, numbers))}]"


@lru_cache(maxsize=4096)
def _decision(decision: Decision) -> str:
    return encode(decision_form(decision)).decode()


_USUAL = re.compile(
    rf'\{{"at":".{{27}}","bets":\[([^]]{{0,{MAX_KEPT}}})\],"kind":"open",'
    r'(?:"late":\[([0-9,]{1,99})\],)?(?:"passed":\[([0-9,]{1,99})\],)?'
    r'"round":(0|[1-9][0-9]{0,14}),"shoe":"([^"]*)","v":1\}'
).fullmatch
"""The usual line, where everybody bet, passed or was late; what it takes is short enough to be remembered."""


class Betting(NamedTuple):
    """The end of betting: bets in acting order; seats that waived, passed, were late; bets without cover; poor
    seats."""

    bets: tuple[Bet, ...]
    waived: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    uncovered: tuple[Bet, ...] = ()
    unfunded: tuple[int, ...] = ()


EVERYBODY: tuple[tuple[Any, ...], ...] = ((),) * 5
"""The fields after the bets of a `Betting` in which everybody bet."""


def open_text(at: str, shoe: str, number: int, betting: Betting) -> str:
    """Return the line of an `open`: of round `number`, dealt from `shoe`."""
    bets, waived, passed, late, uncovered, unfunded = betting
    missed = _seats("late", late) + _seats("passed", passed) if late or passed else ""
    rest = (f'"uncovered":[{_bets(uncovered)}],' if uncovered else "") + _seats("unfunded", unfunded)
    return (
        f'{{"at":"{at}","bets":[{_bets(bets)}],"kind":"open",{missed}'
        f'"round":{number},"shoe":"{shoe}",{rest}"v":1{_seats_member("waived", waived) if waived else ""}}}'
    )


def open_entry(at: str, shoe: str, number: int, betting: Betting) -> Entry:
    """Return what `open_text` writes as an object."""
    entry: Entry = json.loads(open_text(at, shoe, number, betting))
    return entry


def read_open(text: str) -> tuple[str, int, Betting] | None:
    """Shoe, round and bets of a line that is exactly what `open_text` writes; None for any other."""
    usual = _USUAL(text)
    if usual is not None:
        bets, late, passed, number, shoe = usual.groups()
        betting = _usual_betting(bets, late or "", passed or "")
        if betting is not None:
            return shoe, int(number), betting
    found = _parse_open(text)
    return found if found is not None and open_text(text[7:34], *found) == text else None


def _parse_open(text: str) -> tuple[str, int, Betting] | None:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    betting = betting_of(entry)
    if betting is None or type(entry.get("round")) is not int or type(entry.get("shoe")) is not str:
        return None
    return entry["shoe"], entry["round"], betting


OF_SEATS = ("waived", "passed", "late", "unfunded")


def betting_of(entry: Any) -> Betting | None:
    """Return the bets of an `open` entry; None where a field has not its shape."""
    if type(entry) is not dict:
        return None
    bets, uncovered = entry.get("bets"), entry.get("uncovered", [])
    seats = [entry.get(name, [1]) for name in OF_SEATS]
    if type(bets) is not list or type(uncovered) is not list or not all(map(is_seats, seats)):
        return None
    if not all(map(is_bet, bets)) or not all(map(is_bet, uncovered)):
        return None
    waived, passed, late, unfunded = (tuple(entry.get(name, ())) for name in OF_SEATS)
    return Betting(tuple(map(bet_of, bets)), waived, passed, late, tuple(map(bet_of, uncovered)), unfunded)


@lru_cache(maxsize=1 << 12)
def _usual_betting(bets: str, late: str, passed: str) -> Betting | None:
    """Return the betting where everybody bet but for these seats: of each the canonical list without its brackets."""
    try:
        entry = {name: json.loads(f"[{text}]") for name, text in (("bets", bets), ("late", late), ("passed", passed))}
    except (ValueError, RecursionError):
        return None
    betting = betting_of({name: stated for name, stated in entry.items() if stated or name == "bets"})
    if betting is None or (_bets(betting.bets), _list(betting.late), _list(betting.passed)) != (bets, late, passed):
        return None
    return betting


def _bets(bets: Iterable[Bet]) -> str:
    return ",".join(map(_bet, bets))


def _seats(name: str, seats: tuple[int, ...]) -> str:
    return f'"{name}":[{_list(seats)}],' if seats else ""


def _seats_member(name: str, seats: tuple[int, ...]) -> str:
    return f',"{name}":[{_list(seats)}]'


def _list(seats: tuple[int, ...]) -> str:
    return ",".join(map(str, seats))


@lru_cache(maxsize=4096)
def _bet(bet: Bet) -> str:
    return encode(bet_form(bet)).decode()
