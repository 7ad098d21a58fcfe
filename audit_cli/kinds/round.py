"""`round`: replay it from its inputs, build the entry anew, compare the bytes."""

from __future__ import annotations

from typing import Any

from fairshoe.engine.cards import CardsMissing, Dealt
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.errors import IllegalBet, IllegalDecision, RuleError
from fairshoe.log.canonical import Entry
from fairshoe.record.forms import decision_of
from fairshoe.record.rounds import round_entry

from ..audit import Audit
from ..differ import Difference
from ..follow import follow_round
from ..shapes import decision as decision_shape
from ..state import DealtRound, Gathering, OpenRound, Shoe, TableState

KIND = "round"


def check(audit: Audit, entry: Entry, line: bytes) -> None:
    shoe = audit.shoes.get(entry["shoe"]) if type(entry.get("shoe")) is str else None
    decisions = _decisions(entry.get("decisions"))
    cards = entry.get("cards")
    if shoe is None or decisions is None or type(cards) is not list:
        if audit.shaped(entry, line):
            audit.shoe(entry)
        return
    state = shoe.table
    opened = None if state is None else state.open
    if state is None or opened is None:
        audit.find("step-out-of-order", field="shoe", expected="an `open` before the round", found=shoe.id)
        if state is not None and not audit.bad_fields(entry):
            follow_round(state, shoe, entry)
        return
    if shoe.seal is None:
        audit.find("step-out-of-order", round=state.name(opened.number), expected="a sealed shoe", found="round")
    state.open = None
    audit.report.rounds += 1
    audit.report.cards += len(cards)
    audit.report.checked("decisions", "dealer", "settlement", "chips")
    source = Dealt(cards, position=shoe.position, present=shoe.present, size=len(shoe.deck))
    played = _replay(audit, state, shoe, opened, source, decisions)
    if played is None:
        audit.bad_fields(entry)
        _remember(audit, state, shoe, opened, entry, source)
        follow_round(state, shoe, entry)
        return
    expected = round_entry(entry["at"], shoe.id, opened.number, played)
    same = audit.compare(expected, entry, line, lambda d: _code(d, entry), state.name(opened.number))
    _remember(audit, state, shoe, opened, entry, source)
    state.table = played.close()
    if not same:
        follow_round(state, shoe, entry)


def _decisions(forms: Any) -> list[Decision] | None:
    if type(forms) is not list:
        return None
    decisions = []
    for form in forms:
        if type(form) is not dict:
            return None
        seat, move = form.get("seat"), form.get("move")
        if len(form) == 2 and type(seat) is int and type(move) is str:
            decisions.append(Decision(seat, move))
        elif decision_shape(form):
            decisions.append(decision_of(form))
        else:
            return None
    return decisions


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
    except (KeyError, TypeError):
        wrong = [card for card in source.cards if not isinstance(card, str) or card not in shoe.deck]
        audit.find("card-unknown", round=place, field="cards", expected="cards of the deck", found=wrong)
        return None
    if played.ask is not None:
        wanted = f"seat {played.ask.actor}: " + "; ".join(map(str, played.ask.moves))
        audit.find("decision-missing", round=place, field="decisions", expected=wanted, found=len(decisions))
        return None
    return played


def _remember(audit: Audit, state: TableState, shoe: Shoe, opened: OpenRound, entry: Entry, source: Dealt) -> None:
    """Keep the cards until the key is revealed, and move the pointer."""
    cards = entry["cards"]
    gatherings = tuple(Gathering(*made) for made in source.reshuffles)
    place = state.name(opened.number)
    if len(gatherings) != len(opened.reshuffles):
        audit.find("reshuffle-differs", round=place, expected=len(gatherings), found=len(opened.reshuffles))
    dealt = DealtRound(
        place, audit.index, shoe.position, cards, source.position, source.present, gatherings, tuple(opened.reshuffles)
    )
    shoe.rounds.append(dealt)
    shoe.position = source.position
    shoe.present = source.present


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
}


def _code(difference: Difference, entry: Entry) -> str:
    """Which finding a differing field of a round is."""
    top, _, rest = difference.path.partition(".")
    name = top.partition("[")[0]
    if name == "hands" and rest:
        return _FIELDS.get(rest.partition("[")[0], "field-invalid")
    if name == "dealer":
        return "dealer-total-differs" if rest == "total" else "dealer-cards-differ"
    if name == "cards":
        return "cards-extra"
    return _TOP.get(name, "field-invalid")
