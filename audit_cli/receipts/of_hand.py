"""The receipts about one hand, as what the player holds of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairshoe.ceremony.receipts import BANK
from fairshoe.receipts.kept import CONVICTS, Case

from ..findings.wording import counted
from ..hand.holding import Match
from ..hand.watch import Hand
from .run import BAD, Same, once

LEFT = {"not decided": "not decided", "unfinished": "not checked"}
"""What is said of a receipt that nothing was compared with."""


def matches(hand: Hand, cases: Sequence[Case] | None) -> list[Match]:
    """Each receipt about the round, or about the making of its shoe, with what the log says; and where there is none,
    that. One that cannot be read may be about any. None: no receipts were given."""
    if cases is None:
        return []
    found = list(_matches(hand, cases))
    readable = [case for case in cases if not case.receipt.refused]
    if any(is_about(hand, case) for case in readable):
        return found
    none = f"none of these {len(readable):,} is about this hand" if len(readable) > 1 else "it is not about this hand"
    none = none if readable else "the file has no receipt"
    return [*found, Match("receipts", counted(len(readable), "receipt"), none, True, "not checked")]


def _matches(hand: Hand, cases: Sequence[Case]) -> Iterator[Match]:
    for case, more in once(cases):
        if not case.receipt.refused and not is_about(hand, case):
            continue
        what = case.line.partition(": " + case.word)[2].removeprefix(": ").lstrip() or str(case.word)
        logged = str(case.word) if case.word == "agrees" else what
        same, left = case.word not in BAD, LEFT.get(case.word, "")
        yield Match(Same(case, more).name, case.about, logged, same, left)


def is_about(hand: Hand, case: Case) -> bool:
    """Whether a receipt is about the round or the making of its shoe, or says that it is and is wrong."""
    form = case.form
    if form["table"] != hand.table:
        return False
    if case.word in CONVICTS and form.get("round") == hand.opened.number:
        return True
    if form.get("about") == BANK or form.get("shoe") != hand.shoe.id:
        return False
    return bool(form.get("round", hand.opened.number) == hand.opened.number)
