"""`round` and `reshuffle`: replay a round from its inputs, build the entry anew, compare the bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence

from fairshoe.ceremony import choices
from fairshoe.ceremony.book import OpenRound, standing_bets
from fairshoe.ceremony.fold import record_decisions, record_round
from fairshoe.ceremony.placer_steps import PlacerSteps, decision_text
from fairshoe.ceremony.stages import ROUND as DEALING
from fairshoe.engine.cards import CardsMissing, CardSource, LoggedCards
from fairshoe.engine.moves import TABLE, Decision
from fairshoe.engine.round import Round
from fairshoe.engine.table import Bet
from fairshoe.errors import IllegalBet, IllegalDecision, RuleError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, microseconds
from fairshoe.record.forms import decision_form, decisions_of, placement_of
from fairshoe.record.rounds import read_round, round_text

from ..findings.finding import FALSE_RESULT, RESULT_CODES, Place, codes_of
from ..walk.audit import Audit, EntryKind, bets_dealt, handler_of
from ..walk.comparison import FieldDifference, round_differences
from ..walk.labels import check_known
from ..walk.shapes import count, decision, hex32, identifier, integer, list_of, map_of, number, record, shape, text
from ..walk.state import (
    MAX_RESHUFFLES,
    AuditedShoe,
    AuditedTable,
    DealtRound,
    Gathering,
    LoggedEntry,
    StandingBets,
    logged_chips,
)
from .placement import PLACED, PlacedCards, judge, rebuild_steps

RESHUFFLE = shape(
    {"cut": count, "burn": text, "cards_root": hex32},
    shoe=identifier,
    round=number,
    k=number,
    after=count,
    cards=number,
    deck=hex32,
)


def check_reshuffle(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    state = shoe.table
    opened = None if state is None else state.book.open_round
    if not audit.in_turn(shoe, "reshuffle", shoe.round(entry["round"])) or state is None or opened is None:
        return
    if opened.number != entry["round"]:
        audit.wrong_step(shoe.round(entry["round"]), f"round {opened.number}", "reshuffle")
        return
    if ("cards_root" in entry) != (shoe.book_shoe.placer is not None):
        place, wanted = shoe.round(opened.number), "a root in a shoe with a placer, and in no other"
        audit.find("reshuffle-differs", place, field="cards_root", expected=wanted, found=entry.get("cards_root"))
    if "burn" in entry:
        check_known(audit, shoe, shoe.round(opened.number), "burn", [entry["burn"]])
    if len(state.reshuffles) < MAX_RESHUFFLES:
        state.reshuffles.append(LoggedEntry(audit.index, entry))
    else:
        state.unlisted += 1


STARTS = '"cards"'
BUST = '"outcome":"bust"'
HAND = record(
    {"bet": integer, "cards": list_of(count), "net": integer, "outcome": text, "seat": number, "total": integer},
    {"box": number, "insured": number, "insurance": integer, "short": number},
)
ROUND = shape(
    {"reshuffled": list_of(count), "placed": PLACED},
    shoe=identifier,
    round=number,
    pos=count,
    cards=list_of(text),
    hands=list_of(HAND),
    dealer=record({"cards": list_of(count), "total": integer}),
    decisions=list_of(decision),
    chips=map_of(integer),
)
CODES = codes_of("""
card-unknown: cards
  a label was changed
  The label is not a card of the deck.
cards-missing: cards
  a card that was dealt is not in the log
  By the rules and the logged decisions one more card was dealt.
cards-extra: cards
  a card was dealt that nobody may draw
  More cards are logged than the rules draw.
hand-cards-differ: cards
  a card was put into another hand
  The deal's order says which hand gets which card.
total-differs: cards
  a total was miscounted or changed
  The total follows from the hand's cards.
decision-extra: decisions
  a decision was invented
  The round was over before the last logged decision.
bet-differs: decisions
  a bet was changed after it stood
  A hand's bet follows from the `open` entry.
dealer-cards-differ: dealer
  the dealer drew too many or too few cards
  The dealer's cards follow from the rules.
dealer-stopped-early: dealer
  the dealer did not draw although the rules say so
  All decisions are made and the rules make the dealer draw a card that is not in the log.
dealer-total-differs: dealer
  the dealer's total was changed
  The total follows from the cards.
outcome-differs: settlement
  a hand was settled wrongly
  The outcome follows from cards and rules.
payout-differs: settlement
  a hand was paid wrongly, or its entry was changed
  The payout follows from bet, outcome and rules. Chips that moved otherwise than the rules say are chips-differ of the
  same round; without it only the logged result is false.
hands-differ: settlement
  a hand was dropped or invented
  One hand a bet, two after a split.
""")


CHAIN = (
    "number-gap",
    "cards-extra",
    "hands-differ",
    "bet-differs",
    "hand-cards-differ",
    "total-differs",
    "dealer-cards-differ",
    "dealer-total-differs",
    "payout-differs",
    "outcome-differs",
)
"""From cause to effect."""
_RANKS = {code: rank for rank, code in enumerate(CHAIN)}


def try_fast_path(audit: Audit, at: str, text: str) -> bool:
    """Take a line that is exactly the text of what it says; leave any other to `check`. Its inputs are cut out and
    replayed, and the result's text compared: a wrong cut does no harm."""
    line = read_round(text)
    if line is None:
        return False
    name, cards, decisions, moments = line
    shoe = audit.shoes.get(name)
    if shoe is None or shoe.table is None:
        return False
    state, told = shoe.table, shoe.book_shoe
    book = state.book
    opened, table = book.open_round, book.table
    if told.placer is not None or opened is None or not state.legal or told.stage is not DEALING:
        return False
    position = told.position
    source = LoggedCards(cards, position=position, present=told.deck_size, size=told.cards)
    try:
        bets = bets_dealt(book, told, opened)
        played = Round(table, source, bets, checked=state.checked is table and not told.struck)
        for made in decisions:
            played.decide(made)
    except (RuleError, KeyError):
        return False
    if played.ask is not None or round_text(at, told.id, opened.number, played, moments) != text:
        return False
    if audit.begun:
        audit.apply_starts(state)
    if not audit.replayed:
        _note_replay(audit)
    if moments or state.banking:
        audit.report.choices.add(book.id, choices.count_decisions(book, told, decisions))
    if BUST in text:
        seats = [hand.seat for hand in played.hands if hand.outcome == "bust"]
        audit.report.choices.add(book.id, choices.count_busts(book, seats))
    audit.standing = StandingBets(table, opened, bets, played)
    _finish_round(audit, state, shoe, opened, at, (decisions, moments), source, position, True)
    record_round(book, told, at, played.close(), source.position, source.present)
    return True


def check(audit: Audit, shoe: AuditedShoe, entry: Entry, line: bytes) -> None:
    state, told = shoe.table, shoe.book_shoe
    opened = None if state is None else state.book.open_round
    audit.in_turn(shoe, "round", shoe.round(entry["round"] if opened is None else opened.number))
    if state is None or opened is None:
        audit.unchecked["settlement", "rounds that could not be played again: what was paid"] += 1
        if state is not None:
            state.book.table = logged_chips(state.book.table, entry["chips"])
            told.position = _end(entry, told.position)
        return
    book, place = state.book, shoe.round(opened.number)
    source = LoggedCards(entry["cards"], position=told.position, present=told.deck_size, size=told.cards)
    decisions, moments = decisions_of(entry["decisions"])
    bets = standing_bets(book, told, opened)
    asking = rebuild_steps(audit, shoe, entry)
    played = _replay(audit, state, shoe, opened, source, bets, decisions, asking, moments)
    judge(audit, shoe, entry, asking, place, played=played is not None)
    same, after = False, book.table
    if played is not None:
        _note_replay(audit)
        text = round_text(entry["at"], shoe.id, opened.number, played, moments, placement_of(entry))
        same = text.encode() == line
        if not same:
            _tell_differences(audit, json.loads(text), entry, place)
        after = played.close()
    else:
        audit.unchecked["settlement", "rounds that could not be played again: what was paid"] += 1
    audit.count(state, shoe, entry)
    seats = [hand["seat"] for hand in entry["hands"] if hand["outcome"] == "bust"]
    audit.report.choices.add(book.id, choices.count_busts(book, seats))
    dealt_for = bets_dealt(book, told, opened)
    audit.standing = StandingBets(book.table, opened, dealt_for, played if same else None)
    _finish_round(audit, state, shoe, opened, entry["at"], (decisions, moments), source, entry["pos"], same)
    position = source.position
    if not same:
        after, position = logged_chips(after, entry["chips"]), _end(entry, position)
    record_round(book, told, entry["at"], after, position, source.present)


def _tell_differences(audit: Audit, expected: Entry, entry: Entry, place: Place) -> None:
    """Tell what of the rebuilt round differs from the logged one, from cause to effect."""
    found = [(_code_of(difference), difference) for difference in round_differences(expected, entry)]
    moved = all(code != "chips-differ" for code, _ in found)
    for code, (path, wanted, stands) in sorted(found, key=lambda each: _RANKS.get(each[0], len(CHAIN))):
        cause = FALSE_RESULT if moved and code in RESULT_CODES else ""
        audit.find(code, place, field=path, expected=wanted, found=stands, cause=cause)


def _note_replay(audit: Audit) -> None:
    """A round was played again to its end, so that all of this was compared."""
    audit.replayed = True
    audit.report.checked("decisions", "dealer", "settlement", "chips")


def _end(entry: Entry, position: int) -> int:
    """Return the pointer after a round: by the log, or by the rules if it was reshuffled."""
    if entry.get("reshuffled"):
        return position
    end: int = entry["pos"] + len(entry["cards"])
    return end


def _replay(
    audit: Audit,
    state: AuditedTable,
    shoe: AuditedShoe,
    opened: OpenRound,
    source: LoggedCards,
    bets: Sequence[Bet],
    decisions: list[Decision],
    asking: PlacerSteps | None,
    moments: Sequence[str],
) -> Round | None:
    """The round as the rules play it, or None where they cannot: that is reported. `asking` is told of its steps."""
    place = shoe.round(opened.number)
    made = 0
    try:
        cards: CardSource = source if asking is None else PlacedCards(source, asking, shoe)
        played, made_at = Round(state.book.table, cards, bets), iter(moments)
        for each in decisions:
            if asking is not None:
                asking.add_event(decision_text(each, next(made_at) if each.by == TABLE else ""))
            played.decide(each)
            made += 1
    except CardsMissing:
        code = "dealer-stopped-early" if made >= len(decisions) - 1 else "cards-missing"
        audit.find(code, place, field="cards", expected="one more card", found=len(source.cards))
        return None
    except IllegalDecision as error:
        code = "decision-illegal" if error.expected != "no decision" else "decision-extra"
        audit.refused(code, error, place, decision_form(decisions[made]))
        return None
    except IllegalBet as error:
        if state.legal:
            audit.refused("bet-illegal", error, place)
        return None
    except RuleError as error:
        audit.refused("cards-missing", error, place)
        return None
    except KeyError:
        check_known(audit, shoe, place, "cards", source.cards)
        return None
    if played.ask is not None:
        legal = played.ask.legal_moves
        audit.find("decision-missing", place, field="decisions", expected=legal, found=len(decisions))
        return None
    return played


def _finish_round(
    audit: Audit,
    state: AuditedTable,
    shoe: AuditedShoe,
    opened: OpenRound,
    at: str,
    made: tuple[Sequence[Decision], Sequence[str]],
    source: LoggedCards,
    logged_position: int,
    sound: bool,
) -> None:
    """Count a round, check its time, and keep its cards until the reveal. `made`: decisions, and the table's
    moments."""
    report, told, book = audit.report, shoe.book_shoe, state.book
    decisions, moments = made
    report.rounds += 1
    cards = source.cards
    report.cards += len(cards)
    begun = max(opened.at, told.sealed)
    if audit.begun or at[:13] != shoe.step:
        audit.check_late(shoe, at, microseconds(begun) + len(decisions) * told.policy.decision * SECOND)
    if moments:
        audit.check_moments(state, shoe.round(opened.number), at, begun, decisions, moments)
    if decisions:
        record_decisions(book, at, decisions)
    gatherings: tuple[Gathering, ...] = ()
    logged: tuple[LoggedEntry, ...] = ()
    if source.reshuffles or state.reshuffles:
        gatherings = tuple(Gathering(*made) for made in source.reshuffles if made[0] < told.cards)
        logged = tuple(state.reshuffles)
        listed = len(logged) + state.unlisted
        if len(gatherings) != listed:
            audit.find("reshuffle-differs", shoe.round(opened.number), expected=len(gatherings), found=listed)
    shoe.rounds.append(
        DealtRound(
            opened.number,
            audit.index,
            told.position,
            cards,
            source.position,
            source.present,
            gatherings,
            logged,
            logged_position,
            sound,
        )
    )
    audit.dealt_shoe = shoe


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


def _code_of(difference: FieldDifference) -> str:
    """Which finding a differing field of a round is."""
    top, _, rest = difference.path.partition(".")
    name = top.partition("[")[0]
    if name == "hands" and rest:
        return _FIELDS.get(rest.partition("[")[0], "field-invalid")
    if name == "dealer":
        return "dealer-total-differs" if rest == "total" else "dealer-cards-differ"
    return _TOP.get(name, "field-invalid")


KINDS = (
    EntryKind("reshuffle", RESHUFFLE, handler_of(Audit.shoe, check_reshuffle)),
    EntryKind("round", ROUND, handler_of(Audit.shoe, check), STARTS, try_fast_path),
)
