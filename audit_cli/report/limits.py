"""What stands beside the verdict: what the ceremony left somebody to choose, what no audit sees, how to make the report
again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..findings.report import TOOL, Report
from .blocks import Block, Cell, Items, Profile, Section, Table, Text, columns

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
COLUMNS = columns("what", "value:code")
LIMITS = (
    "That a key was random. What chance seldom gives is above; a key that was chosen and looks like chance is not.",
    "That nobody who held a key sat at the table, or told somebody there. The bust test and the results of players are "
    "what can hint at it.",
    "That a seed was fresh: only who made it knows.",
    "That a decision, a hash or a seed that is marked as late was really not sent. A player's receipts show it.",
    "That the house did not refuse a bet that it disliked. A player's program shows it.",
    "That every order of the cards can occur: 2^256 keys are fewer than the orders of six packs.",
    "That this log is the only one, and was written when it says. Remembered checkpoints, receipts or witnesses do.",
)


def choices(audit: Report) -> Section:
    counts = audit.choices.as_json()
    rows = [(name, count, MEANS.get(name)) for name, count in counts["log"].items()]
    says = (
        "Somebody who knows the cards could use these. Each by itself is honest; a count that stands out is a question."
    )
    blocks: list[Block] = [Table("How often, in the whole log", columns("choice", "times:count", "that is"), rows)]
    people = sorted(
        (-count, name, table, player)
        for table, players in counts["players"].items()
        for player, chosen in players.items()
        for name, count in chosen.items()
    )
    if people:
        shown = [(name, table, player, -count) for count, name, table, player in people[:MOST_ROWS]]
        titles = columns("choice", "table", "player", "times:count")
        caption = "By player, the most frequent first"
        blocks.append(Table(f"{caption}: {len(shown)} of {len(people):,}", titles, shown))
    if not rows:
        blocks = [Text("Nothing was.")]
    return Section("choices", "What was left to choose", "plain", says, blocks, counts)


def reproduce(audit: Report, profile: Profile) -> Section:
    log, given = audit.log, audit.parameters
    looking = "once, at a time chosen before" if profile.once else "luck and busts as often as one likes, the rest once"
    rows: list[tuple[Cell, ...]] = [
        ("program", TOOL),
        ("origin", log.origin),
        ("entries", log.size),
        ("tree head (RFC 6962, hex)", log.root),
        ("first entry", log.first),
        ("last entry", log.last),
        ("confidence", f"{profile.name} %: the chance of any false alarm is at most {profile.level:g}"),
        ("looking", looking),
        *_given(given),
    ]
    tables = []
    for table in audit.tables:
        options = ", ".join(f"{name} {value}" for name, value in sorted(table["options"].items()))
        tables.append((table["table"], table["rules"], options, table["shoes"], table["rounds"]))
    titles = columns("table", "rules", "options", "shoes:count", "rounds:count")
    says = "The same log, program and parameters give the same bytes, on one core, many, or a cluster."
    blocks = [Table("Parameters", COLUMNS, rows), Table("Tables", titles, tables)]
    data = {"log": log._asdict(), "parameters": given}
    return Section("reproduce", "How to make this report again", "plain", says, blocks, data)


def _given(given: dict[str, Any]) -> Iterator[tuple[Cell, ...]]:
    for name, value in sorted(given.items()):
        yield name, "none given" if value in (None, []) else str(value)


def unseen() -> Section:
    says = "These are matters for people, whatever stands above."
    return Section("unseen", "What no audit of a log can see", "plain", says, [Items(LIMITS)], list(LIMITS))
