"""Shuffle statistics: whether whole shoes, and what was dealt of them, look like uniform shuffles."""

from __future__ import annotations

from ...findings.wording import counted
from ...statistics.measured import FOUND, TOO_FEW, Judged
from ...statistics.profile import Profile
from ..blocks import Block, Cell, Chart, Column, Section, Status, Table, Text
from ..charts.pictures import histogram
from ..facts import Facts

NAME, TITLE = "shuffles", "The shuffles"
STATES: dict[str, Status] = {FOUND: "question", TOO_FEW: "unknown"}
HOW = (
    "Bits that come of a hash say nothing of a key that was chosen: these tests are for shuffles that were not made as "
    "they should be, and for cards that stick."
)


def build(facts: Facts) -> Section:
    result = facts.counted.shuffles.result(Profile(facts.profile.name, facts.profile.share))
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
    chances = [each.test.p for each in tested if each.test.p is not None and not each.test.exact]
    if len(chances) >= 2:
        picture = histogram("p-values of the tests", chances, bins=10)
        says_of = (
            "How many tests had a p-value of about so much. Chance spreads them evenly; a tall first bar is a bias."
        )
        blocks.append(Chart("p-values of the tests", picture, says_of))
    if result.left_out or facts.counted.unordered:
        blocks.append(
            Text(f"Left out: {result.left_out:,} shoes of further decks, {facts.counted.unordered:,} without order.")
        )
    return Section(NAME, TITLE, status, says, blocks, result.as_json())


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
    columns = (
        Column("test"),
        Column("deck"),
        Column("shoes", "count"),
        Column("p", "p"),
        Column("corrected", "p"),
        Column("what it says"),
        Column("result", "status"),
    )
    return Table("Tests, corrected for their number (Holm)", columns, rows)
