"""`round`: replay it from its inputs, build the entry anew, compare the bytes."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from fairshoe.engine.cards import CardsMissing, Dealt
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.errors import IllegalBet, IllegalDecision, RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.forms import decision_of
from fairshoe.record.rounds import round_entry, round_text

from ..audit import Audit
from ..differ import Difference
from ..follow import follow_round
from ..shapes import decision as decision_shape
from ..state import DealtRound, Gathering, OpenRound, Shoe, TableState

KIND = "round"
STARTS = '"cards"'


def quick(audit: Audit, at: str, text: str) -> bool:
    """Take a line that is exactly the text of what it says; anything else is left to `check`.

    Its inputs are cut out of it and replayed. The line is accepted only if it equals the text of the
    result, so that a wrong cut can do no harm.
    """
    end = text.find('"]', 43)
    start = text.find('"decisions":[', end) + 13
    decisions = _decisions_text(text[start : text.find('],"hands":', start)])
    shoe = audit.shoes.get(text[text.rfind('"shoe":"') + 8 : -8])
    if shoe is None or shoe.table is None or decisions is None or shoe.seal is None:
        return False
    state = shoe.table
    opened = state.open
    if opened is None or not opened.legal:
        return False
    cards = text[43:end].split('","')
    source = Dealt(cards, position=shoe.position, present=shoe.present, size=len(shoe.deck))
    try:
        played = Round(state.table, source, opened.bets)
        for decision in decisions:
            played.decide(decision)
    except (RuleError, KeyError):
        return False
    if played.ask is not None or round_text(at, shoe.id, opened.number, played) != text:
        return False
    audit.clock(at)
    _dealt(audit, state, shoe, opened, cards, source)
    state.table = played.close()
    return True


@lru_cache(maxsize=1 << 14)
def _decisions_text(text: str) -> list[Decision] | None:
    try:
        return _decisions(json.loads(f"[{text}]"))
    except (ValueError, RecursionError):
        return None


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoe(entry)
    if shoe is None:
        return
    state = shoe.table
    opened = None if state is None else state.open
    if state is None or opened is None:
        audit.find("step-out-of-order", field="shoe", expected="an `open` before the round", found=shoe.id)
        if state is not None:
            follow_round(state, shoe, entry)
        return
    if shoe.seal is None:
        audit.find("step-out-of-order", round=state.name(opened.number), expected="a sealed shoe", found="round")
    source = Dealt(entry["cards"], position=shoe.position, present=shoe.present, size=len(shoe.deck))
    played = _replay(audit, state, shoe, opened, source, [decision_of(form) for form in entry["decisions"]])
    same = False
    if played is not None:
        expected = round_entry(entry["at"], shoe.id, opened.number, played)
        same = audit.compare(expected, entry, line, _code, state.name(opened.number))
        state.table = played.close()
    _dealt(audit, state, shoe, opened, entry["cards"], source)
    if not same:
        follow_round(state, shoe, entry)


def _decisions(forms: Any) -> list[Decision] | None:
    return list(map(decision_of, forms)) if type(forms) is list and all(map(decision_shape, forms)) else None


def _replay(
    audit: Audit, state: TableState, shoe: Shoe, opened: OpenRound, source: Dealt, decisions: list[Decision]
) -> Round | None:
    """The round as the rules play it, or None where they cannot: that is reported."""
    place = state.name(opened.number)
    made = 0
    try:
        played = Round(state.table, source, opened.bets)
        for decision in decisions:
            played.decide(decision)
            made += 1
    except CardsMissing:
        code = "dealer-stopped-early" if made >= len(decisions) - 1 else "cards-missing"
        audit.find(code, round=place, field="cards", expected="one more card", found=len(source.cards))
        return None
    except IllegalDecision as error:
        code = "decision-illegal" if error.expected != "no decision" else "decision-extra"
        audit.refused(code, error, place, decisions[made]._asdict())
        return None
    except IllegalBet as error:
        if opened.legal:
            audit.refused("bet-illegal", error, place)
        return None
    except RuleError as error:
        audit.refused("cards-missing", error, place)
        return None
    except KeyError:
        wrong = [card for card in source.cards if card not in shoe.deck]
        audit.find("card-unknown", round=place, field="cards", expected="cards of the deck", found=wrong)
        return None
    if played.ask is not None:
        legal = played.ask.legal
        audit.find("decision-missing", round=place, field="decisions", expected=legal, found=len(decisions))
        return None
    return played


def _dealt(audit: Audit, state: TableState, shoe: Shoe, opened: OpenRound, cards: list[str], source: Dealt) -> None:
    """The round is over: keep its cards until the key is revealed, and move the pointer."""
    state.open = None
    report = audit.report
    if not report.rounds:
        report.checked("decisions", "dealer", "settlement", "chips")
    report.rounds += 1
    report.cards += len(cards)
    gatherings: tuple[Gathering, ...] = ()
    if source.reshuffles or opened.reshuffles:
        gatherings = tuple(Gathering(*made) for made in source.reshuffles)
        if len(gatherings) != len(opened.reshuffles):
            wanted, found = len(gatherings), len(opened.reshuffles)
            audit.find("reshuffle-differs", round=state.name(opened.number), expected=wanted, found=found)
    start, end, present = shoe.position, source.position, source.present
    shoe.rounds.append(
        DealtRound(opened.number, audit.index, start, cards, end, present, gatherings, opened.reshuffles)
    )
    shoe.position = end
    shoe.present = present


_FIELDS = {
    "bet": "bet-differs",
    "insured": "bet-differs",
    "seat": "bet-differs",
    "box": "bet-differs",
    "cards": "hand-cards-differ",
    "total": "total-differs",
    "outcome": "outcome-differs",
    "net": "payout-differs",
    "insurance": "payout-differs",
    "short": "payout-differs",
}
_TOP = {
    "pos": "position-differs",
    "hands": "hands-differ",
    "chips": "chips-differ",
    "round": "number-gap",
    "decisions": "decision-illegal",
    "reshuffled": "reshuffle-differs",
    "cards": "cards-extra",
}


def _code(difference: Difference) -> str:
    """Which finding a differing field of a round is."""
    top, _, rest = difference.path.partition(".")
    name = top.partition("[")[0]
    if name == "hands" and rest:
        return _FIELDS.get(rest.partition("[")[0], "field-invalid")
    if name == "dealer":
        return "dealer-total-differs" if rest == "total" else "dealer-cards-differ"
    return _TOP.get(name, "field-invalid")
