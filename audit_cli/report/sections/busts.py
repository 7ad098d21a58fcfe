"""The bust test: whether somebody steers cards that they should not know."""

from __future__ import annotations

from ...luck.busts import BustReading
from ..blocks import Block, Cell, Column, Section, Status, Table, Text
from ..facts import Facts, Profile

NAME, TITLE = "busts", "Hits and busts"
MOST_ROWS = 40
COARSE = 0.25
"""Where only a greater change of a draw's chance than that would be seen, nothing is said."""
TESTS = {
    "own": "own hits",
    "dealer": "the dealer's, where this seat decided",
}
HOW = (
    "Who does not know the next card busts as often as the cards left in the shoe say, whatever the strategy. A seat "
    "that knows the order and steers, for itself or for the seats beside it, is far off."
)


def build(facts: Facts) -> Section:
    readings = facts.counted.busts.result()
    if not readings:
        return Section(NAME, TITLE, "unknown", "No card that could bust a hand was drawn from a shoe that is known.")
    odd = [reading for reading in readings if chance(reading, facts.profile) < facts.profile.share]
    status: Status = "question" if odd else state(readings[0], facts.profile)
    says = (
        "Too few draws to say anything."
        if status == "unknown"
        else "Everybody's hits, and the dealer's, went as the cards left in the shoe say."
    )
    if odd:
        first = min(odd, key=lambda reading: chance(reading, facts.profile))
        says = (
            f"Does {_whose(first)} know the cards? {first.busts:,} busts of {first.draws:,} draws, where "
            f"{first.expected:,.1f} were to be expected (z {first.z:.1f}, p {chance(first, facts.profile):.2g})."
        )
    shown = sorted(readings, key=lambda each: (each.scope[0] != "log", each.p, each.scope, each.test))[:MOST_ROWS]
    blocks: list[Block] = [Text(HOW), _table(shown, len(readings), facts.profile), _power(readings[0])]
    return Section(NAME, TITLE, status, says, blocks, [reading._asdict() for reading in readings])


def state(reading: BustReading, profile: Profile) -> Status:
    """Too little says nothing."""
    if chance(reading, profile) < profile.share:
        return "question"
    return "unknown" if reading.visible > COARSE else "good"


def chance(reading: BustReading, profile: Profile) -> float:
    """The p-value that the reader's way of looking allows, corrected for the number of tests."""
    return reading.p_holm if profile.once else reading.always_holm


def _table(readings: list[BustReading], count: int, profile: Profile) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            _whose(reading),
            TESTS[reading.test],
            reading.draws,
            reading.busts,
            reading.expected,
            reading.z,
            reading.p,
            reading.p_holm,
            reading.always_holm,
            reading.visible,
            state(reading, profile),
        )
        for reading in readings
    ]
    columns = (
        Column("of"),
        Column("cards"),
        Column("draws", "count"),
        Column("busts", "count"),
        Column("expected", "number"),
        Column("z", "number"),
        Column("p", "p"),
        Column("corrected", "p"),
        Column("and looking often", "p"),
        Column("least to be seen, alone", "percent"),
        Column("result", "status"),
    )
    return Table(f"Tests: {len(rows)} of {count:,}, the whole log, then the least likely", columns, rows)


def _power(log: BustReading) -> Table:
    rows: list[tuple[Cell, ...]] = list(log.power)
    columns = (Column("rounds", "count"), Column("least change of a draw's chance that is seen", "percent"))
    return Table("What so many rounds like these would show, nine times in ten at the level 0.001", columns, rows)


def _whose(reading: BustReading) -> str:
    kind, name = reading.scope
    return "anybody in the log" if kind == "log" else f"{kind} {name}"
