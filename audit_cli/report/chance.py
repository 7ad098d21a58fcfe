"""Sections on chance: the house-luck test, what the reference strategy would have won on every known shoe; the bust
test, whether somebody steers cards that they should not know; and whether the shoes look like uniform shuffles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

from ..verify.findings.wording import count_text
from .blocks import (
    ATTENTION_LEVEL,
    SHARE,
    WORST,
    Block,
    Cell,
    Items,
    Question,
    ReportTable,
    Section,
    Status,
    Text,
    columns,
    format_value,
)
from .luck.busts import DEALER, Busts
from .luck.house import Luck
from .luck.sums import BustReading, LuckReading, in_order
from .statistics.collection import OrderCount
from .statistics.measurement import FOUND, TOO_FEW

R = TypeVar("R", LuckReading, BustReading)

MAX_ROWS = 12
COARSE = 0.25
"""Largest detectable share of a bet, or of a draw's chance, at which a test still says something. The published attack
takes 0.3 of a bet."""
LUCK = {
    "dealt": ("dealt rounds", "the house won too much in what was dealt"),
    "shoes": (
        "all known shoes",
        "the house won too much in all shoes that are known, also in what was not dealt of them",
    ),
    "avoided": ("dealt or not", "what was dealt was better for the house than what it did not deal"),
    "next": ("what came next", "what was not dealt would have begun well for the players"),
    "bets": ("real bets", "the real bets lost more than the same bets on the reference strategy"),
    "bank": ("the banks", "all seats together won or lost too much against whoever banked"),
    "seat": ("bank and seat", "this player's seat won or lost too much, as banker and against one"),
}
"""Name and question of each test."""
HOW_LUCK = (
    "A fixed strategy plays every shoe whose seeds are all in the log, with the seats that bet, one unit each: what "
    "players really chose does not come into it. A house that picks its keys, stops shoes at their best point, or does "
    "not hear bets in bad rounds wins here what chance does not give it."
)
BUSTS = {"own": "own hits", "dealer": "the dealer's, where this seat decided"}
ASKS = {test: asks for test, (_, asks) in LUCK.items()} | {
    "own": "own hits bust too {}",
    "dealer": "the dealer busts too {} where this seat decided",
}
"""What each test of luck and busts asks about."""
HOW_BUSTS = (
    "Who does not know the next card busts as often as the cards left in the shoe say, whatever the strategy. A seat "
    "that knows the order and steers, for itself or for the seats beside it, is far off."
)
HOW_SHUFFLES = (
    "Bits that come of a hash say nothing of a key that was chosen: these tests are for shuffles that were not made as "
    "they should be, and for cards that stick."
)
COLUMNS = columns("z:number", "p:p", "corrected:p", "looking often:p", "least to be seen:percent", "result:status")
"""The last columns of the tables of luck and busts."""
STATES: dict[str, Status] = {FOUND: "question", TOO_FEW: "unknown"}


# Luck and busts.


def luck(found: Luck, unknown: int, once: bool) -> Section:
    """`unknown`: how many void shoes have an order that nobody knows. `once`: the reader looks a single time."""
    readings = found.result()
    if not readings:
        says = "No shoe of a table has an order that is known."
        return Section("luck", "The house's luck", "unknown", says, [Text(HOW_LUCK)])
    first = _oddest(readings, once)
    log = next((reading for reading in readings if reading.test in ("shoes", "dealt", "bank")), readings[0])
    status = _state(first or log, once)
    says = f"Chance explains what the house won on {count_text(found.shoes, 'shoe')}."
    if status == "unknown":
        says = _too_little(log.hands, "hand", log.visible, "an advantage", "a bet")
    if first:
        what = f"{LUCK[first.test][1]} ({_whose(first, 'the whole log')}, z {first.z:.1f}, {_told(first, once)})."
        says = f"Chance does not explain it: {what}"
        if status == "look":
            says = f"Chance seldom does it: {what} {_more(first, first.rounds, 'round')}"
    tested = {reading.test for reading in readings}
    legend = Items([f"{called.capitalize()}: {asks}?" for test, (called, asks) in LUCK.items() if test in tested])
    power = (
        f"So many hands ({log.hands:,}) would show, nine times in ten at the level 0.001, an advantage of "
        f"{100 * log.visible:.2f} % of a bet or more to "
        "somebody who looks once, and at this test alone."
    )
    rows = []
    for reading in _shown(readings):
        of_units: tuple[Cell, Cell] = (None, None) if reading.test == "bets" else (reading.hands, reading.excess)
        name = (_whose(reading, "the whole log"), LUCK[reading.test][0], reading.rounds)
        rows.append((*name, *of_units, *_cells(reading, once)))
    titles = columns("of", "test", "rounds:count", "hands:count", "bets above expectation:number")
    table = ReportTable(_caption(len(rows), len(readings)), (*titles, *COLUMNS), rows)
    blocks: list[Block] = [Text(HOW_LUCK), Text(power), legend, table, *_left(found, unknown)]
    data = [reading._asdict() for reading in readings]
    return Section("luck", "The house's luck", status, says, blocks, data, _asks(readings, once))


def _left(found: Luck, unknown: int) -> Iterator[Text]:
    """Describe the shoes that could not be played."""
    told = []
    if unknown:
        told.append(f"{unknown:,} void shoes whose order stays unknown for want of a seed or beacon")
    if found.unplayed:
        told.append(f"{found.unplayed:,} rounds for which too few cards were left")
    if told:
        yield Text(f"Left out: {'; '.join(told)}.")


def busts(found: Busts, once: bool) -> Section:
    readings = found.result()
    if not readings:
        says = "No card that could bust a hand was drawn from a shoe that is known."
        return Section("busts", "Hits and busts", "unknown", says)
    first = _oddest(readings, once)
    status = _state(first or readings[0], once)
    says = "Everybody's hits, and the dealer's, went as the cards left in the shoe say."
    if status == "unknown":
        says = _too_little(readings[0].draws, "draw", readings[0].visible, "a change", "a draw's chance")
    if first:
        draws = "dealer's draws after choices" if first.test == DEALER else "own draws"
        says = (
            f"Does somebody know the cards? {_asked(first).capitalize()}: {first.busts:,} in "
            f"{first.draws:,} {draws} of {_whose(first, 'the whole log')} where {first.expected:,.1f} were to be "
            f"expected (z {first.z:.1f}, {_told(first, once)})."
        )
        if status == "look":
            says = f"{says} {_more(first, first.draws, 'draw')}"
    rows = []
    for reading in _shown(readings):
        name = (_whose(reading, "anybody in the log"), BUSTS[reading.test])
        rows.append((*name, reading.draws, reading.busts, reading.expected, *_cells(reading, once)))
    titles = columns("of", "cards", "draws:count", "busts:count", "expected:number")
    table = ReportTable(_caption(len(rows), len(readings)), (*titles, *COLUMNS), rows)
    blocks: list[Block] = [Text(HOW_BUSTS), table]
    data = [reading._asdict() for reading in readings]
    return Section("busts", "Hits and busts", status, says, blocks, data, _asks(readings, once))


def _asks(readings: Sequence[LuckReading] | Sequence[BustReading], once: bool) -> list[Question]:
    """Return a question of the log, else one of each table that asks, else of each player: what is off in a table is so
    in the log, and at its players."""
    asking = [each for each in readings if _state(each, once) == "question"]
    scopes = sorted({each.scope for each in asking}, key=in_order)
    return [
        Question(" ".join(scope), f"{_asked(each)} ({_whose(each, 'the whole log')}, z {each.z:.1f})")
        for scope in scopes
        if scope[0] == scopes[0][0]
        for each in [min((each for each in asking if each.scope == scope), key=lambda each: _chance(each, once))]
    ]


def _asked(reading: LuckReading | BustReading) -> str:
    """Return what a reading asks about."""
    return ASKS[reading.test].format("often" if reading.z > 0 else "seldom")


def _cells(reading: LuckReading | BustReading, once: bool) -> tuple[Cell, ...]:
    """Return the cells of the last columns."""
    chances = (reading.p, reading.p_holm, reading.always_holm)
    return (reading.z, *chances, reading.visible, _state(reading, once))


def _state(reading: LuckReading | BustReading, once: bool) -> Status:
    """Too little says nothing; what chance seldom does to whoever looks once is worth a look."""
    if _chance(reading, once) < SHARE:
        return "question"
    if reading.p_holm < ATTENTION_LEVEL:
        return "look"
    return "unknown" if reading.visible > COARSE else "good"


def _chance(reading: LuckReading | BustReading, once: bool) -> float:
    """Return the p-value that the reader's way of looking allows, corrected for the number of tests."""
    return reading.p_holm if once else reading.always_holm


def _oddest(readings: Sequence[R], once: bool) -> R | None:
    """Return the least likely of those that ask, or else of those to look at."""
    first = min(readings, key=lambda each: (WORST.index(_state(each, once)), _chance(each, once), each.p_holm))
    return first if _state(first, once) in ("question", "look") else None


def _told(reading: LuckReading | BustReading, once: bool) -> str:
    """Return the p-value by which it asks, or is to be looked at."""
    if _state(reading, once) == "look":
        return f"p {format_value(reading.p_holm, 'p')} for whoever looks once"
    return f"p {format_value(_chance(reading, once), 'p')}"


def _too_little(count: int, of: str, visible: float, what: str, whole: str) -> str:
    """Describe what this many observations show, and how many more are needed."""
    needed = math.ceil(count * (visible / COARSE) ** 2)
    return (
        f"Too little was played: {count_text(count, of)} would show {what} of {visible:.0%} of {whole} or more, and "
        f"nothing like that is there; a quarter shows in about {needed:,}."
    )


def _more(reading: LuckReading | BustReading, count: int, of: str) -> str:
    """How much more of it would decide: its evidence grows with the square of z, of which a fixed part is the price of
    looking often."""
    strength = reading.z**2 / 2
    price = max(strength + math.log(max(reading.always, 1e-300)), 0.0)
    wanted = math.log(max(reading.p_holm / reading.p, 1.0) / SHARE) if reading.p else 0.0
    more = max(math.ceil(count * ((wanted + price) / strength - 1)), 1)
    return (
        f"Too little to ask whoever looks again and again: if it goes on so, about "
        f"{count_text(more, 'more ' + of)} make it a question; if it was chance, they take it away."
    )


def _shown(readings: Sequence[R]) -> list[R]:
    """Return the whole log's, then the least likely."""
    return sorted(readings, key=lambda each: (each.scope[0] != "log", each.p, each.scope, each.test))[:MAX_ROWS]


def _caption(rows: int, count: int) -> str:
    return f"Tests: {rows} of {count:,}, the whole log, then the least likely"


def _whose(reading: LuckReading | BustReading, log: str) -> str:
    """Of whom, in words; `log`: what the whole log is called."""
    kind, name = reading.scope
    return log if kind == "log" else f"{kind} {name}"


# The shuffles.


def shuffles(collected: OrderCount) -> Section:
    result = collected.result(SHARE)
    tested = [each for each in result.tests if each.p is not None]
    found = result.found
    status: Status = "question" if found else "good" if tested and len(tested) == len(result.tests) else "unknown"
    says = f"{result.shoes:,} whole shoes look like uniform shuffles in {len(tested)} tests."
    if found:
        says = f"The shuffles are not uniform: {found[0].question}: {found[0].sentence}."
    elif status == "unknown":
        wanting = [each for each in result.tests if each.p is None]
        needs = max((each.needs - each.shoes for each in wanting), default=0)
        says = (
            "No whole shoe is known."
            if not result.tests
            else (
                f"Too few shoes: {len(tested)} of {len(result.tests)} tests have enough, and found nothing; "
                f"about {needs:,} more shoes of each deck give the rest enough."
            )
        )
    rows = []
    for each in result.tests:
        state = STATES.get(each.status, "good")
        rows.append((each.name, each.deck, each.shoes, each.p, each.adjusted, each.sentence, state))
    titles = columns("test", "deck", "shoes:count", "p:p", "corrected:p", "what it says", "result:status")
    table = ReportTable("Tests, corrected for their number (Holm)", titles, rows)
    blocks: list[Block] = [Text(HOW_SHUFFLES), table]
    if result.left_out or result.unordered:
        blocks.append(
            Text(f"Left out: {result.left_out:,} shoes of further decks, {result.unordered:,} without order.")
        )
    asks = [Question(f"{each.name} {each.deck}", f"{each.question}: {each.sentence}") for each in found]
    return Section("shuffles", "The shuffles", status, says, blocks, result.as_json(), asks)
