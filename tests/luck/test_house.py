"""The house-luck test: what it plays, what it sums, whom it flags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from audit_cli.report.counting.observations import ObservedRound, ObservedShoe, SeatStake
from audit_cli.report.luck.house import DEALT, LATE, NEXT, REST, SEAT, VOID, Luck
from audit_cli.report.luck.reference import Reference, reference, shuffle_order
from audit_cli.report.luck.sums import LOG, LuckReading, with_holm
from fairshoe.cards import named_deck
from fairshoe.engine.rules import Rules, rules_of

LEVEL = 0.001
TABLE = ("table", "t")
UNIT = 2
INSERT = 60


class Players(NamedTuple):
    """`strategy`: how they play; `seats`: how many there are; `stays`: whether they stay, the shoe having brought them
    so much."""

    seats: int
    strategy: str = "bicycle"
    stays: Callable[[int], bool] = lambda won: True


def leaves_after_losses(won: int) -> bool:
    return won > -10 * UNIT


@cache
def deck_of(rules: Rules) -> list[str]:
    return list(named_deck(rules.deck))


@cache
def playing(name: str, strategy: str) -> Reference:
    return Reference(rules_of(name), strategy)


def names(seats: int) -> list[str]:
    return [f"p{seat}" for seat in range(1, seats + 1)]


def stakes_of(amounts: list[int]) -> list[SeatStake]:
    return [SeatStake(seat, f"p{seat}", amount) for seat, amount in enumerate(amounts, 1)]


def one_round(name: str, players: Players, shoes: int, seed: str, keys: int = 1) -> Iterator[ObservedShoe]:
    """Shoes of one round. Of so many `keys` the house takes the one with which the players win least."""
    rules = rules_of(name)
    play = playing(name, players.strategy).play
    for number in range(shoes):
        orders = [shuffle_order(deck_of(rules), f"{seed} {number} {key}".encode()) for key in range(keys)]
        order = min(orders, key=lambda each: sum(play(each, 0, players.seats).nets)) if keys > 1 else orders[0]
        seen = ObservedRound(0, stakes_of([UNIT] * players.seats))
        yield ObservedShoe("t", rules, order, names(players.seats), [seen])


def many_rounds(players: Players, shoes: int, seed: str, *, deaf: bool = False) -> Iterator[ObservedShoe]:
    """Casino shoes. `deaf`: the house does not hear the bet of the last seat where that would win."""
    rules = rules_of("casino")
    play = playing("casino", players.strategy).play
    stakes = stakes_of([UNIT] * players.seats)
    for number in range(shoes):
        order = shuffle_order(deck_of(rules), f"{seed} {number}".encode())
        insert = Random(f"{seed} {number}").randrange(16)
        last = len(order) - INSERT - insert
        rounds: list[ObservedRound] = []
        won = position = 0
        while position < last and players.stays(won):
            played, seen = play(order, position, players.seats), ObservedRound(position, stakes)
            if deaf and played.nets[-1] > 0:
                played = play(order, position, players.seats - 1)
                seen = ObservedRound(position, stakes[:-1], stakes[-1:])
            rounds.append(seen)
            position = played.end
            won += sum(played.nets)
        rest = rounds[-1].stakes if position < last else ()
        draws = (("insert", insert),)
        yield ObservedShoe("t", rules, order, names(players.seats), rounds, True, rest, position, draws)


def order_of(name: str, seed: str = "order") -> list[str]:
    return shuffle_order(deck_of(rules_of(name)), seed.encode())


def of_log(luck: Luck) -> dict[str, LuckReading]:
    return {each.test: each for each in luck.result() if each.scope == LOG}


def played(shoes: Iterable[ObservedShoe]) -> Luck:
    luck = Luck()
    for shoe in shoes:
        luck.shoe(shoe)
    return luck


def test_a_round_is_counted_by_log_table_and_player() -> None:
    rules, order = rules_of("boxes"), order_of("boxes")
    stakes = [SeatStake(1, "ann", 10), SeatStake(1, "ann", 20), SeatStake(4, "bob", 30)]
    luck = played([ObservedShoe("t", rules, order, ["ann", "bob"], [ObservedRound(0, stakes)])])
    nets = reference(rules).play(order, 0, 3).nets
    assert {scope for scope, _ in luck.parts} == {TABLE, ("player", "ann"), ("player", "bob")}
    for (_, part), sums in luck.parts.items():
        assert (part, sums.net, sums.hands, sums.rounds.total(), sums.leant) == (DEALT, sum(nets), 3, 1, 0)
    wagers = luck.wagers[TABLE]
    assert wagers.net == 10 * nets[0] + 20 * nets[1] + 30 * nets[2]
    assert [*wagers.own.values(), *wagers.together.values()] == [100 + 400 + 900, 3_600]


def test_a_round_begins_where_the_log_says() -> None:
    rules, order = rules_of("casino"), order_of("casino")
    stakes = stakes_of([2])
    rounds = [ObservedRound(0, stakes), ObservedRound(9, stakes), ObservedRound(14, stakes)]
    luck = played([ObservedShoe("t", rules, order, ["p1"], rounds)])
    play = reference(rules).play
    assert luck.parts[TABLE, DEALT].net == sum(sum(play(order, seen.position, 1).nets) for seen in rounds)
    assert luck.parts[TABLE, DEALT].leant != 0


def test_the_rest_of_a_shoe_is_played_until_it_is_worn() -> None:
    rules, order = rules_of("casino"), order_of("casino")
    stakes = stakes_of([2, 2])
    seen = ObservedRound(100, stakes, cards=order[100:120])
    luck = played([ObservedShoe("t", rules, order, ["p1"], [seen], True, stakes, 120, (("insert", 5),))])
    play, position, nets = reference(rules).play, max(120, reference(rules).play(order, 100, 2).end), []
    while position < 312 - 65:
        each = play(order, position, 2)
        nets.append(sum(each.nets))
        position = each.end
    assert luck.parts[TABLE, REST].net == sum(nets)
    assert luck.parts[TABLE, REST].rounds.total() == len(nets) > 10
    assert luck.parts[TABLE, NEXT].net == nets[0]


@pytest.mark.parametrize("name", ["casino", "boxes"])
def test_a_void_shoe_is_played(name: str) -> None:
    rules, order = rules_of(name), order_of(name)
    draws = (("insert", 0),) if name == "casino" else ()
    luck = played([ObservedShoe("t", rules, order, ["p1"], [], False, stakes_of([2]), 0, draws)])
    assert {part for _, part in luck.parts} == {VOID, NEXT}
    assert luck.parts[TABLE, VOID].rounds.total() == (1 if name == "boxes" else len(list(_rounds(order))))
    assert not luck.wagers
    assert [each.test for each in luck.result() if each.scope == LOG] == ["shoes", "next"]


def _rounds(order: list[str]) -> Sequence[int]:
    position, found = 0, []
    while position < 252:
        found.append(position)
        position = reference(rules_of("casino")).play(order, position, 1).end
    return found


def test_late_bets_are_played_as_if_they_had_been_heard() -> None:
    rules, order = rules_of("casino"), order_of("casino")
    one, two, three = stakes_of([2, 2, 2])
    luck = played([ObservedShoe("t", rules, order, ["p1"], [ObservedRound(0, [one, three], [two])])])
    play = reference(rules).play
    assert luck.parts[TABLE, DEALT].net == sum(play(order, 0, 2).nets)
    assert luck.parts[TABLE, LATE].net == luck.parts[TABLE, NEXT].net == play(order, 0, 3).nets[1]


@pytest.mark.parametrize("name", ["chinese", "pontoon"])
def test_where_a_seat_banks_each_seat_is_summed_by_itself(name: str) -> None:
    rules, order = rules_of(name), order_of(name)
    seen = ObservedRound(1, [SeatStake(2, "ann", 1), SeatStake(3, "bob", 5)], banker="cat")
    luck = played([ObservedShoe("t", rules, order, ["ann", "bob", "cat"], [seen])])
    first, second = reference(rules).play(order, 1, 2).nets
    found = {scope[1]: sums.net for (scope, part), sums in luck.parts.items() if part == SEAT}
    assert found == {"ann": first, "bob": second, "cat": -first - second}
    assert not luck.wagers
    assert {each.test for each in luck.result()} == {"bank", "seat"}


def test_a_deck_that_is_too_small_is_counted() -> None:
    rules = rules_of("pontoon")
    stakes = [SeatStake(seat, f"p{seat}", 1) for seat in range(2, 40)]
    luck = played([ObservedShoe("t", rules, order_of("pontoon"), [], [ObservedRound(1, stakes, banker="b")])])
    assert luck.unplayed == 1
    assert luck.result() == []


@pytest.mark.parametrize(("name", "seats"), [("banker", 1), ("boxes", 3)])
def test_a_house_that_grinds_keys(name: str, seats: int) -> None:
    found = of_log(played(one_round(name, Players(seats, "mimic"), 100, "ground", 50)))
    assert max(found["dealt"].p_holm, found["dealt"].always_holm, found["bets"].p_holm) < LEVEL


def test_a_house_that_does_not_hear_bets() -> None:
    found = of_log(played(list(many_rounds(Players(2), 10, "deaf", deaf=True))))
    assert max(found[test].always_holm for test in ("dealt", "next", "avoided")) < LEVEL


def test_a_player_who_is_always_lucky_where_the_bank_changes() -> None:
    rules = rules_of("chinese")
    luck, play = Luck(), reference(rules_of("chinese")).play
    for number in range(60):
        orders = [order_of("chinese", f"{number} {key}") for key in range(5)]
        order = max(orders, key=lambda each: play(each, 0, 2).nets[1])
        seen = ObservedRound(0, [SeatStake(2, "ann", 1), SeatStake(3, "shill", 1)], banker="cat")
        luck.shoe(ObservedShoe("t", rules, order, ["ann", "shill", "cat"], [seen]))
    found = {each.scope[1]: each for each in luck.result()}
    assert found["shill"].z > 5
    assert found["shill"].always_holm < LEVEL
    assert found["cat"].z < 0


@pytest.mark.parametrize("players", [Players(1), Players(2, "mimic", stays=leaves_after_losses)])
def test_an_honest_house(players: Players) -> None:
    shoes = [*many_rounds(players, 12, "honest"), *one_round("boxes", players, 100, "honest")]
    for reading in played(shoes).result():
        assert reading.p_holm > 0.05
        assert abs(reading.z) < 3.5
        assert 0 < reading.visible < 4


def test_the_level_is_shared_out_among_log_tables_and_players() -> None:
    """Half of it for the log, by Holm's correction within each."""
    read = [LuckReading((kind, name), "t", 1, 1, 0, 0, 0, p, 1, 0) for kind, name, p in SCOPES]
    assert [each.p_holm for each in with_holm(read)] == pytest.approx([0.02, 0.08, 0.08, 1.0])
    assert {each.always_holm for each in with_holm(read)} == {1}


SCOPES = (("log", "", 0.01), ("table", "a", 0.01), ("table", "b", 0.02), ("player", "c", 0.5))


def test_more_rounds_show_less() -> None:
    few, many = (of_log(played(one_round("banker", Players(1), count, "power")))["dealt"] for count in (50, 200))
    assert few.visible == pytest.approx(2 * many.visible, rel=0.1)
