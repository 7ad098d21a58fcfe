"""Every check, and what came of it."""

from __future__ import annotations

from collections import Counter

from ..blocks import Cell, Column, Section, Status, Table
from ..facts import Facts

NAME, TITLE = "checks", "What was checked"
MEANS = {
    "signature": "the house signed these entries",
    "tree": "the entries are those of the signed checkpoint, all and in order",
    "remembered": "the log goes on from what somebody remembered of it",
    "syntax": "each entry has its form",
    "order": "the steps of each shoe and round stand in their order, with rising times",
    "completeness": "numbers have no gaps; every shoe ends, and its key comes in time",
    "commitment": "each revealed key is the one that was committed to",
    "contributions": "each seed is the one whose hash was sent, and who may contribute did",
    "shuffle": "key, seeds and cut give the order, the draws and the burned cards",
    "cards": "each card that was dealt is the one at its place in that order",
    "decisions": "each decision was legal, and none is missing",
    "dealer": "the dealer drew and stood as the rules say",
    "settlement": "each total, outcome and payout follows",
    "chips": "no chip comes from nowhere or vanishes",
    "policy": "limits, the life of shoes, the bank and the pool are as the rules have them",
}
STATES: dict[str, Status] = {"pass": "good", "fail": "bad", "not-checked": "unknown"}


def build(facts: Facts) -> Section:
    audit = facts.audit
    failing: Counter[str] = Counter()
    for group in audit.groups:
        if group.code.severity == "fail":
            failing[group.code.check] += group.count
    rows: list[tuple[Cell, ...]] = []
    for name, state in audit.checks.items():
        unseen = "; ".join(
            each.what if each.count is None else f"{each.count:,} {each.what}" for each in audit.unchecked_of(name)
        )
        rows.append((name, MEANS[name], STATES[state], failing[name], unseen or None))
    states = Counter(audit.checks.values())
    says = f"{states['pass']} of {len(rows)} checks held, {states['fail']} failed, {states['not-checked']} saw nothing."
    status: Status = "bad" if states["fail"] else "good" if audit.complete else "unknown"
    columns = (
        Column("check"),
        Column("that"),
        Column("result", "status"),
        Column("findings", "count"),
        Column("not checked"),
    )
    anchors = tuple(f"check-{name}" for name in audit.checks)
    return Section(
        NAME, TITLE, status, says, [Table("Checks, in the order in which they are decided", columns, rows, anchors)]
    )
