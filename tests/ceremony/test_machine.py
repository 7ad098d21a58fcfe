"""The machine without HTTP, clock or database: pure, and its state survives storage at every step."""

from __future__ import annotations

import hashlib
import random

import pytest

from fairshoe.ceremony.acting import commands as say
from fairshoe.ceremony.acting.machine import apply, create, restart
from fairshoe.ceremony.acting.phase import due
from fairshoe.ceremony.acting.state import Keys, State
from fairshoe.ceremony.acting.view import table_view
from fairshoe.ceremony.policy import Policy
from fairshoe.ceremony.state_codec import dump, load
from fairshoe.engine.rules import RULES, rules_of
from fairshoe.errors import FairshoeError, InputError
from fairshoe.log.times import SECOND, microseconds, timestamp
from fairshoe.record.entries import start_entry

from .walk import CHIPS, Walk

NOW = 1_800_000_000 * SECOND
KEY = b"k" * 32
KEYS = Keys(lambda: KEY, KEY)
HASH = hashlib.sha256(b"\xaa").hexdigest()


def after(state: State, *commands: say.Command, now: int = NOW) -> State:
    for command in commands:
        state = apply(state, command, now, KEYS).state
    return state


@pytest.fixture
def table() -> State:
    return create("t", rules_of("casino"), Policy(), NOW).state


@pytest.fixture
def sealed(table: State) -> State:
    """One player's shoe."""
    return after(table, say.TakeSeat("alice", 100), say.AskShoe(), say.GiveHash(1, HASH, 9), say.GiveSeed(1, "aa"))


def test_a_step_leaves_the_state_before_it_alone(table: State) -> None:
    before = dump(table)
    outcome = apply(table, say.TakeSeat("alice", 100), NOW, KEYS)
    assert dump(table) == before
    assert outcome.seat == 1
    assert [entry["kind"] for entry in outcome.entries] == ["chips"]


def test_the_same_inputs_give_the_same_outputs(table: State) -> None:
    commands = [
        say.TakeSeat("alice", 100),
        say.AskShoe(),
        say.GiveHash(1, HASH, 9),
        say.GiveSeed(1, "aa"),
        say.PlaceBets(1, 1, (say.Stake(10),)),
    ]
    one, two = after(table, *commands), after(table, *commands)
    assert dump(one) == dump(two)
    assert apply(one, None, NOW, KEYS).entries == []


def test_a_refused_command_leaves_no_trace(table: State) -> None:
    state = after(table, say.TakeSeat("alice", 100), say.AskShoe())
    before = dump(state)
    for command in (
        say.AskShoe(),
        say.PlaceBets(1, 1, (say.Stake(10),)),
        say.Decide(1, 1, 0, "hit"),
        say.GiveHash(1, HASH, 0),
    ):
        with pytest.raises(FairshoeError):
            apply(state, command, NOW, KEYS)
        assert dump(state) == before


@pytest.mark.parametrize("name", ["casino", "chinese"])
def test_a_hash_without_the_cut_that_is_due_is_refused_at_once(name: str) -> None:
    """Nobody would learn of it before the limit. Who does not cut sends a hash alone; and it may come again without the
    cut that was sent with it."""
    state = create("t", rules_of(name), Policy(), NOW).state
    state = after(state, say.TakeSeat("alice", 1000), say.TakeSeat("bob", 1000), say.AskShoe())
    assert state.shoe is not None
    cutter = next(seat for seat, player in state.table.players.items() if player == state.shoe.cutter)
    before = dump(state)
    with pytest.raises(InputError, match="you cut this shoe") as refused:
        apply(state, say.GiveHash(cutter, HASH), NOW, KEYS)
    assert refused.value.where == "cut"
    assert dump(state) == before
    state = after(state, say.GiveHash(cutter, HASH, 9), say.GiveHash(cutter, HASH))
    assert list(state.cuts.values()) == [9]
    shoe = after(state, say.GiveHash(3 - cutter, "a" * 64)).shoe
    assert shoe is not None
    assert shoe.hashes, "nobody waits"


def test_the_key_is_never_part_of_what_is_stored(table: State) -> None:
    outcome = apply(after(table, say.TakeSeat("alice", 100)), say.AskShoe(), NOW, KEYS)
    assert outcome.key == KEY
    assert KEY.hex() not in dump(outcome.state)
    assert KEY.hex() not in repr(outcome.state)
    assert dump(load(dump(outcome.state), State)) == dump(outcome.state)


def test_the_key_is_asked_for_only_where_cards_are_needed(table: State) -> None:
    def never() -> bytes:
        raise AssertionError("nobody needs it")

    closed = Keys(never, KEY)
    state = table
    for command in (say.TakeSeat("alice", 100), say.TakeSeat("bob", 100), say.AskShoe(), say.GiveHash(1, HASH, 9)):
        state = apply(state, command, NOW, closed).state
    state = apply(state, say.GiveHash(2, "a" * 64), NOW, closed).state
    assert apply(state, None, NOW + 1, closed).entries == []


def test_entries_of_one_step_have_times_that_rise(sealed: State) -> None:
    outcome = apply(sealed, say.PlaceBets(1, 1, (say.Stake(10),)), NOW, KEYS)
    state = apply(outcome.state, say.Close(), NOW, KEYS).state
    longest = 0
    for _ in range(20):
        moment = due(state, microseconds(state.book.at))
        if moment is None:
            break
        outcome = apply(state, None, moment, KEYS)
        times = [entry["at"] for entry in outcome.entries]
        assert times == sorted(set(times))
        longest = max(longest, len(times))
        state = outcome.state
    assert state.shoe is None
    assert longest >= 1


def test_what_is_due_is_known_beforehand(table: State) -> None:
    state = after(table, say.TakeSeat("alice", 100), say.TakeSeat("bob", 100), say.AskShoe(), say.GiveHash(1, HASH, 9))
    limit = NOW + 30 * SECOND
    assert due(state, NOW) == limit
    assert apply(state, None, limit - 1, KEYS).entries == []
    assert [entry["kind"] for entry in apply(state, None, limit, KEYS).entries] == ["seeds"]


def test_a_start_begins_every_wait_anew(table: State) -> None:
    state = after(table, say.TakeSeat("alice", 100), say.TakeSeat("bob", 100), say.AskShoe())
    now = NOW + 10 * SECOND
    again = restart(state, start_entry(timestamp(now)), now)
    assert due(again, now) == now + 30 * SECOND
    assert due(state, now) == NOW + 30 * SECOND


def test_the_public_sees_no_choices(table: State) -> None:
    state = after(table, say.TakeSeat("alice", 100), say.AskShoe())
    assert "you" not in table_view(state, None, NOW)
    assert table_view(state, 1, NOW)["you"]["expects"]


@pytest.mark.parametrize("rules", sorted(RULES))
@pytest.mark.parametrize("trouble", [0.0, 0.1])
def test_a_walk_through_a_game_is_audited_clean(rules: str, trouble: float, tmp_path) -> None:
    one_game = {"gift": 100} if rules == "lounge" and not trouble else {}
    walk = Walk(rules, random.Random(f"{rules} {trouble}"), trouble, **one_game)
    walk.play(25)
    opened = [entry["round"] for entry in walk.log if entry["kind"] == "open"]
    assert opened == list(range(1, walk.state.book.rounds + 1))
    assert walk.state.shoe is None
    report = walk.audit(tmp_path)
    assert not report.failed, report.findings
    assert report.rounds == sum(entry["kind"] == "round" for entry in walk.log)
    assert report.open == 0


def test_one_game_of_lounge_after_another(tmp_path) -> None:
    """LO-04: when the pool is used up everybody pays for the next game."""
    walk = Walk("lounge", random.Random(5), 0, gift=9_000)
    while walk.state.table.memory["game"] < 4:
        if walk.state.shoe is None and not list(walk.waiting()):
            for seat in walk.state.table.players:
                walk.do(say.BuyIn(seat, CHIPS))
        walk.turn()
    walk.play(walk.state.book.rounds)
    report = walk.audit(tmp_path)
    assert not report.failed, report.findings


def test_a_stock_that_runs_out_in_the_middle_of_a_deal(tmp_path) -> None:
    """PO-08: the reshuffle is logged just before the round, and the shoe is worn after it (PO-09)."""
    walk = Walk("pontoon", random.Random(2), 0, seats=7, greedy=True)
    walk.play(10)
    kinds = [entry["kind"] for entry in walk.log]
    assert "reshuffle" in kinds
    for index, kind in enumerate(kinds):
        if kind == "reshuffle":
            assert kinds[index + 1 : index + 3] in (["round", "reveal"], ["reshuffle", "round"])
    report = walk.audit(tmp_path)
    assert not report.failed, report.findings


@pytest.mark.parametrize("command", [say.GiveHash(1, HASH, 9), say.AskReshuffle(1)])
def test_what_was_meant_for_another_shoe_is_refused(table: State, command: say.GiveHash | say.AskReshuffle) -> None:
    """Somebody asked for a reshuffle meanwhile, and another shoe was committed to in the same step."""
    state = after(table, say.TakeSeat("alice", 100), say.TakeSeat("bob", 100), say.AskShoe(), say.AskReshuffle(2))
    assert state.shoe_id == "t/2"
    after(state, command._replace(shoe="t/2"))
    with pytest.raises(FairshoeError, match="shoe t/1; expected t/2"):
        after(state, command._replace(shoe="t/1"))
