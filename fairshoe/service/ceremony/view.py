"""A table as a seat, or the public, may see it: never a key, an unopened seed, an order, or a hidden card."""

from __future__ import annotations

from typing import Any

from ...engine.round import Round
from ...engine.table import account_name
from ...engine.view import PUBLIC, view
from ...protocol.commitment import commitment_of
from ...record.forms import bet_form
from .betting import standing, taking_bets
from .deadlines import deadlines
from .expects import expects
from .playing import live
from .seeding import hashing, opening
from .state import Shoe, State
from .work import timestamp


def phase(state: State) -> str:
    """closed, idle, bank, hash, seed, bet or round."""
    shoe = state.shoe
    if state.banking is not None:
        return "bank"
    if shoe is None:
        return "closed" if state.closing else "idle"
    if shoe.round is not None and shoe.round.dealt:
        return "round"
    if hashing(shoe):
        return "hash"
    if opening(state, shoe) or not taking_bets(state):
        return "seed"
    return "bet"


def table_view(state: State, seat: int | None, now: int, round: Round | None = None) -> dict[str, Any]:
    """The whole answer. `seat` None is the public; `round` the open round, if the caller has it at hand."""
    if round is None or round.over:
        found = live(state)
        round = None if found is None else found[0]
    table, rules = state.table, state.rules
    seen: dict[str, Any] = {
        "table": state.id,
        "rules": rules.name,
        "options": rules.options,
        "policy": state.policy._asdict(),
        "phase": phase(state),
        "at": timestamp(now),
        "closing": state.closing,
        "chairs": rules.chairs[1],
        "seats": [{"seat": chair, "player": table.players[chair]} for chair in sorted(table.players)],
        "chips": {account_name(account): chips for account, chips in sorted(table.purse.items())},
        "bank": account_name(table.bank),
        "rounds": state.rounds,
        "deadlines": {name: timestamp(moment) for name, moment in deadlines(state)},
        "shoe": None if state.shoe is None else _shoe(state, state.shoe),
        "bets": None,
        "round": None,
        "last": state.last,
    }
    if state.shoe is not None and taking_bets(state):
        bets = standing(table, state.shoe.bets)
        passed = sorted(chair for chair, own in state.shoe.bets.items() if not own)
        seen["bets"] = {"round": state.rounds + 1, "in": [bet_form(bet) for bet in bets], "passed": passed}
    if state.round is not None:
        seen["round"] = {"round": state.round.number, "bets": [bet_form(bet) for bet in state.round.bets]}
        if round is not None:
            seen["round"]["view"] = view(round, PUBLIC if seat is None else seat)
    if seat is not None:
        seen["you"] = {
            "seat": seat,
            "player": table.players[seat],
            "expects": list(expects(state, seat, round)),
        }
    return seen


def _shoe(state: State, shoe: Shoe) -> dict[str, Any]:
    """The ceremony so far. Hashes are shown once they are all in the log."""
    return {
        "shoe": state.shoe_id,
        "commitment": commitment_of(shoe.key),
        "deck": state.rules.deck,
        "cards": state.rules.cards,
        "draws": state.rules.draws(),
        "roster": shoe.roster,
        "cutter": shoe.cutter,
        "purpose": shoe.purpose,
        "hashed": [who for who in shoe.roster if who in shoe.hashes],
        "hashes": None if shoe.hashed is None else shoe.hashes,
        "opened": [who for who in shoe.roster if who in shoe.seeds],
        "sealed": shoe.sealed is not None,
        "waived": shoe.waivers,
        "position": shoe.position,
    }
