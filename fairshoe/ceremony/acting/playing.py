"""An open round and the bank's moves: the deal, decisions, the time limit, the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.cards import ShoeCards
from ...engine.moves import TABLE, Ask, Decision
from ...engine.round import Between, Round, replay, settle_bank
from ...engine.view import move_form, view
from ...errors import IllegalDecision
from ...record.entries import bank_entry, bank_move_entry, reshuffle_entry
from ...record.rounds import round_entry
from ..book import Shoe, bets_that_stand
from ..fold import dealt, decided
from ..placer_steps import PendingCard, PlacerSteps, told_of
from ..policy import MAX_LAPSED_LIMITS
from ..stages import Course, Stage
from .commands import Decide, Refused
from .shoes import asked, order, reveal, shown
from .state import LiveRound, State, Work


def live(state: State, key: bytes) -> LiveRound | None:
    """The dealt round and its cards, rebuilt from the key and the stored decisions; None also while it waits for
    places."""
    try:
        return dealt_so_far(state, key)
    except PendingCard:
        return None


def dealt_so_far(state: State, key: bytes) -> LiveRound | None:
    """Return the dealt round and its cards, rebuilt as `live` does. Raises PendingCard."""
    shoe, opened = state.shoe, state.book.open
    if shoe is None or opened is None or shoe.stage is not Stage.ROUND:
        return None
    asking, bets = asked(state, shoe), bets_that_stand(state.book, shoe, opened)
    cards = ShoeCards(order(state, shoe, key, asking))
    if asking is None:
        return LiveRound(replay(state.table, cards, bets, state.decisions), cards, opened.number)
    asking.follow(shoe, dealing=True)
    asking.sure = state.rules.deals_first * (len(bets) + 1)
    round, moments = Round(state.table, cards, bets), iter(state.moments)
    for decision in state.decisions:
        asking.tell(told_of(decision, next(moments) if decision.by == TABLE else ""))
        round.decide(decision)
    return LiveRound(round, cards, opened.number, asking)


def deal(work: Work) -> bool:
    """Deal an opened round as soon as the shoe is sealed; play on where nobody is waited for."""
    state = work.state
    if not state.dealt or state.playing or state.waiting:
        return False
    found = live(state, work.key())
    if found is None:
        state.waiting = True
        return False
    state.playing, state.since = True, work.moment
    _after(work, found)
    return True


def decide(work: Work, command: Decide) -> None:
    """A seat's choice about the bank while that is in question, else in the open round."""
    if work.state.banked is not None:
        between = question(work.state)
        work.state.banked.append(admitted(command, between.ask, work.book.rounds, len(between.decisions)))
        work.state.since = work.moment
        return
    found = live(work.state, work.key())
    if found is None:
        raise Refused("there is nothing to decide", where="decision", remedy="wait for your turn: see `expects`")
    _decided(work, found, admitted(command, found.round.ask, found.number, len(found.round.decisions)))


def admitted(command: Decide, ask: Ask | None, number: int, step: int) -> Decision:
    """The decision, if it is this seat's turn, this round and step and a legal move; else what would be."""
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
    if not ask.admits(decision):
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
    if not state.dealt or state.waiting:
        return False
    late = work.past(state.since, work.shoe().policy.decision)
    found = live(state, work.key()) if late and work.dealt is None else work.dealt
    ask = None if found is None else found.round.ask
    if found is None or ask is None or not (late or nobody_waits(state, ask.actor)):
        return False
    _decided(work, found, ask.by_default())
    return True


def nobody_waits(state: State, actor: int) -> bool:
    """Whether a decision is the table's at once: its chair let two limits in a row pass, here or in the log."""
    if actor not in state.book.chairs:
        return False
    return state.lapsed_by_now(actor) - state.here.get(actor, 0) >= MAX_LAPSED_LIMITS


def _decided(work: Work, found: LiveRound, decision: Decision) -> None:
    """It stands, also where the card that it asks for has still to be placed."""
    state, moment = work.state, work.at if decision.by == TABLE else ""
    if found.asking is not None:
        found.asking.tell(told_of(decision, moment))
    try:
        found.round.decide(decision)
    except PendingCard:
        state.waiting, work.saw = True, view(found.round, decision.actor, len(state.decisions))
    state.decisions.append(decision)
    if moment:
        state.moments.append(moment)
    state.since = work.moment
    if state.waiting:
        work.dealt = None
    else:
        _after(work, found)


def _after(work: Work, found: LiveRound) -> None:
    work.dealt = found
    if found.round.over:
        _finish(work, work.shoe(), found)


def _finish(work: Work, shoe: Shoe, found: LiveRound) -> None:
    """Log the round; reshuffles in its middle come just before it, since they tell which cards lay on the table."""
    state, round, sealed = work.state, found.round, found.cards.shoe
    _log_reshuffles(work, shoe, found)
    placement = shown(state, shoe, found.asking)
    entry = round_entry(work.at, shoe.id, found.number, round, state.moments, placement)
    work.entries.append(entry)
    decided(work.book, entry["at"], round.decisions)
    dealt(work.book, shoe, entry["at"], round.close(), sealed.position, len(sealed))
    state.last = entry
    state.decisions, state.moments = [], []
    draws = {name: sealed.number(name) for name in sealed.draws}
    if state.rules.one_round or state.rules.worn(sealed.position, len(sealed), draws):
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
                number=number,
                after=found.round.reshuffled[number - 1],
                cards=len(record.gathered),
                deck_hash=sealed.transcript.reshuffles[number - 1].deck_hash,
                cut=record.cut,
                burn=next(burned, None) if len(record.gathered) > 1 else None,
                cards_root=next(roots, None),
            )
        )


def in_question(state: State) -> bool:
    """Whether the bank is to be settled now: before a shoe that was asked for, or between two rounds of one."""
    shoe = state.shoe
    if state.rules.needs_first_bank(state.table):
        return False
    if shoe is None:
        return state.wanted
    return shoe.stage is Stage.BET and shoe.course is Course.MANY


def question(state: State) -> Between:
    return settle_bank(state.table, state.banked or ())


def settle(work: Work) -> bool:
    """Ask whoever has a choice; log the move of the bank once it is settled. A moved bank ends the shoe in play."""
    state, book = work.state, work.book
    if not in_question(state):
        if state.banked is not None:
            state.banked, state.moments = None, []
        return False
    between = question(state)
    if between.ask is not None:
        if state.banked is None:
            state.banked, state.moments, state.since = [], [], work.moment
        if not nobody_waits(state, between.ask.actor) and not work.past(state.since, book.policy.decision):
            return False
        state.banked.append(between.ask.by_default())
        state.moments.append(work.at)
        state.since = work.moment
        return True
    moments, state.banked, state.moments = state.moments, None, []
    if not between.result.why:
        return False
    work.log(bank_move_entry(work.at, state.id, between, moments), between.result.table)
    return True


def find_first(work: Work) -> bool:
    """PO-04: deal from the shoe of its own until somebody has the bank."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.stage is not Stage.DRAW or state.waiting:
        return False
    try:
        seat, cards, asking = first_drawn(state, shoe, work.key())
    except PendingCard:
        state.waiting = True
        return False
    placement = shown(state, shoe, asking)
    work.log(bank_entry(work.at, state.id, "first", seat, shoe=shoe.id, cards=cards, placement=placement))
    return True


def first_drawn(state: State, shoe: Shoe, key: bytes) -> tuple[int, Sequence[str], PlacerSteps | None]:
    """The first banker, and the cards that were dealt for it. Raises PendingCard."""
    asking = asked(state, shoe)
    sealed = order(state, shoe, key, asking)
    if asking is not None:
        asking.follow(shoe, dealing=True)
    return *state.rules.first_bank(state.table, ShoeCards(sealed), shoe.dealt), asking
