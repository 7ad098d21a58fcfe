"""A table as a seat or the public may see it, and a chair's next moves: no key, closed seed, order or hidden card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from ...engine.moves import SEAT, Ask
from ...engine.round import Round
from ...engine.rules.lounge import BUY_IN
from ...engine.strategies import bicycle
from ...engine.table import POOL, Bet, account_name
from ...engine.view import PUBLIC, move_form, view
from ...errors import RuleError
from ...log.times import timestamp
from ...record.forms import bet_form, bet_of, decision_form, shoe_id
from ..book import Book, Shoe, has_part, standing_bets
from ..chairs import chips_hold_reason, deductible_gifts, may_refund
from ..contributing import can_bet, cut_range, cutters, forced_bets_of, is_cut, may_waive, openers
from ..ending import may_ask_reshuffle
from ..placer_steps import PlacerStep
from ..receipts import OFFERED, STANDS
from ..stages import PHASES, Stage
from . import forms
from .beacons import beacon_form
from .forms import UNCOVERED, WITHOUT_BET, Form
from .phase import deadlines, phase
from .placers import final_questions
from .playing import bank_question, is_decided_at_once
from .shoes import check_ready
from .state import LiveRound, State

Cutting = TypeVar("Cutting", forms.SeedWanted, forms.HashWanted)


def expects(state: State, seat: int, round: Round | None, now: int) -> Iterator[Form]:
    """Yield all that is open to the chair, the most urgent first. `do`: the route; `may`: nobody waits for it."""
    for do in (*OF_PLACING, *PHASES[phase(state)].says):
        if do in FORMS:
            for form in FORMS[do](state, seat, round, now):
                yield {"do": do, **form}


OF_PLACING = ("commitment", "places")
"""Routes that a player who places is asked for in any phase, before all else."""


def _expect_commitment(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.CommitmentWanted]:
    if state.book.player_places and state.placer_commitment == "":
        yield {"shoe": shoe_id(state.id, state.book.shoes + 1)}


def _expect_places(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.PlacesWanted]:
    if not state.book.player_places:
        return
    if state.places_awaited:
        yield {"shoe": state.shoe_id}
    for over in final_questions(state):
        name, placer = over[:2]
        if placer.key == state.book.chairs[seat].placer:
            yield {"shoe": name}


def _expect_seed(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.SeedWanted]:
    player, shoe = state.table.players[seat], state.shoe
    debt = state.book.debts.get(player)
    for owed in () if debt is None else debt.seeds:
        yield {"shoe": owed, "owed": True}
    if shoe is None or shoe.stage is not Stage.SEED:
        return
    if shoe.alone and player in shoe.roster:
        yield _add_cut(forms.SeedWanted(shoe=shoe.id), state, player)
    elif openers(state.book, shoe)[:1] == [player]:
        yield {"shoe": shoe.id}


def _add_cut(form: Cutting, state: State, player: str) -> Cutting:
    """Return the form, with the places where the player may cut, if they are to."""
    shoe = state.shoe
    if shoe is not None and is_cut(shoe) and player in cutters(state.book, shoe):
        form["cut"] = list(cut_range(state.rules, shoe))
    return form


def _expect_hash(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.HashWanted]:
    player, shoe = state.table.players[seat], state.shoe
    if shoe is not None and player in shoe.roster and player not in state.hashes:
        yield _add_cut(forms.HashWanted(shoe=shoe.id), state, player)


def _expect_shoe(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.ShoeWanted]:
    if state.shoe_requested:
        return
    try:
        check_ready(state, timestamp(now), seat)
    except RuleError:
        return
    yield {}


def _expect_waiver(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.WaiverWanted]:
    shoe = state.shoe
    if shoe is None or seat in state.waivers or has_part(state.book, shoe, seat):
        return
    if may_waive(state.book, shoe, seat) and can_bet(state.table, seat):
        yield {"may": True}


def _expect_bets(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.BetsWanted]:
    book, shoe = state.book, state.shoe
    if shoe is None or forced_bets_of(book, shoe) is not None or not can_bet(state.table, seat):
        return
    if seat not in state.waivers and not has_part(book, shoe, seat):
        return
    rules = state.rules
    form: forms.BetsWanted = {
        "round": book.rounds + 1,
        "low": rules.lowest_bet,
        "high": rules.maximum,
        "unit": rules.bet_unit,
    }
    yield {**form, "may": True} if seat in state.bets else form


def _expect_reshuffle(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.ReshuffleWanted]:
    shoe = state.shoe
    if shoe is not None and may_ask_reshuffle(state.book, shoe, state.table.players[seat]):
        yield {"may": True}


def _expect_decisions(state: State, seat: int, round: Round | None, now: int) -> Iterator[forms.DecisionWanted]:
    if state.bank_decisions is not None:
        between = bank_question(state)
        for form in _describe_ask(between.ask, seat, state.book.rounds, len(between.decisions), "bank"):
            if between.decisions:
                form["seller"] = between.decisions[-1].actor
            yield form
    elif state.book.open_round is not None and round is not None:
        for form in _describe_ask(round.ask, seat, state.book.open_round.number, len(round.decisions), "round"):
            if round.ask is not None and state.rules.upcard is not None:
                form["hint"] = bicycle(round, round.ask).move
            yield form


def _describe_ask(ask: Ask | None, seat: int, number: int, step: int, about: str) -> Iterator[forms.DecisionWanted]:
    if ask is not None and ask.actor == seat:
        moves = [move_form(move) for move in ask.moves]
        default = decision_form(ask.default_decision()._replace(by=SEAT))
        del default["seat"]
        yield {"about": about, "round": number, "step": step, "moves": moves, "default": default}


def _expect_chips(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.ChipsWanted]:
    """Which operations the ceremony allows now; whether there are enough chips, the rules say."""
    ops = [op for op in ("buy-in", "cash-out", "transfer") if not chips_hold_reason(state.book, op, seat)]
    if not chips_hold_reason(state.book, "cash-out", seat, leaves=True):
        ops.append("leave")
    if ops:
        yield {"ops": ops, "may": True}


def _expect_return(state: State, seat: int, _: Round | None, now: int) -> Iterator[forms.HereWanted]:
    if is_decided_at_once(state, seat):
        yield {"may": True}


FORMS: dict[str, Callable[[State, int, Round | None, int], Iterator[Mapping[str, object]]]] = {
    "commitment": _expect_commitment,
    "places": _expect_places,
    "seed": _expect_seed,
    "hash": _expect_hash,
    "shoe": _expect_shoe,
    "waiver": _expect_waiver,
    "bets": _expect_bets,
    "reshuffle": _expect_reshuffle,
    "decisions": _expect_decisions,
    "chips": _expect_chips,
    "here": _expect_return,
}
"""Forms by the routes that a chair may send; the other routes are for players without a chair, and for the operator."""


def table_view(state: State, seat: int | None, now: int, dealt: LiveRound | None = None) -> forms.TableView:
    """Return the whole answer. `seat` None is the public; `dealt`: the open round, before a decision that awaits
    places."""
    round = None if dealt is None or state.places_awaited else dealt.round
    table, rules, book = state.table, state.rules, state.book
    seen: forms.TableView = {
        "table": state.id,
        "rules": rules.name,
        "options": rules.options,
        "policy": book.policy._asdict(),
        "phase": phase(state),
        "at": timestamp(now),
        "closed": bool(book.closed_at),
        "chairs": book.max_chairs,
        "seats": seats_view(state),
        "chips": {account_name(account): chips for account, chips in sorted(table.purse.items())},
        "bank": account_name(table.bank),
        "rounds": book.rounds,
        "owed": {player: list(debt.seeds) for player, debt in book.debts.items() if not debt.is_paid},
        "deadlines": {name: timestamp(moment) for name, moment in deadlines(state)},
        "evicted": sorted(state.evicted),
        "shoe": None if state.shoe is None else _shoe_view(state, state.shoe),
        "bets": None,
        "round": None,
        "last": state.last_round,
        "moved": state.last_bank,
        "ended": state.last_end,
    }
    shoe = state.shoe
    if shoe is not None and shoe.stage is Stage.BET:
        seen["bets"] = _bets_view(state, seat)
    if shoe is not None and book.open_round is not None:
        bets = standing_bets(book, shoe, book.open_round)
        open_round: forms.RoundFields = {"round": book.open_round.number, "bets": [bet_form(bet) for bet in bets]}
        if dealt is not None and state.places_awaited:
            shown = view(dealt.round, PUBLIC if seat is None else seat)
            open_round["shown"] = {name: shown[name] for name in ("chips", "dealer", "hands", "over")}
        elif dealt is not None and not dealt.round.is_over:
            open_round["view"] = view(dealt.round, PUBLIC if seat is None else seat)
            open_round["reshuffled"] = list(dealt.round.reshuffled)
            open_round["burned"] = dealt.cards.burned
            if dealt.asking is not None:
                steps = [_step_view(step) for step in dealt.asking.steps]
                open_round["placed"] = {"steps": steps, "since": list(dealt.asking.parts)}
        seen["round"] = open_round
    if state.bank_decisions is not None and (ask := bank_question(state).ask) is not None:
        seen["asked"] = ask.actor
    if POOL in table.purse:
        seen["joined"] = rules.acting_order(table)
        seen["refunds"] = _refunds_view(book, timestamp(now))
    if book.lapse_limit:
        seen["lapses"] = book.lapse_limit
    if book.beacon_delay:
        seen["beacon"] = {"delay": book.beacon_delay}
    if book.placer:
        seen["placer"] = {"key": book.placer, "awaited": state.places_awaited or state.placer_commitment == ""}
    if seat is not None:
        own = list(expects(state, seat, round, now))
        seen["you"] = {"seat": seat, "player": table.players[seat], "expects": own}
        betting = bets_of_seat(state, seat)
        if betting is not None:
            seen["you"]["betting"] = betting
    return seen


def _refunds_view(book: Book, at: str) -> list[forms.RefundFields]:
    """Return the buy-ins that may be refunded, the newest first, with what is due for each reason."""
    refunds: list[forms.RefundFields] = []
    for paid in reversed([each for each in book.buy_ins if not each.refunded]):
        refunds.append({"player": paid.player, "game": paid.game, "round": BUY_IN})
        if may_refund(book, paid.game, "unfinished", at):
            refunds[-1]["unfinished"] = BUY_IN - deductible_gifts(paid, "unfinished")
    return refunds


def _step_view(step: PlacerStep) -> forms.StepFields:
    form: forms.StepFields = {"line": step.line}
    if step.place is not None:
        form["given"] = step.place
    if step.since:
        form["since"] = list(step.since)
    return form


def seats_view(state: State) -> list[forms.SeatFields]:
    """Return each seat with its player, and the name for people if there is one."""
    seats: list[forms.SeatFields] = []
    for seat, player in sorted(state.table.players.items()):
        seats.append({"seat": seat, "player": player})
        if name := state.book.chairs[seat].name:
            seats[-1]["name"] = name
    return seats


def _bets_view(state: State, seat: int | None) -> forms.OfferedBets:
    offered = sorted((bet for own in state.bets.values() for bet in own), key=lambda bet: bet.box)
    passed = sorted(chair for chair, own in state.bets.items() if not own)
    bets = [bet_form(bet) for bet in offered]
    seen: forms.OfferedBets = {"round": state.book.rounds + 1, "in": bets, "passed": passed}
    if state.rules.boxes:
        taken = {bet.box for bet in offered if seat not in (bet.seat, bet.box)}
        seen["boxes"] = [box for box in state.rules.boxes if box not in taken]
    return seen


def bets_of_seat(state: State, seat: int) -> forms.OwnBetting | None:
    """Return a seat's bets and their states: on the next round if it bet or passed, else on the last one; or None."""
    number, stood = state.book.rounds + 1, state.standing_bets
    returned = [each for each in state.returned_bets if each.bet.seat == seat]
    offered = [_own_bet_view(OFFERED, bet) for bet in state.bets.get(seat, ())]
    if not offered and seat in state.bets:
        offered = [{"state": WITHOUT_BET[0]}]
    if offered or any(each.round == number for each in returned):
        back = [_own_bet_view(each.why, each.bet) for each in returned if each.round == number]
        return {"round": number, "bets": offered + back}
    if stood is None or stood["players"].get(account_name(seat)) != state.table.players[seat]:
        return None
    why = {each.bet: each.why for each in returned if each.round == stood["round"]}
    bets = [bet for bet in map(bet_of, stood["bets"]) if bet.seat == seat]
    uncovered = [bet for bet in map(bet_of, stood["uncovered"]) if bet.seat == seat]
    found = [_own_bet_view(why.pop(bet, STANDS), bet) for bet in bets]
    found += [_own_bet_view(UNCOVERED, bet) for bet in uncovered]
    found += [_own_bet_view(reason, bet) for bet, reason in why.items()]
    found += [{"state": name} for name in WITHOUT_BET if seat in stood.get(name, ())]
    return {"round": stood["round"], "bets": found} if found else None


def _own_bet_view(state: str, bet: Bet) -> forms.OwnBet:
    """A bet without its seat."""
    form: forms.OwnBet = {"state": state, "amount": bet.amount}
    if bet.box != bet.seat:
        form["box"] = bet.box
    return form


def _shoe_view(state: State, shoe: Shoe) -> forms.ShoeFields:
    """Return the ceremony so far. Hashes are shown once they are all in the log."""
    form: forms.ShoeFields = {
        "shoe": shoe.id,
        "commitment": state.commitment,
        "deck": state.rules.deck,
        "cards": shoe.cards,
        "draws": dict(shoe.draws),
        "roster": shoe.roster,
        "cutter": shoe.cutter,
        "purpose": shoe.purpose,
        "hashed": [who for who in shoe.roster if who in state.hashes or who in shoe.hashes],
        "hashes": dict(shoe.hashes) if shoe.hashes else None,
        "opened": list(shoe.opened),
        "opens": openers(state.book, shoe) if shoe.stage is Stage.SEED else [],
        "struck": shoe.struck,
        "sealed": bool(shoe.sealed),
        "waived": state.waivers,
        "position": shoe.position,
        "burned": state.burned,
    }
    if shoe.placer is not None:
        form["placer"] = shoe.placer._asdict()
    if (beacon := beacon_form(shoe)) is not None:
        form["beacon"] = beacon
    return form
