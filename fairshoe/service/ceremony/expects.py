"""What a seat can do next, in terms that a program can follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.moves import Ask
from ...engine.round import Round
from ...engine.view import move_form
from .banking import question
from .betting import could_bet, lowest_bet, taking_bets
from .seeding import contributed, hashing, opening, sole, unopened
from .state import Shoe, State


def expects(state: State, seat: int, round: Round | None) -> Iterator[dict[str, Any]]:
    """Everything that is open to the seat, the most urgent first. `do` is the route's name."""
    player = state.table.players[seat]
    shoe = state.shoe
    if state.banking is not None:
        between = question(state)
        yield from _decision(between.ask, seat, len(between.decisions), "bank")
    elif shoe is None:
        if not state.closing and len(state.table.players) >= state.rules.chairs[0]:
            yield {"do": "shoe"}
    elif shoe.round is not None and shoe.round.dealt:
        yield from _decision(None if round is None else round.ask, seat, len(shoe.round.decisions), "round")
    else:
        yield from _contribution(state, shoe, player)
        if taking_bets(state) and state.rules.forced_bets(state.table) is None:
            yield from _bet(state, shoe, seat, player)


def _decision(ask: Ask | None, seat: int, step: int, about: str) -> Iterator[dict[str, Any]]:
    if ask is not None and ask.actor == seat:
        moves = [move_form(move) for move in ask.moves]
        yield {"do": "decisions", "about": about, "step": step, "moves": moves, "default": move_form(ask.default)}


def _contribution(state: State, shoe: Shoe, player: str) -> Iterator[dict[str, Any]]:
    if shoe.sealed is not None or player not in shoe.roster:
        return
    span = state.rules.cut_range()
    cut = {"cut": list(span)} if span is not None and shoe.cutter == player and shoe.cut is None else {}
    if hashing(shoe):
        if player not in shoe.hashes or cut:
            yield {"do": "hash", **cut}
    elif sole(shoe) == player:
        if player not in shoe.seeds and shoe.round is None:
            yield {"do": "seed", **cut}
    elif opening(state, shoe) and player in unopened(shoe):
        yield {"do": "seed"}


def _bet(state: State, shoe: Shoe, seat: int, player: str) -> Iterator[dict[str, Any]]:
    if seat == state.table.bank or seat in shoe.bets or not could_bet(state, seat):
        return
    if seat not in shoe.waivers and not contributed(shoe, player):
        yield {"do": "waiver"}
        return
    rules = state.rules
    yield {
        "do": "bets",
        "round": state.rounds + 1,
        "low": lowest_bet(state),
        "high": rules.maximum,
        "unit": rules.bet_unit,
    }
