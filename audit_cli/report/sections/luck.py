"""The house-luck test: what the reference strategy would have won on every shoe that is known."""

from __future__ import annotations

from ...findings.wording import counted
from ...luck.readings import Reading
from ..blocks import Block, Cell, Column, Items, Section, Status, Table, Text
from ..facts import Facts, Profile
from ._readings import COLUMNS, caption, cells, chance, oddest, shown, state, whose

NAME, TITLE = "luck", "The house's luck"
LOG = "the whole log"
TESTS = {
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
HOW = (
    "A fixed strategy plays every shoe whose seeds are all in the log, with the seats that bet, one unit each: what "
    "players really chose does not come into it. A house that picks its keys, stops shoes at their best point, or does "
    "not hear bets in bad rounds wins here what chance does not give it."
)


def build(facts: Facts) -> Section:
    luck = facts.counted.luck
    readings = luck.result()
    if not readings:
        return Section(NAME, TITLE, "unknown", "No shoe of a table has an order that is known.", [Text(HOW)])
    first = oddest(readings, facts.profile)
    log = next((reading for reading in readings if reading.test in ("shoes", "dealt", "bank")), readings[0])
    status: Status = "question" if first else state(log, facts.profile)
    says = f"Chance explains what the house won on {counted(luck.shoes, 'shoe')}."
    if status == "unknown":
        says = f"Too little was played to say anything: {counted(luck.shoes, 'shoe')}."
    if first:
        says = (
            f"Chance does not explain it: {TESTS[first.test][1]} ({whose(first, LOG)}, z {first.z:.1f}, "
            f"p {chance(first, facts.profile):.2g})."
        )
    asked = [TESTS[name] for name in TESTS if any(reading.test == name for reading in readings)]
    legend = Items([f"{called.capitalize()}: {asks}?" for called, asks in asked])
    table = _table(shown(readings), len(readings), facts.profile)
    blocks: list[Block] = [Text(HOW), Text(_power(log)), legend, table, *_left(facts)]
    return Section(NAME, TITLE, status, says, blocks, [reading._asdict() for reading in readings])


def _power(log: Reading) -> str:
    return (
        f"So many hands ({log.hands:,}) would show, nine times in ten at the level 0.001, an advantage of "
        f"{100 * log.visible:.2f} % of a bet or more to "
        "somebody who looks once, and at this test alone."
    )


def _table(readings: list[Reading], count: int, profile: Profile) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            whose(reading, LOG),
            TESTS[reading.test][0],
            reading.rounds,
            None if reading.test == "bets" else reading.hands,
            None if reading.test == "bets" else reading.excess,
            *cells(reading, profile),
        )
        for reading in readings
    ]
    columns = (
        Column("of"),
        Column("test"),
        Column("rounds", "count"),
        Column("hands", "count"),
        Column("above expectation, bets", "number"),
        *COLUMNS,
    )
    return Table(caption(len(rows), count), columns, rows)


def _left(facts: Facts) -> list[Block]:
    """What could not be played."""
    told = []
    if facts.counted.unknown:
        told.append(f"{facts.counted.unknown:,} void shoes whose order stays unknown for want of a seed")
    if facts.counted.luck.unplayed:
        told.append(f"{facts.counted.luck.unplayed:,} rounds for which too few cards were left")
    return [Text(f"Left out: {'; '.join(told)}.")] if told else []
