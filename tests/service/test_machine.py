"""The machine without HTTP, clock or database: pure, and its state survives storage at every step."""

from __future__ import annotations

import random

import pytest

from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import FairshoeError
from fairshoe.service.ceremony.commands import AskShoe, Close, Decide, GiveSeed, PlaceBets, Resume, Stake, TakeSeat
from fairshoe.service.ceremony.deadlines import due
from fairshoe.service.ceremony.machine import apply, create
from fairshoe.service.ceremony.policy import Policy
from fairshoe.service.ceremony.state import dump, load
from fairshoe.service.ceremony.view import table_view

from .walk import Walk

NOW = 1_800_000_000_000
KEY = b"k" * 32


def after(state, *commands, now=NOW):
    for command in commands:
        state = apply(state, command, now, KEY).state
    return state


@pytest.fixture
def table():
    return create("t", rules_of("casino"), Policy(), NOW).state


def test_a_step_leaves_the_state_before_it_alone(table):
    before = dump(table)
    outcome = apply(table, TakeSeat("alice", 100), NOW, KEY)
    assert dump(table) == before
    assert outcome.seat == 1
    assert [entry["kind"] for entry in outcome.entries] == ["chips"]


def test_the_same_inputs_give_the_same_outputs(table):
    commands = [TakeSeat("alice", 100), AskShoe(), GiveSeed(1, "aa", 9), PlaceBets(1, 1, (Stake(10),))]
    one, two = after(table, *commands), after(table, *commands)
    assert dump(one) == dump(two)
    assert apply(one, None, NOW, KEY).entries == []


def test_a_refused_command_leaves_no_trace(table):
    state = after(table, TakeSeat("alice", 100), AskShoe())
    before = dump(state)
    for command in (AskShoe(), PlaceBets(1, 1, (Stake(10),)), Decide(1, 0, "hit"), GiveSeed(1, "aa", 0)):
        with pytest.raises(FairshoeError):
            apply(state, command, NOW, KEY)
        assert dump(state) == before


def test_the_key_is_never_part_of_what_is_stored(table):
    state = after(table, TakeSeat("alice", 100), AskShoe())
    assert state.shoe.key == KEY
    assert KEY.hex() not in dump(state)
    assert KEY.hex() not in repr(state)
    assert dump(load(dump(state), KEY)) == dump(state)


def test_entries_of_one_step_have_times_that_rise(table):
    state = after(table, TakeSeat("alice", 100), AskShoe(), GiveSeed(1, "aa"))
    state = after(state, PlaceBets(1, 1, (Stake(10),)), Close())
    while state.shoe is not None:
        outcome = apply(state, None, due(state, 0), KEY)
        times = [entry["at"] for entry in outcome.entries]
        assert times == sorted(set(times))
        state = outcome.state
    assert len(times) > 1


def test_what_is_due_is_known_beforehand(table):
    state = after(table, TakeSeat("alice", 100), TakeSeat("bob", 100), AskShoe())
    assert due(state, NOW) == NOW + 30_000
    assert apply(state, None, NOW + 29_999, KEY).entries == []
    assert [entry["kind"] for entry in apply(state, None, NOW + 30_000, KEY).entries] == ["seeds", "seal"]
    assert due(after(state, Resume(), now=NOW + 10_000), NOW + 10_000) == NOW + 40_000


def test_the_public_sees_no_choices(table):
    state = after(table, TakeSeat("alice", 100), AskShoe())
    assert "you" not in table_view(state, None, NOW)
    assert table_view(state, 1, NOW)["you"]["expects"]


@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize("trouble", [0.0, 0.1])
def test_a_walk_through_a_game_is_audited_clean(rules, trouble, tmp_path):
    walk = Walk(rules, random.Random(f"{rules} {trouble}"), trouble)
    walk.play(40)
    report = walk.audit(tmp_path)
    assert not report.failed, report.findings
    opened = [entry["round"] for entry in walk.log if entry["kind"] == "open"]
    assert opened == list(range(1, walk.state.rounds + 1))
    assert report.rounds == sum(entry["kind"] == "round" for entry in walk.log)
    assert report.open == 0


def test_a_stock_that_runs_out_in_the_middle_of_a_deal(tmp_path):
    """PO-08: the reshuffle is logged just before the round, and the shoe goes on from the gathered cards."""
    walk = Walk("pontoon", random.Random(2), 0, seats=7, greedy=True)
    walk.play(60)
    kinds = [entry["kind"] for entry in walk.log]
    assert "reshuffle" in kinds
    for index, kind in enumerate(kinds):
        if kind == "reshuffle":
            assert kinds[index + 1] in ("reshuffle", "round")
    assert not walk.audit(tmp_path).failed
