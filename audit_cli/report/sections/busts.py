"""The bust test: whether somebody steers cards that they should not know."""

from __future__ import annotations

from ...luck.busts import BustReading
from ..blocks import Block, Cell, Column, Section, Status, Table, Text
from ..facts import Facts, Profile
from ._readings import COLUMNS, caption, cells, chance, oddest, shown, state, whose

NAME, TITLE = "busts", "Hits and busts"
LOG = "anybody in the log"
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
    first = oddest(readings, facts.profile)
    status: Status = "question" if first else state(readings[0], facts.profile)
    says = (
        "Too few draws to say anything."
        if status == "unknown"
        else "Everybody's hits, and the dealer's, went as the cards left in the shoe say."
    )
    if first:
        says = (
            f"Does {whose(first, LOG)} know the cards? {first.busts:,} busts of {first.draws:,} draws, where "
            f"{first.expected:,.1f} were to be expected (z {first.z:.1f}, p {chance(first, facts.profile):.2g})."
        )
    blocks: list[Block] = [Text(HOW), _table(shown(readings), len(readings), facts.profile), _power(readings[0])]
    return Section(NAME, TITLE, status, says, blocks, [reading._asdict() for reading in readings])


def _table(readings: list[BustReading], count: int, profile: Profile) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            whose(reading, LOG),
            TESTS[reading.test],
            reading.draws,
            reading.busts,
            reading.expected,
            *cells(reading, profile),
        )
        for reading in readings
    ]
    columns = (
        Column("of"),
        Column("cards"),
        Column("draws", "count"),
        Column("busts", "count"),
        Column("expected", "number"),
        *COLUMNS,
    )
    return Table(caption(len(rows), count), columns, rows)


def _power(log: BustReading) -> Table:
    rows: list[tuple[Cell, ...]] = list(log.power)
    columns = (Column("rounds", "count"), Column("least change of a draw's chance that is seen", "percent"))
    return Table("What so many rounds like these would show, nine times in ten at the level 0.001", columns, rows)
