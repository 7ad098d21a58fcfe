"""The house-luck test, what the reference strategy would have won on every known shoe; and the bust test, whether
somebody steers cards that they should not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..findings.wording import counted
from ..luck.busts import BustReading
from ..luck.readings import Corrected
from ..luck.readings import Reading as LuckReading
from .blocks import Block, Cell, Items, Section, Status, Table, Text, columns

if TYPE_CHECKING:
    from .making import Facts, Profile

MOST_ROWS = 40
COARSE = 0.25
"""Where only more than so much of a bet, or of a draw's chance, would be seen, nothing is said: the published attack
takes 0.3 of a bet."""
OF_LUCK = "the whole log"
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
"""What a test is called, and what it asks."""
HOW_LUCK = (
    "A fixed strategy plays every shoe whose seeds are all in the log, with the seats that bet, one unit each: what "
    "players really chose does not come into it. A house that picks its keys, stops shoes at their best point, or does "
    "not hear bets in bad rounds wins here what chance does not give it."
)
OF_BUSTS = "anybody in the log"
BUSTS = {
    "own": "own hits",
    "dealer": "the dealer's, where this seat decided",
}
HOW_BUSTS = (
    "Who does not know the next card busts as often as the cards left in the shoe say, whatever the strategy. A seat "
    "that knows the order and steers, for itself or for the seats beside it, is far off."
)


class Reading(Corrected, Protocol):
    """One test of either kind."""

    @property
    def test(self) -> str: ...
    @property
    def z(self) -> float: ...
    @property
    def visible(self) -> float: ...
    @property
    def p_holm(self) -> float: ...
    @property
    def always_holm(self) -> float: ...


R = TypeVar("R", bound=Reading)

COLUMNS = columns(
    "z:number", "p:p", "corrected:p", "and looking often:p", "least to be seen, alone:percent", "result:status"
)
"""The last columns of either table."""


def cells(reading: Reading, profile: Profile) -> tuple[Cell, ...]:
    """What stands in these."""
    chances = (reading.p, reading.p_holm, reading.always_holm)
    return (reading.z, *chances, reading.visible, state(reading, profile))


def state(reading: Reading, profile: Profile) -> Status:
    """Too little says nothing."""
    if chance(reading, profile) < profile.share:
        return "question"
    return "unknown" if reading.visible > COARSE else "good"


def chance(reading: Reading, profile: Profile) -> float:
    """The p-value that the reader's way of looking allows, corrected for the number of tests."""
    return reading.p_holm if profile.once else reading.always_holm


def oddest(readings: Sequence[R], profile: Profile) -> R | None:
    """The least likely of those that ask, if any does."""
    first = min(readings, key=lambda each: chance(each, profile))
    return first if chance(first, profile) < profile.share else None


def shown(readings: Sequence[R]) -> list[R]:
    """The whole log's, then the least likely."""
    return sorted(readings, key=lambda each: (each.scope[0] != "log", each.p, each.scope, each.test))[:MOST_ROWS]


def caption(rows: int, count: int) -> str:
    return f"Tests: {rows} of {count:,}, the whole log, then the least likely"


def whose(reading: Reading, log: str) -> str:
    """Of whom, in words; `log`: what the whole log is called."""
    kind, name = reading.scope
    return log if kind == "log" else f"{kind} {name}"


def luck(facts: Facts) -> Section:
    found = facts.numbers.luck
    readings = found.result()
    if not readings:
        return Section(
            "luck", "The house's luck", "unknown", "No shoe of a table has an order that is known.", [Text(HOW_LUCK)]
        )
    first = oddest(readings, facts.profile)
    log = next((reading for reading in readings if reading.test in ("shoes", "dealt", "bank")), readings[0])
    status: Status = "question" if first else state(log, facts.profile)
    says = f"Chance explains what the house won on {counted(found.shoes, 'shoe')}."
    if status == "unknown":
        says = f"Too little was played to say anything: {counted(found.shoes, 'shoe')}."
    if first:
        says = (
            f"Chance does not explain it: {LUCK[first.test][1]} ({whose(first, OF_LUCK)}, z {first.z:.1f}, "
            f"p {chance(first, facts.profile):.2g})."
        )
    asked = [LUCK[name] for name in LUCK if any(reading.test == name for reading in readings)]
    legend = Items([f"{called.capitalize()}: {asks}?" for called, asks in asked])
    table = _luck_table(shown(readings), len(readings), facts.profile)
    blocks: list[Block] = [Text(HOW_LUCK), Text(_luck_power(log)), legend, table, *_left(facts)]
    return Section("luck", "The house's luck", status, says, blocks, [reading._asdict() for reading in readings])


def _luck_power(log: LuckReading) -> str:
    return (
        f"So many hands ({log.hands:,}) would show, nine times in ten at the level 0.001, an advantage of "
        f"{100 * log.visible:.2f} % of a bet or more to "
        "somebody who looks once, and at this test alone."
    )


def _luck_table(readings: list[LuckReading], count: int, profile: Profile) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            whose(reading, OF_LUCK),
            LUCK[reading.test][0],
            reading.rounds,
            None if reading.test == "bets" else reading.hands,
            None if reading.test == "bets" else reading.excess,
            *cells(reading, profile),
        )
        for reading in readings
    ]
    titles = (*columns("of", "test", "rounds:count", "hands:count", "above expectation, bets:number"), *COLUMNS)
    return Table(caption(len(rows), count), titles, rows)


def _left(facts: Facts) -> list[Block]:
    """What could not be played."""
    told = []
    if facts.numbers.unknown:
        told.append(f"{facts.numbers.unknown:,} void shoes whose order stays unknown for want of a seed")
    if facts.numbers.luck.unplayed:
        told.append(f"{facts.numbers.luck.unplayed:,} rounds for which too few cards were left")
    return [Text(f"Left out: {'; '.join(told)}.")] if told else []


def busts(facts: Facts) -> Section:
    readings = facts.numbers.busts.result()
    if not readings:
        return Section(
            "busts", "Hits and busts", "unknown", "No card that could bust a hand was drawn from a shoe that is known."
        )
    first = oddest(readings, facts.profile)
    status: Status = "question" if first else state(readings[0], facts.profile)
    says = (
        "Too few draws to say anything."
        if status == "unknown"
        else "Everybody's hits, and the dealer's, went as the cards left in the shoe say."
    )
    if first:
        says = (
            f"Does {whose(first, OF_BUSTS)} know the cards? {first.busts:,} busts of {first.draws:,} draws, where "
            f"{first.expected:,.1f} were to be expected (z {first.z:.1f}, p {chance(first, facts.profile):.2g})."
        )
    blocks: list[Block] = [
        Text(HOW_BUSTS),
        _bust_table(shown(readings), len(readings), facts.profile),
        _bust_power(readings[0]),
    ]
    return Section("busts", "Hits and busts", status, says, blocks, [reading._asdict() for reading in readings])


def _bust_table(readings: list[BustReading], count: int, profile: Profile) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            whose(reading, OF_BUSTS),
            BUSTS[reading.test],
            reading.draws,
            reading.busts,
            reading.expected,
            *cells(reading, profile),
        )
        for reading in readings
    ]
    titles = (*columns("of", "cards", "draws:count", "busts:count", "expected:number"), *COLUMNS)
    return Table(caption(len(rows), count), titles, rows)


def _bust_power(log: BustReading) -> Table:
    rows: list[tuple[Cell, ...]] = list(log.power)
    titles = columns("rounds:count", "least change of a draw's chance that is seen:percent")
    return Table("What so many rounds like these would show, nine times in ten at the level 0.001", titles, rows)
