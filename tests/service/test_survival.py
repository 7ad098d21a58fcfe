"""What an honest house lives through: outages, a shutdown tonight, clocks that jump, and players who mean harm."""

from __future__ import annotations

from itertools import count

import pytest

from fairshoe.client import Problem
from fairshoe.engine.rules import RULES
from fairshoe.log.times import SECOND, microseconds

from .place import at, default, refusal, step

pytestmark = pytest.mark.direct
DAYS = 3 * 86_400
PHASES = ("idle", "bank", "hash", "bet", "seed", "round")
REACHED = [
    (rules, phase)
    for rules in sorted(RULES)
    for phase in PHASES
    if not (phase == "bank" and rules != "pontoon")
    and not (phase == "hash" and rules == "banker")
    and not (phase == "bet" and rules == "lounge")
]
"""Which phases there are: only pontoon asks about the bank, banker's sole player sends no hash, in lounge the bets
are the table's."""


def reach(place, rules, phase):
    """A table with three players (banker: one) in a phase."""
    seats = place.sit(rules, 1 if rules == "banker" else 3, 10_000)
    play_until(seats, lambda: at(seats[0]).state["phase"] == phase)
    return seats


def play_until(seats, reached):
    for number in range(500):
        if reached():
            return
        step(seats[number % len(seats)])
    raise AssertionError(at(seats[0]).state["phase"])


def rounds(place):
    return len(place.of_kind("round"))


def chips(place):
    """What everybody brought, took and has, the house included: nothing."""
    moved = {"buy-in": 1, "cash-out": -1, "share": -1, "refund": 0, "transfer": 0}
    brought = sum(moved[entry["op"]] * entry["amount"] for entry in place.of_kind("chips"))
    return brought - sum(place.public.get("/v1/tables/t1")["chips"].values())


# Outages.


@pytest.mark.parametrize(("rules", "phase"), REACHED)
def test_an_outage_of_days(place, rules, phase):
    """Whatever was waited for is waited for again, and the table goes on."""
    seats = reach(place, rules, phase)
    before = rounds(place)
    seats = place.outage(seats, DAYS)
    play_until(seats, lambda: rounds(place) >= before + 3)
    assert chips(place) == 0
    place.assert_clean()


def test_an_outage_costs_nobody_a_limit(place):
    """The round that was open is played on by its players, and nothing is the table's."""
    seats, turn = place.playing()
    seats = place.outage(seats, DAYS)
    assert at(place.again(turn)).next() == turn.next()
    place.finish(seats)
    (entry,) = place.of_kind("round")[-1:]
    assert all(decision.get("by") != "table" for decision in entry["decisions"])
    assert place.last() == ("reveal", "age")
    place.assert_clean()


def test_one_outage_after_another(place):
    seats = place.sit("boxes", 2)
    for number in range(12):
        step(seats[number % 2])
        seats = place.outage(seats, DAYS)
    play_until(seats, lambda: rounds(place) >= 2)
    place.assert_clean()


# Shutdown tonight.


@pytest.mark.parametrize(("rules", "phase"), REACHED)
def test_everybody_gets_out_after_a_close(place, rules, phase):
    """The players want to leave and do what is asked of them; a round is all that they wait for."""
    seats = reach(place, rules, phase)
    place.operator.table("t1").send("close")
    closed = microseconds(place.entries()[-1]["at"])
    out = empty(place, seats, acting=True)
    assert out - closed < 600 * SECOND
    over(place)


@pytest.mark.parametrize(("rules", "phase"), REACHED)
def test_a_close_gets_by_without_its_players(place, rules, phase):
    """They say nothing any more: what is theirs to decide the limits decide, and then the chips are theirs to take."""
    seats = reach(place, rules, phase)
    place.operator.table("t1").send("close")
    for _ in range(80):
        place.clock.forward(61)
        place.public.get("/v1/tables/t1")
    assert (at(seats[0]).state["shoe"], seats[0].state["phase"]) == (None, "closed") or rules == "lounge"
    empty(place, seats, acting=True)
    over(place)


def empty(place, seats, *, acting):
    """Until every chair is left; gives when that was."""
    seats = list(seats)
    for _ in range(400):
        for seat in list(seats):
            while acting and at(seat).next() and seat.next()["do"] in ("seed", "decisions"):
                seat.contribute() or default(seat)
            if any("leave" in form["ops"] for form in at(seat).expects("chips")):
                seat.leave()
                seats.remove(seat)
        if not seats:
            return microseconds(place.entries()[-1]["at"])
        place.clock.forward(31)
    raise AssertionError(at(seats[0]).state["phase"])


def over(place):
    """The table is empty and closed, every shoe has its end, and the chips add up."""
    state = place.public.get("/v1/tables/t1")
    assert (state["phase"], state["seats"], state["shoe"]) == ("closed", [], None)
    kinds = place.kinds()
    assert kinds.count("shoe") == kinds.count("reveal") + kinds.count("void")
    assert chips(place) == 0
    place.assert_clean()


def test_a_running_game_of_lounge_is_played_on_after_a_close(place):
    """LO-04: its shoes go on until the pool is used up."""
    seats = place.sit("lounge", 2, options={"gift": 9_000})
    place.make_shoe(seats)
    place.operator.table("t1").send("close")
    play_until(seats, lambda: at(seats[0]).state["phase"] == "closed" and not seats[0].state["chips"]["pool"])
    empty(place, seats, acting=True)
    over(place)


# Clocks.


@pytest.mark.parametrize("rules", sorted(RULES))
def test_a_wall_clock_that_is_set_all_the_time(place, rules):
    """Forward and back, by seconds and days: time in the log rises, and play goes on."""
    seats = place.sit(rules, 1 if rules == "banker" else 3, 10_000)
    jumps = [-86_400, 3_600, -7, 90_000, -200_000, 61, 31, -4_000]
    for number in count():
        if number >= 120 and rounds(place) >= 2:
            break
        assert number < 600
        if number % 5 == 4:
            place.clock.set_wall(jumps[number // 5 % len(jumps)])
        place.clock.forward(1)
        step(seats[number % len(seats)])
    times = [microseconds(entry["at"]) for entry in place.entries()]
    assert times == sorted(set(times))
    assert chips(place) == 0
    place.assert_clean()


# Others' malice.


def hash_all(seats):
    for seat in seats:
        at(seat).contribute()


def let_lapse(place, seats, silent):
    """Everybody opens but `silent`, whose limit passes."""
    while at(seats[0]).state["phase"] == "seed":
        place.contribute([seat for seat in seats if seat is not silent])
        place.clock.forward(31)


@pytest.mark.parametrize("turn", ["first", "middle", "last"])
def test_a_contributor_lets_seeds_lapse(place, turn):
    """One chair spoils one shoe. To contribute again it hands the seed in, and opens first then: it is struck."""
    seats = place.casino(4)
    bad = {"first": seats[3], "middle": seats[1], "last": seats[0]}[turn]
    good = [seat for seat in seats if seat is not bad]
    for _ in range(6):
        if at(good[0]).state["shoe"] is None:
            good[0].send("shoe")
        hash_all(seats)
        let_lapse(place, seats, bad)
        if at(good[0]).state["phase"] == "bet":
            place.bet_and_finish(good)
            place.clock.forward(3_601)
    lost = [(entry["why"], entry.get("by")) for entry in place.of_kind("void")]
    assert lost == ([] if turn == "first" else [("seed", bad.player)])
    assert {entry["player"] for entry in place.of_kind("lapse")} == {bad.player}
    assert {entry["player"] for entry in place.of_kind("late")} == {bad.player}
    assert rounds(place) == 6 - len(lost)
    assert chips(place) == 0
    place.assert_clean()


def test_a_contributor_lets_seeds_lapse_under_new_names(place):
    """One shoe is spoiled; who sits down after that waits for the next seal, and the others play."""
    (alice,) = place.casino(1)
    table = place.public.table("t1")
    bad = [table.sit("m1", 100), table.sit("m2", 100)]
    for number in count(3):
        alice.send("shoe")
        hash_all([alice, *bad])
        waiting = [seat for seat in bad if at(alice).state["shoe"]["hashes"].get(seat.player)]
        if len(waiting) < 2:
            break
        at(waiting[-1]).contribute()
        place.clock.forward(31)
        assert at(alice).state["shoe"] is None
        with pytest.raises(Problem):
            waiting[-2].leave()
        if len(bad) < 6:
            bad.append(table.sit(f"m{number}", 100))
    assert [entry["why"] for entry in place.of_kind("void")] == ["seed"]
    place.contribute([alice])
    place.clock.forward(31)
    place.contribute([alice])
    assert at(alice).state["phase"] == "bet"
    place.bet_and_finish([alice])
    assert chips(place) == 0
    place.assert_clean()


def test_everybody_asks_for_reshuffles(place):
    """One for each chair, under new names too; then the shoe is made and played."""
    (alice,) = place.casino(1)
    table = place.public.table("t1")
    bad = [table.sit(f"m{number}", 100) for number in range(6)]
    alice.send("shoe")
    for again in range(3):
        for index, seat in enumerate(bad):
            if again == 0:
                at(seat).send("reshuffle")
            else:
                assert refusal(seat.send, "reshuffle")["status"] == 409
            seat.leave()
            bad[index] = table.sit(f"m{again}-{index}", 100, seat.seat)
    assert len(place.of_kind("void")) == 6
    place.contribute([alice])
    place.clock.forward(31)
    place.contribute([alice])
    place.bet_and_finish([alice])
    place.assert_clean()


@pytest.mark.parametrize("rules", sorted(set(RULES) - {"banker", "lounge"}))
def test_a_flood_of_sit_downs(place, rules):
    """Chairs are taken and left between any two steps of the others, who play on."""
    seats = place.sit(rules, 2, 10_000)
    table = place.public.table("t1")
    numbers = count(1)
    flood = []
    for turn in range(60):
        while True:
            try:
                flood.append(table.sit(f"f{next(numbers)}", 10_000))
            except Problem as problem:
                if problem.status != 409:
                    raise
                break
        step(seats[turn % 2])
        for seat in flood[::2]:
            if any("leave" in form["ops"] for form in at(seat).expects("chips")):
                seat.leave()
                flood.remove(seat)
        if turn % 3 == 0:
            place.clock.forward(31)
    play_until_limits(place, seats, 3)
    assert chips(place) == 0
    place.assert_clean()


def play_until_limits(place, seats, wanted):
    """As many rounds; whoever else is waited for lets the limits pass."""
    for _ in range(800):
        if rounds(place) >= wanted:
            return
        if not any(step(seat) for seat in seats):
            place.clock.forward(31)
    raise AssertionError(at(seats[0]).state["phase"])
