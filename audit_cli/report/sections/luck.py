"""The house-luck test: what the reference strategy would have won on every shoe that is known."""

from __future__ import annotations

from ...findings.wording import counted
from ...luck.readings import Reading
from ..blocks import Block, Cell, Column, Items, Section, Status, Table, Text
from ..facts import Facts, Profile

NAME, TITLE = "luck", "The house's luck"
MOST_ROWS = 40
COARSE = 0.25
"""Where only a greater advantage of a bet than that would be seen, nothing is said: the published attack takes 0.3."""
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
    odd = [reading for reading in readings if chance(reading, facts.profile) < facts.profile.share]
    log = next((reading for reading in readings if reading.test in ("shoes", "dealt", "bank")), readings[0])
    status: Status = "question" if odd else state(log, facts.profile)
    says = f"Chance explains what the house won on {counted(luck.shoes, 'shoe')}."
    if status == "unknown":
        says = f"Too little was played to say anything: {counted(luck.shoes, 'shoe')}."
    if odd:
        first = min(odd, key=lambda reading: chance(reading, facts.profile))
        says = (
            f"Chance does not explain it: {TESTS[first.test][1]} ({_whose(first)}, z {first.z:.1f}, "
            f"p {chance(first, facts.profile):.2g})."
        )
    shown = sorted(readings, key=lambda each: (each.scope[0] != "log", each.p, each.scope, each.test))[:MOST_ROWS]
    asked = [TESTS[name] for name in TESTS if any(reading.test == name for reading in readings)]
    legend = Items([f"{called.capitalize()}: {asks}?" for called, asks in asked])
    table = _table(shown, len(readings), facts.profile)
    blocks: list[Block] = [Text(HOW), Text(_power(log)), legend, table, *_left(facts)]
    return Section(NAME, TITLE, status, says, blocks, [reading._asdict() for reading in readings])


def state(reading: Reading, profile: Profile) -> Status:
    """Too little says nothing."""
    if chance(reading, profile) < profile.share:
        return "question"
    return "unknown" if reading.visible > COARSE else "good"


def chance(reading: Reading, profile: Profile) -> float:
    """The p-value that the reader's way of looking allows, corrected for the number of tests."""
    return reading.p_holm if profile.once else reading.always_holm


def _power(log: Reading) -> str:
    return (
        f"So many hands ({log.hands:,}) would show, nine times in ten at the level 0.001, an advantage of "
        f"{100 * log.visible:.2f} % of a bet or more to "
        "somebody who looks once, and at this test alone."
    )


def _table(readings: list[Reading], count: int, profile: Profile) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            _whose(reading),
            TESTS[reading.test][0],
            reading.rounds,
            None if reading.test == "bets" else reading.hands,
            None if reading.test == "bets" else reading.excess,
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
        Column("test"),
        Column("rounds", "count"),
        Column("hands", "count"),
        Column("above expectation, bets", "number"),
        Column("z", "number"),
        Column("p", "p"),
        Column("corrected", "p"),
        Column("and looking often", "p"),
        Column("least to be seen, alone", "percent"),
        Column("result", "status"),
    )
    return Table(f"Tests: {len(rows)} of {count:,}, the whole log, then the least likely", columns, rows)


def _left(facts: Facts) -> list[Block]:
    """What could not be played."""
    told = []
    if facts.counted.unknown:
        told.append(f"{facts.counted.unknown:,} void shoes whose order stays unknown for want of a seed")
    if facts.counted.luck.unplayed:
        told.append(f"{facts.counted.luck.unplayed:,} rounds for which too few cards were left")
    return [Text(f"Left out: {'; '.join(told)}.")] if told else []


def _whose(reading: Reading) -> str:
    kind, name = reading.scope
    return "the whole log" if kind == "log" else f"{kind} {name}"
