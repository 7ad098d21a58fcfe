"""What to do about a finding: what its code says, else what anybody would do about such a fault there."""

from __future__ import annotations

from .finding import Code, Finding, Place

BY_FAULT = {
    "house": "Keep this log and its checkpoint, and ask the house.",
    "player": "Ask that player; the house has done nothing wrong here.",
    "reader": "Get the log again, as it is, and repeat the audit.",
    "unknown": "Ask whoever made the log, and compare with another copy of it.",
}
AGAIN_FIRST = (
    "Get the log again first, with its checkpoint, and repeat the audit: this copy is not shown to be what the house "
    "signed, so whoever had it may have changed it. If the new one says the same, ask the house."
)
"""What to do about what stands in a copy that is not what the house signed."""


def doubted(code: Code) -> Code:
    """The code as it stands for such a copy: nothing in it can be laid at the house's door."""
    return code._replace(fault="unknown", next=AGAIN_FIRST) if code.fault == "house" else code


def doubtful(finding: Finding) -> Finding:
    """The finding, likewise."""
    return finding._replace(fault="unknown", next=AGAIN_FIRST) if finding.fault == "house" else finding


def next_step(code: Code, place: Place) -> str:
    """A sentence or two; a round is shown by `hand` before anybody is asked."""
    if code.next:
        return code.next
    if place.round is not None and place.table is not None and code.severity == "fail":
        hand = f"fairshoe-audit hand LOG --round '{place.table}#{place.round}'"
        return f"See it card by card: {hand}. {BY_FAULT[code.fault]}"
    return BY_FAULT[code.fault] if code.severity == "fail" else "Nothing; it does not decide the verdict."
