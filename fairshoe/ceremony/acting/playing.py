"""An open round and the bank's moves: the deal, decisions, the time limit, the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.cards import ShoeCards
from ...engine.moves import TABLE, Ask, Decision
from ...engine.round import BankSettlement, Round, replay, replay_bank
from ...engine.view import move_form, view
from ...errors import IllegalDecision
from ...record.entries import bank_entry, bank_move_entry, reshuffle_entry
from ...record.rounds import round_entry
from ..book import Shoe, standing_bets
from ..fold import record_decisions, record_round
from ..placer_steps import PendingCard, PlacerSteps, decision_text
from ..policy import MAX_LAPSED_LIMITS
from ..stages import Course, Stage
from .commands import Decide, Refused
from .shoes import current_order, placer_request, reveal, take_placement
from .state import LiveRound, State, Work


def rebuild_round(state: State, key: bytes) -> LiveRound | None:
    """Rebuild the dealt round from the key and the stored decisions; None also while it waits for places."""
    try:
        return rebuild_dealt(state, key)
    except PendingCard:
        return None


def rebuild_dealt(state: State, key: bytes) -> LiveRound | None:
    """Return the dealt round and its cards, rebuilt as `rebuild_round` does. Raises PendingCard."""
    shoe, opened = state.shoe, state.book.open_round
    if shoe is None or opened is None or shoe.stage is not Stage.ROUND:
        return None
    asking, bets = placer_request(state, shoe), standing_bets(state.book, shoe, opened)
    cards = ShoeCards(current_order(state, shoe, key, asking))
    if asking is None:
        return LiveRound(replay(state.table, cards, bets, state.decisions), cards, opened.number)
    asking.begin_entry(shoe, dealing=True)
    asking.sure = state.rules.initial_cards * (len(bets) + 1)
    round, moments = Round(state.table, cards, bets), iter(state.table_decision_times)
    for decision in state.decisions:
        asking.add_event(decision_text(decision, next(moments) if decision.by == TABLE else ""))
        round.decide(decision)
    return LiveRound(round, cards, opened.number, asking)


def deal(work: Work) -> bool:
    """Deal an opened round as soon as the shoe is sealed; play on where nobody is waited for."""
    state = work.state
    if not state.cards_on_table or state.round_dealt or state.places_awaited:
        return False
    found = rebuild_round(state, work.key())
    if found is None:
        state.places_awaited = True
        return False
    state.round_dealt, state.decision_since = True, work.moment
    _continue_round(work, found)
    return True


def decide(work: Work, command: Decide) -> None:
    """A seat's choice about the bank while that is in question, else in the open round."""
    if work.state.bank_decisions is not None:
        between = bank_question(work.state)
        work.state.bank_decisions.append(check_decision(command, between.ask, work.book.rounds, len(between.decisions)))
        work.state.decision_since = work.moment
        return
    found = rebuild_round(work.state, work.key())
    if found is None:
        raise Refused("there is nothing to decide", where="decision", remedy="wait for your turn: see `expects`")
    _apply_decision(work, found, check_decision(command, found.round.ask, found.number, len(found.round.decisions)))


def check_decision(command: Decide, ask: Ask | None, number: int, step: int) -> Decision:
    """Return the decision, if it is this seat's turn, this round and step and a legal move; else what would be."""
    place: dict[str, Any] = {"round": number, "step": step}
    if ask is None or ask.actor != command.seat:
        turn = "nobody's" if ask is None else f"seat {ask.actor}'s"
        raise Refused(f"it is {turn} turn", where="decision", remedy="wait for your turn: see `expects`", **place)
    legal = [move_form(move) for move in ask.moves]
    if command.round != number:
        raise Refused(f"round {command.round}", where="round", expected=str(number), legal=legal, **place)
    if command.step != step:
        raise Refused(f"step {command.step}", where="step", expected=str(step), legal=legal, **place)
    decision = Decision(command.seat, command.move, command.amount, command.chosen)
    if not ask.allows(decision):
        raise IllegalMove(decision, ask, legal)
    return decision


class IllegalMove(IllegalDecision):
    """A choice that is not among the legal moves, which `more` lists."""

    def __init__(self, decision: Decision, ask: Ask, legal: list[dict[str, object]]) -> None:
        amount = f" {decision.amount}" if decision.amount else ""
        super().__init__(
            f"{decision.move}{amount} is not legal now",
            where="move",
            expected="; ".join(str(move) for move in ask.moves),
        )
        self.more = {"legal": legal}


def decide_late(work: Work) -> bool:
    """At the time limit the table decides (GE-07, GE-13); for an absent chair in the step that made it its turn."""
    state = work.state
    if not state.cards_on_table or state.places_awaited:
        return False
    late = work.is_past(state.decision_since, work.shoe().policy.decision)
    found = rebuild_round(state, work.key()) if late and work.live_round is None else work.live_round
    ask = None if found is None else found.round.ask
    if found is None or ask is None or not (late or is_decided_at_once(state, ask.actor)):
        return False
    _apply_decision(work, found, ask.default_decision())
    return True


def is_decided_at_once(state: State, actor: int) -> bool:
    """Whether a decision is the table's at once: its chair let two limits in a row pass, here or in the log."""
    if actor not in state.book.chairs:
        return False
    return state.count_lapses(actor) - state.lapse_credits.get(actor, 0) >= MAX_LAPSED_LIMITS


def _apply_decision(work: Work, found: LiveRound, decision: Decision) -> None:
    """It stands, also where the card that it asks for has still to be placed."""
    state, moment = work.state, work.at if decision.by == TABLE else ""
    if found.asking is not None:
        found.asking.add_event(decision_text(decision, moment))
    try:
        found.round.decide(decision)
    except PendingCard:
        state.places_awaited, work.saw = True, view(found.round, decision.actor, len(state.decisions))
    state.decisions.append(decision)
    if moment:
        state.table_decision_times.append(moment)
    state.decision_since = work.moment
    if state.places_awaited:
        work.live_round = None
    else:
        _continue_round(work, found)


def _continue_round(work: Work, found: LiveRound) -> None:
    work.live_round = found
    if found.round.is_over:
        _log_round(work, work.shoe(), found)


def _log_round(work: Work, shoe: Shoe, found: LiveRound) -> None:
    """Log the round; reshuffles in its middle come just before it, since they tell which cards lay on the table."""
    state, round, sealed = work.state, found.round, found.cards.shoe
    _log_reshuffles(work, shoe, found)
    placement = take_placement(state, shoe, found.asking)
    entry = round_entry(work.at, shoe.id, found.number, round, state.table_decision_times, placement)
    work.entries.append(entry)
    record_decisions(work.book, entry["at"], round.decisions)
    record_round(work.book, shoe, entry["at"], round.close(), sealed.position, len(sealed))
    state.last_round = entry
    state.decisions, state.table_decision_times = [], []
    draws = {name: sealed.number(name) for name in sealed.draws}
    if state.rules.one_round or state.rules.is_worn_out(sealed.position, len(sealed), draws):
        reveal(work, "worn")


def _log_reshuffles(work: Work, shoe: Shoe, found: LiveRound) -> None:
    sealed, burned = found.cards.shoe, iter(found.cards.burned)
    steps = found.asking.steps if found.asking is not None else ()
    lines = [step.line for step in steps if step.line.startswith("shuffle")][-len(sealed.reshuffles) :]
    roots = (line.rpartition(" ")[2] for line in lines)
    for number, record in enumerate(sealed.reshuffles, start=1):
        work.log(
            reshuffle_entry(
                work.at,
                shoe.id,
                found.number,
                k=number,
                after=found.round.reshuffled[number - 1],
                cards=len(record.gathered),
                deck=sealed.transcript.reshuffles[number - 1].deck_hash,
                cut=record.cut,
                burn=next(burned, None) if len(record.gathered) > 1 else None,
                cards_root=next(roots, None),
            )
        )


def is_bank_in_question(state: State) -> bool:
    """Whether the bank is to be settled now: before a shoe that was asked for, or between two rounds of one."""
    shoe = state.shoe
    if state.rules.needs_first_bank(state.table):
        return False
    if shoe is None:
        return state.shoe_requested
    return shoe.stage is Stage.BET and shoe.course is Course.MANY


def bank_question(state: State) -> BankSettlement:
    return replay_bank(state.table, state.bank_decisions or ())


def settle_bank(work: Work) -> bool:
    """Ask whoever has a choice; log the move of the bank once it is settled. A moved bank ends the shoe in play."""
    state, book = work.state, work.book
    if not is_bank_in_question(state):
        if state.bank_decisions is not None:
            state.bank_decisions, state.table_decision_times = None, []
        return False
    between = bank_question(state)
    if between.ask is not None:
        if state.bank_decisions is None:
            state.bank_decisions, state.table_decision_times, state.decision_since = [], [], work.moment
        if not is_decided_at_once(state, between.ask.actor) and not work.is_past(
            state.decision_since, book.policy.decision
        ):
            return False
        state.bank_decisions.append(between.ask.default_decision())
        state.table_decision_times.append(work.at)
        state.decision_since = work.moment
        return True
    moments, state.bank_decisions, state.table_decision_times = state.table_decision_times, None, []
    if not between.result.why:
        return False
    work.log(bank_move_entry(work.at, state.id, between, moments), between.result.table)
    return True


def find_first_banker(work: Work) -> bool:
    """PO-04: deal from the shoe of its own until somebody has the bank."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.stage is not Stage.DRAW or state.places_awaited:
        return False
    try:
        seat, cards, asking = draw_first_banker(state, shoe, work.key())
    except PendingCard:
        state.places_awaited = True
        return False
    placement = take_placement(state, shoe, asking)
    work.log(bank_entry(work.at, state.id, "first", seat, shoe=shoe.id, cards=cards, placement=placement))
    return True


def draw_first_banker(state: State, shoe: Shoe, key: bytes) -> tuple[int, Sequence[str], PlacerSteps | None]:
    """Return the first banker, and the cards that were dealt for it. Raises PendingCard."""
    asking = placer_request(state, shoe)
    sealed = current_order(state, shoe, key, asking)
    if asking is not None:
        asking.begin_entry(shoe, dealing=True)
    return *state.rules.draw_first_bank(state.table, ShoeCards(sealed), shoe.draw_chairs), asking
