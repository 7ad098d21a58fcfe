"""The receipts about one hand, as what the player holds of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairshoe.ceremony.receipts import BANK

from ..hand.dealt import Hand
from ..hand.holding import Match
from .verdict import Case


def matches(hand: Hand, cases: Sequence[Case]) -> Iterator[Match]:
    """Each receipt about the round, or about the making of its shoe, with what the log says. One that is refused may
    be about any."""
    for case in cases:
        if case.word != "refused" and not _is_about(hand, case):
            continue
        good = case.word in ("agrees", "not yet")
        what = case.line.partition(": " + case.word)[2].removeprefix(": ").lstrip() or str(case.word)
        logged = str(case.word) if case.word == "agrees" else what
        yield Match(f"receipt {case.receipt.place}", case.about, logged, good, case.word != "not yet")


def _is_about(hand: Hand, case: Case) -> bool:
    form = case.form
    if form["table"] != hand.table:
        return False
    if case.word in ("differs", "missing") and form.get("round") == hand.opened.number:
        return True
    if form.get("about") == BANK or form.get("shoe") != hand.shoe.id:
        return False
    return bool(form.get("round", hand.opened.number) == hand.opened.number)
