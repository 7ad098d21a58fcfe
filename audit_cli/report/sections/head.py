"""The first screen: what to think of the log, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from ...findings.wording import counted, left, sentence, verdict
from ..blocks import Block, Items, Section, Status, Text
from ..facts import Facts

WHOSE = {
    "house": "the house's",
    "player": "a player's",
    "reader": "the reader's, who can mend it",
    "unknown": "nobody's that can be told",
}


NUMBERS = ("luck", "busts", "shuffles", "outcomes")
"""The sections without which nothing is said of the numbers."""


def build(facts: Facts, sections: Sequence[Section]) -> Section:
    """`sections`: all the others."""
    audit = facts.audit
    asked = [section for section in sections if section.status == "question"]
    status: Status
    if audit.failed:
        status, says = "bad", _failed(facts)
    elif asked:
        status = "question"
        says = f"Every entry holds, but {counted(len(asked), 'question')} should be asked of this house"
    elif not audit.complete:
        status, says = "unknown", "Nothing in this log is wrong so far, and not all of it could be checked"
    elif any(section.status == "unknown" for section in sections if section.name in NUMBERS):
        status, says = "unknown", "Everything in this log holds; too little was played to judge its numbers"
    else:
        status, says = "good", "Everything in this log holds, and its numbers look like those of an honest house"
    blocks: list[Block] = [Text(_about(facts)), Items(list(_todo(facts, asked)))]
    return Section("verdict", "The verdict", status, says, blocks, verdict(audit))


def _failed(facts: Facts) -> str:
    groups = [group for group in facts.audit.groups if group.code.severity == "fail"]
    faults = sorted({WHOSE[group.code.fault] for group in groups})
    return f"This log does not hold: {counted(len(groups), 'kind')} of failure, the fault {' and '.join(faults)}"


def _about(facts: Facts) -> str:
    audit, log = facts.audit, facts.audit.log
    times = f", written from {_minute(log.first)} to {_minute(log.last or log.first)}" if log.first else ""
    what = ", ".join((counted(audit.shoes, "shoe"), counted(audit.rounds, "round"), counted(audit.cards, "card")))
    return f"{log.origin or 'A log of unknown origin'}: {log.size:,} entries{times}. {what}."


def _todo(facts: Facts, asked: Sequence[Section]) -> list[str]:
    """What to do, the most urgent first."""
    audit = facts.audit
    todo = []
    if audit.failed:
        first = next(group for group in audit.groups if group.code.severity == "fail").first[0]
        todo += [f"Look first at: {sentence(first)}", first.next]
    todo += [f"Ask about {section.title.lower()}: {section.says}" for section in asked]
    todo += [f"Not checked: {left(each)}." for each in audit.unchecked]
    if audit.parameters.get("key") is None:
        todo.append("Ask the house, by another way than this log, for its key, and run the report again with --key.")
    if not audit.parameters.get("remembered") and audit.log.origin:
        todo.append(
            "Keep this log's checkpoint, and give it with --checkpoint next time: then a change of the past shows."
        )
    return [each for each in todo if each]


def _minute(at: str) -> str:
    """The time of an entry as people write it."""
    return f"{at[:10]} {at[11:16]} UTC"
