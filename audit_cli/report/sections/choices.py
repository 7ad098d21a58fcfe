"""What the ceremony left somebody to choose, in words."""

from __future__ import annotations

from ..blocks import Block, Cell, Column, Section, Table, Text
from ..facts import Facts

NAME, TITLE = "choices", "What was left to choose"
MOST_ROWS = 40
MEANS = {
    "banked without a seed": "the banker had no seed of its own in the shoe",
    "bet without cover": "a bet was not taken, since the bank could not pay it",
    "bust": "a hand went over 21 by its player's own cards",
    "cards left in shoes ended before they were worn": "cards that were in order and were never dealt",
    "closed after a seal": "a table was closed while a sealed shoe was in play",
    "closed in an opening": "a table was closed while the seeds of a shoe were being opened",
    "decision by the table": "the time limit decided for a player",
    "decision of the bank": "a banker chose how to play, or what to do with the bank",
    "hash not heard": "a player who could have contributed has no seed in the shoe",
    "lapse": "a player did not open the seed in time",
    "left out as away": "a chair was left out, since it had let two limits pass",
    "left a shoe in its opening": "a player whose seed was open left before the shoe was sealed",
    "put out by the house": "the house had a player leave",
    "refund": "the house gave a buy-in back",
    "seed handed in late": "a seed was opened after its shoe was void",
    "seed not handed in by the shoe's age": "a seed was never opened",
    "sole contributor": "one player alone made the order, with the house",
    "start": "the service started",
    "start while a shoe was in play": "the service started, and limits that ran began anew",
}
"""What the counts of docs/choices.md mean; a name that is not here says it by itself."""


def build(facts: Facts) -> Section:
    counts = facts.audit.choices.as_json()
    rows: list[tuple[Cell, ...]] = [(name, count, MEANS.get(name)) for name, count in counts["log"].items()]
    says = (
        "Somebody who knows the cards could use these. Each by itself is honest; a count that stands out is a question."
    )
    blocks: list[Block] = [
        Table("How often, in the whole log", (Column("choice"), Column("times", "count"), Column("that is")), rows)
    ]
    people = sorted(
        (
            (-count, name, table, player)
            for table, players in counts["players"].items()
            for player, chosen in players.items()
            for name, count in chosen.items()
        )
    )
    if people:
        shown: list[tuple[Cell, ...]] = [
            (name, table, player, -count) for count, name, table, player in people[:MOST_ROWS]
        ]
        columns = (Column("choice"), Column("table"), Column("player"), Column("times", "count"))
        caption = "By player, the most frequent first"
        blocks.append(Table(f"{caption}: {len(shown)} of {len(people):,}", columns, shown))
    if not rows:
        blocks = [Text("Nothing was.")]
    return Section(NAME, TITLE, "plain", says, blocks, counts)
