"""What holds in every state of a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import ACTS, apply
from fairshoe.ceremony.acting.phase import due
from fairshoe.ceremony.acting.playing import rebuild_round
from fairshoe.ceremony.acting.state import Keys, State
from fairshoe.ceremony.acting.view import expects
from fairshoe.ceremony.state_codec import dump
from fairshoe.errors import FairshoeError

from .search import Node, way_out


def check_node(node: Node) -> None:
    listed_is_accepted(node)
    unlisted_is_refused(node)
    limits_do_something(node)
    everybody_gets_out(node)


def listed(node: Node, seat: int) -> set[str]:
    """The routes that a chair is told about, `leave` apart."""
    found = rebuild_round(node.state, node.key)
    forms = list(expects(node.state, seat, found[0] if found else None, node.now))
    return {form["do"] for form in forms} | {op for form in forms for op in form.get("ops", ())}


def listed_is_accepted(node: Node) -> None:
    for seat in node.state.table.players:
        for command in node.own(seat):
            try:
                node.step(command)
            except FairshoeError as error:
                raise AssertionError(f"{command}: {error}\n{node.path}") from error
        if "leave" in listed(node, seat) and node.state.table.purse[seat] >= 0:
            node.step(say.CashOut(seat, None, leave=True))


def unlisted_is_refused(node: Node) -> None:
    before = dump(node.state)
    for seat in node.state.table.players:
        told = listed(node, seat)
        for command in anything(node, seat):
            name = "leave" if isinstance(command, say.CashOut) else ACTS[type(command)][0]
            if name in told:
                continue
            try:  # what was said before may be said again, and changes nothing
                made = apply(node.state, command, node.now, Keys(lambda: node.key, b"k" * 32))
                assert (made.entries, without_here(made.state)) == ([], without_here(node.state)), command
            except FairshoeError:
                pass
            assert dump(node.state) == before, command


def without_here(state: State) -> str:
    return dump(replace(state, lapse_credits={}))


def anything(node: Node, seat: int) -> Iterator[say.Command]:
    """One well-formed command of each kind."""
    shoe, number = node.state.shoe, node.state.book.rounds + 1
    seed = node.seed(seat, "" if shoe is None else shoe.id)
    lowest = -(-node.state.rules.minimum // node.state.rules.bet_unit) * node.state.rules.bet_unit
    yield say.AskShoe(seat)
    yield say.AskReshuffle(seat)
    yield say.GiveHash(seat, hashlib.sha256(seed).hexdigest())
    yield say.GiveSeed(seat, seed.hex())
    yield say.Waive(seat)
    yield say.PlaceBets(seat, number, (say.Stake(lowest),))
    yield say.Decide(seat, number - 1, 0, "stand")
    yield say.CashOut(seat, None, leave=True)


def limits_do_something(node: Node) -> None:
    """Before the next limit nothing happens by itself; at one of those that run, something does."""
    now, tried = node.now, False
    for _ in range(12):
        moment = due(node.state, now)
        if moment is None:
            assert not tried, f"a limit did nothing: {node.path}"
            return
        keys = Keys(lambda: node.key, b"k" * 32)
        settled = apply(node.state, None, now, keys)
        assert settled.entries == [], node.path
        before = apply(node.state, None, moment - 1, keys)
        assert before.entries == [], (node.path, before.entries)
        assert dump(before.state) == dump(settled.state), node.path
        after = apply(node.state, None, moment, keys)
        if after.entries or dump(after.state) != dump(settled.state):
            return
        now, tried = moment, True
    raise AssertionError(f"no limit does anything: {node.path}")


def everybody_gets_out(node: Node) -> None:
    """Each player by themselves, while all others are silent for ever."""
    for seat in node.state.table.players:
        assert way_out(node, seat) >= 0, (seat, node.path)
