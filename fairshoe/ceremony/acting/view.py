"""A table as a seat, or the public, may see it: never a key, an unopened seed, an order, or a hidden card."""

from __future__ import annotations

from typing import Any

from ...engine.table import account_name
from ...engine.view import PUBLIC, view
from ...log.times import timestamp
from ...record.forms import bet_form
from ..betting import taking_bets
from ..book import Shoe, bets_that_stand
from ..contributing import openers
from .expects import expects
from .phase import deadlines, phase
from .state import State
from .work import Dealt


def table_view(state: State, seat: int | None, now: int, dealt: Dealt | None = None) -> dict[str, Any]:
    """The whole answer. `seat` None is the public; `dealt` the open round where one is."""
    round = None if dealt is None else dealt.round
    table, rules, book = state.table, state.rules, state.book
    seen: dict[str, Any] = {
        "table": state.id,
        "rules": rules.name,
        "options": rules.options,
        "policy": book.policy._asdict(),
        "phase": phase(state),
        "at": timestamp(now),
        "closed": bool(book.closed),
        "chairs": rules.chairs[1],
        "seats": seats_view(state),
        "chips": {account_name(account): chips for account, chips in sorted(table.purse.items())},
        "bank": account_name(table.bank),
        "rounds": book.rounds,
        "owed": {player: list(debt.seeds) for player, debt in book.debts.items() if not debt.paid},
        "deadlines": {name: timestamp(moment) for name, moment in deadlines(state)},
        "evicted": sorted(state.evicted),
        "shoe": None if state.shoe is None else _shoe(state, state.shoe),
        "bets": None,
        "round": None,
        "last": state.last,
    }
    shoe = state.shoe
    if shoe is not None and taking_bets(book, shoe):
        seen["bets"] = _bets(state)
    if shoe is not None and book.open is not None:
        bets = bets_that_stand(book, shoe, book.open)
        seen["round"] = {"round": book.open.number, "bets": [bet_form(bet) for bet in bets]}
        if dealt is not None and not dealt.round.over:
            seen["round"] |= {
                "view": view(dealt.round, PUBLIC if seat is None else seat),
                "reshuffled": list(dealt.round.reshuffled),
                "burned": dealt.cards.burned,
            }
    if seat is not None:
        seen["you"] = {
            "seat": seat,
            "player": table.players[seat],
            "expects": list(expects(state, seat, round, now)),
        }
    return seen


def seats_view(state: State) -> list[dict[str, Any]]:
    """Who sits where, with the name as people write it where there is one."""
    chairs = state.book.chairs
    sitting = [(seat, player, chairs[seat].name) for seat, player in sorted(state.table.players.items())]
    return [{"seat": seat, "player": who} | ({"name": name} if name else {}) for seat, who, name in sitting]


def _bets(state: State) -> dict[str, Any]:
    offered = sorted((bet for own in state.bets.values() for bet in own), key=lambda bet: bet.box)
    passed = sorted(chair for chair, own in state.bets.items() if not own)
    return {"round": state.book.rounds + 1, "in": [bet_form(bet) for bet in offered], "passed": passed}


def _shoe(state: State, shoe: Shoe) -> dict[str, Any]:
    """The ceremony so far. Hashes are shown once they are all in the log."""
    return {
        "shoe": shoe.id,
        "commitment": state.commitment,
        "deck": state.rules.deck,
        "cards": shoe.cards,
        "draws": dict(shoe.draws),
        "roster": shoe.roster,
        "cutter": shoe.cutter,
        "purpose": shoe.purpose,
        "hashed": [who for who in shoe.roster if who in state.hashes or who in shoe.hashes],
        "hashes": dict(shoe.hashes) if shoe.hashed else None,
        "opened": list(shoe.opened),
        "opens": openers(state.book, shoe) if shoe.opening and not shoe.sealed else [],
        "struck": shoe.struck,
        "sealed": bool(shoe.sealed),
        "waived": state.waivers,
        "position": shoe.position,
        "burned": state.burned,
        "reshuffled": len(state.reshuffles),
    }
