"""When a round opens: whose bets are waited for, from when on, and what a pass needs."""

from __future__ import annotations

import hashlib

import pytest

from fairshoe.ceremony.acting.commands import AskShoe, Command, GiveHash, GiveSeed, PlaceBets, Stake, TakeSeat, Waive
from fairshoe.ceremony.acting.machine import apply, create, restart
from fairshoe.ceremony.acting.phase import due
from fairshoe.ceremony.acting.state import Keys, State
from fairshoe.ceremony.policy import Policy
from fairshoe.engine.rules import rules_of
from fairshoe.errors import FairshoeError
from fairshoe.log.canonical import Entry
from fairshoe.log.times import SECOND, timestamp
from fairshoe.record.entries import start_entry

NOW = 1_800_000_000 * SECOND
KEYS = Keys(lambda: b"k" * 32, b"k" * 32)
LIMIT = Policy().bet * SECOND


def after(state: State, *commands: Command, now: int = NOW) -> State:
    for command in commands:
        state = apply(state, command, now, KEYS).state
    return state


def opened(state: State, now: int) -> Entry | None:
    """The `open` that is written by this moment, if one is."""
    return next((entry for entry in apply(state, None, now, KEYS).entries if entry["kind"] == "open"), None)


@pytest.fixture
def sealed() -> State:
    """A casino shoe of alice and bob; carl sat down after its commitment."""
    state = create("t", rules_of("casino"), Policy(), NOW - 4).state
    for before, command in enumerate((TakeSeat("alice", 100), TakeSeat("bob", 100), AskShoe(), TakeSeat("carl", 100))):
        state = after(state, command, now=NOW - 3 + before)
    for seat, seed in ((1, "aa"), (2, "bb")):
        cut = 9 if seat == 1 else None
        state = after(state, GiveHash(seat, hashlib.sha256(bytes.fromhex(seed)).hexdigest(), cut))
    return after(state, GiveSeed(2, "bb"), GiveSeed(1, "aa"))


def test_in_a_shoe_of_many_rounds_the_limit_runs_from_the_first_bet(sealed: State) -> None:
    """Nobody has to bet before somebody does."""
    assert due(sealed, NOW) is None or due(sealed, NOW) > NOW + LIMIT
    later = NOW + 2 * LIMIT
    state = after(sealed, PlaceBets(1, 1, (Stake(10),)), now=later)
    assert due(state, later) == later + LIMIT
    assert opened(state, later + LIMIT - 1) is None
    found = opened(state, later + LIMIT)
    assert found is not None
    assert found["late"] == [2]


def test_a_bet_that_replaces_another_does_not_begin_the_limit_anew(sealed: State) -> None:
    state = after(sealed, PlaceBets(1, 1, (Stake(10),)), now=NOW + 5)
    state = after(state, PlaceBets(1, 1, (Stake(20),)), now=NOW + LIMIT // 2)
    assert due(state, NOW + LIMIT // 2) == NOW + 5 + LIMIT
    state = after(state, PlaceBets(1, 1, ()), now=NOW + LIMIT // 2)
    state = after(state, PlaceBets(1, 1, (Stake(20),)), now=NOW + LIMIT // 2 + 5)
    assert due(state, NOW + LIMIT // 2 + 5) == NOW + LIMIT // 2 + 5 + LIMIT


def test_a_start_begins_the_limit_of_a_first_bet_anew(sealed: State) -> None:
    state = after(sealed, PlaceBets(1, 1, (Stake(10),)))
    now = NOW + LIMIT // 2
    again = restart(state, start_entry(timestamp(now)), now)
    assert opened(again, now + LIMIT - 1) is None
    assert opened(again, now + LIMIT) is not None


def test_a_round_without_a_bet_does_not_open(sealed: State) -> None:
    state = after(sealed, PlaceBets(1, 1, ()), PlaceBets(2, 1, ()))
    assert opened(state, NOW + 3 * LIMIT) is None


def test_who_has_no_part_in_a_shoe_may_pass_and_not_bet(sealed: State) -> None:
    state = after(sealed, PlaceBets(3, 1, ()))
    assert state.bets[3] == []
    with pytest.raises(FairshoeError, match="waive it"):
        after(sealed, PlaceBets(3, 1, (Stake(10),)))
    waived = after(sealed, Waive(3), PlaceBets(3, 1, (Stake(10),)))
    assert [bet.amount for bet in waived.bets[3]] == [10]


def test_who_waived_is_waited_for(sealed: State) -> None:
    state = after(sealed, Waive(3), PlaceBets(1, 1, (Stake(10),)), PlaceBets(2, 1, ()))
    assert opened(state, NOW + 1) is None
    found = opened(after(sealed, PlaceBets(1, 1, (Stake(10),))), NOW)
    assert found is None
    done = apply(after(sealed, PlaceBets(1, 1, (Stake(10),))), PlaceBets(2, 1, ()), NOW, KEYS).entries
    assert [entry["kind"] for entry in done][:1] == ["open"]
    assert done[0]["passed"] == [2]
