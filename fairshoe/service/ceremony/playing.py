"""An open round: the deal, decisions, the time limit, the end."""

from __future__ import annotations

from ...engine.cards import ShoeCards
from ...engine.moves import Ask, Decision
from ...engine.round import Round, replay
from ...engine.view import move_form
from ...errors import IllegalDecision
from ...record.entries import reshuffle_entry
from ...record.rounds import round_entry
from .commands import Decide
from .refusals import Refused
from .shoes import order, reveal
from .state import OpenRound, Reshuffled, Shoe, State
from .work import Work


def live(state: State) -> tuple[Round, ShoeCards] | None:
    """The dealt round and its cards, rebuilt from the key and the stored decisions."""
    shoe = state.shoe
    if shoe is None or shoe.round is None or not shoe.round.dealt:
        return None
    cards = ShoeCards(order(state, shoe))
    return replay(state.table, cards, shoe.round.bets, shoe.round.decisions), cards


def deal(work: Work) -> bool:
    """Deal an opened round as soon as the shoe is sealed."""
    state, shoe = work.state, work.state.shoe
    if shoe is None or shoe.sealed is None or shoe.round is None or shoe.round.dealt:
        return False
    work.cards = ShoeCards(order(state, shoe))
    work.round = Round(state.table, work.cards, shoe.round.bets)
    shoe.round.dealt = True
    _after(work, shoe, shoe.round, work.round, work.cards)
    return True


def decide(work: Work, command: Decide) -> None:
    """A seat's choice in the open round."""
    found = live(work.state)
    shoe = work.state.shoe
    if found is None or shoe is None or shoe.round is None:
        raise Refused("there is nothing to decide", where="decision", remedy="wait for your turn: see `expects`")
    round, cards = found
    decision = admitted(command, round.ask, len(round.decisions))
    round.decide(decision)
    shoe.round.decisions.append(decision)
    _after(work, shoe, shoe.round, round, cards)


def admitted(command: Decide, ask: Ask | None, step: int) -> Decision:
    """The decision, if it is this seat's turn, this step and a legal move; else what would be."""
    if ask is None or ask.actor != command.seat:
        turn = "nobody's" if ask is None else f"seat {ask.actor}'s"
        raise Refused(f"it is {turn} turn", where="decision", remedy="wait for your turn: see `expects`", step=step)
    legal = [move_form(move) for move in ask.moves]
    if command.step != step:
        raise Refused(f"step {command.step}", where="step", expected=str(step), step=step, legal=legal)
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
    """At the time limit the table decides (GE-07, GE-13)."""
    opened = work.state.round
    if opened is None or not opened.dealt or not work.past(opened.since, work.state.policy.decision):
        return False
    found = live(work.state)
    if found is None or found[0].ask is None:
        return False
    round, cards = found
    decision = found[0].ask.by_default()
    round.decide(decision)
    opened.decisions.append(decision)
    _after(work, work.shoe(), opened, round, cards)
    return True


def _after(work: Work, shoe: Shoe, opened: OpenRound, round: Round, cards: ShoeCards) -> None:
    """The next decision's time begins; or the round is over."""
    work.round, work.cards = round, cards
    opened.since = work.now
    if round.over:
        _finish(work, shoe, opened, round, cards)


def _finish(work: Work, shoe: Shoe, opened: OpenRound, round: Round, cards: ShoeCards) -> None:
    """Log the round; reshuffles in its middle come just before it, since they tell which cards lay on the table."""
    state, sealed = work.state, cards.shoe
    _log_reshuffles(work, shoe, opened, round, cards)
    entry = round_entry(work.at, state.shoe_id, opened.number, round)
    work.log(entry)
    state.table = round.close()
    state.last = entry
    shoe.round = None
    shoe.position = sealed.position
    draws = {name: sealed.number(name) for name in sealed.draws}
    if state.rules.one_round or state.rules.worn(sealed.position, len(sealed), draws):
        reveal(work, "worn")


def _log_reshuffles(work: Work, shoe: Shoe, opened: OpenRound, round: Round, cards: ShoeCards) -> None:
    sealed = cards.shoe
    before = len(shoe.reshuffles)
    burned = iter(cards.burned)
    for number, record in enumerate(sealed.reshuffles[before:], start=before + 1):
        work.log(
            reshuffle_entry(
                work.at,
                work.state.shoe_id,
                opened.number,
                number=number,
                after=round.reshuffled[number - before - 1],
                cards=len(record.gathered),
                deck_hash=sealed.transcript.reshuffles[number - 1].deck_hash,
                cut=record.cut,
                burn=next(burned, None) if len(record.gathered) > 1 else None,
            )
        )
        kept = sorted(set(range(len(sealed.deck))).difference(record.gathered))
        shoe.reshuffles.append(Reshuffled(record.after, kept, record.cut is not None))
