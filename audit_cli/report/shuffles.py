"""Shuffle statistics: whether whole shoes, and what was dealt of them, look like uniform shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..findings.wording import counted
from ..statistics.measured import FOUND, TOO_FEW, Judged, Profile
from .blocks import Block, Cell, Chart, Section, Status, Table, Text, columns
from .pictures import cells, histogram

if TYPE_CHECKING:
    from .making import Facts

STATES: dict[str, Status] = {FOUND: "question", TOO_FEW: "unknown"}
MOST_FIELDS, MOST_PLACES, ENOUGH_SHOES = 3, 52, 30
HOW = (
    "Bits that come of a hash say nothing of a key that was chosen: these tests are for shuffles that were not made as "
    "they should be, and for cards that stick."
)


def shuffles(facts: Facts) -> Section:
    result = facts.numbers.shuffles.result(Profile(facts.profile.name, facts.profile.share))
    tested = [each for each in result.tests if each.test.p is not None]
    uniform = [each for each in tested if not each.test.name.startswith("repeats")]
    found = result.found
    status: Status = "question" if found else "good" if uniform else "unknown"
    says = f"{result.shoes:,} whole shoes look like uniform shuffles in {len(tested)} tests."
    if found:
        says = f"The shuffles are not uniform: {found[0].test.question}: {found[0].sentence}."
    elif not uniform:
        says = f"{counted(result.shoes, 'whole shoe')}: too few to say anything but whether something came twice."
    blocks: list[Block] = [Text(HOW), _table(result.tests)]
    blocks += _fields(facts)
    chances = [each.test.p for each in tested if each.test.p is not None and not each.test.exact]
    if len(chances) >= 2:
        picture = histogram("p-values of the tests", chances, bins=10)
        says_of = (
            "How many tests had a p-value of about so much. Chance spreads them evenly; a tall first bar is a bias."
        )
        blocks.append(Chart("p-values of the tests", picture, says_of))
    if result.left_out or result.unordered:
        blocks.append(
            Text(f"Left out: {result.left_out:,} shoes of further decks, {result.unordered:,} without order.")
        )
    return Section("shuffles", "The shuffles", status, says, blocks, result.as_json())


def _fields(facts: Facts) -> list[Chart]:
    """Cards by position, of the decks with the most shoes."""
    found = sorted(facts.numbers.shuffles.shoes.items(), key=lambda each: (-each[1].shoes, each[0]))
    charts = []
    for _, shoes in found[:MOST_FIELDS]:
        layout = shoes.layout
        rows = shoes.deviations(MOST_PLACES)
        if len(rows) < 2 or shoes.shoes < ENOUGH_SHOES:
            continue
        names = [layout.kind_name(kind).removeprefix("rank ") for kind in range(len(rows))]
        places = [str(1 + layout.size * place // len(rows[0])) for place in range(len(rows[0]))]
        title = f"{layout.name}: cards by position, {counted(shoes.shoes, 'shoe')}"
        says = (
            "One row a rank, positions of the dealt order from left to right; the stronger a cell, the more (red) or "
            "the fewer (blue) cards than expected, full at four standard deviations. Chance looks like noise; a stripe "
            "or a corner is a bias."
        )
        charts.append(Chart(title, cells(title, rows, names, places), says))
    return charts


def _table(tests: tuple[Judged, ...]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            each.test.name,
            each.test.deck,
            each.test.shoes,
            each.test.p,
            each.adjusted,
            each.sentence,
            STATES.get(each.status, "good"),
        )
        for each in tests
    ]
    titles = columns("test", "deck", "shoes:count", "p:p", "corrected:p", "what it says", "result:status")
    return Table("Tests, corrected for their number (Holm)", titles, rows)
