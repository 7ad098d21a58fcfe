"""Shoes that the house got rid of before their seal, and requests that were none."""

from __future__ import annotations

import hashlib

from tests.house import POLICY, Prepared, Seating

from ..planting import Planted, at_table, bets_at, caught, fraud, log_open, sealed_at

WHYS = ["reshuffle", "close", "bank", "idle", "age"]


def void(table: Seating, shoe: Prepared, why: str, number: int | None = None) -> Planted:
    """The shoe void, with all that this reason asks for but a beginning that has not begun."""
    if why == "close":
        table.close()
    if why == "age":
        table.house.wait(POLICY["shoe"], shoe.committed)
    if why == "idle":
        table.house.wait(POLICY["bet"], table.house.now)
    table.void(shoe, why, f"{table.name}-p1" if why == "reshuffle" else None, number)
    return caught(table.house, field="why", found=why)


@fraud("void-not-allowed", each=WHYS)
def a_void_after_the_opening_began(why: str) -> Planted:
    table = at_table()
    return void(table, table.prepare(), why)


@fraud("void-not-allowed", each=WHYS)
def a_void_after_a_seed_was_opened(why: str) -> Planted:
    table = at_table()
    shoe = table.prepare()
    table.opened(shoe, "casino-p2")
    return void(table, shoe, why)


@fraud("void-not-allowed", each=WHYS)
def a_void_after_the_bets_stood(why: str) -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    table.open(shoe)
    return void(table, shoe, why, 1)


@fraud("void-not-allowed", each=WHYS)
def a_void_after_a_sole_player_bet(why: str) -> Planted:
    """The sole contributor's seed comes with the bet: the house knows the cards by then."""
    table = at_table("banker", (1,))
    shoe = table.prepare()
    table.open(shoe)
    return void(table, shoe, why, 1)


@fraud("void-not-allowed", each=[*WHYS, "seed"])
def a_void_after_the_seal(why: str) -> Planted:
    table = at_table()
    return void(table, sealed_at(table)[0], why)


@fraud("void-not-allowed", each=["reshuffle", "seed"])
def a_void_of_a_dealt_round(why: str) -> Planted:
    table, shoe, bets = bets_at()
    table.open_seeds(shoe, bets)
    table.seal(shoe)
    return void(table, shoe, why, 1)


@fraud("void-not-allowed", each=["close", "bank"])
def a_void_for_what_did_not_happen(why: str) -> Planted:
    """Nobody closed the table, no bank moved."""
    table = at_table("boxes")
    table.void(table.prepare(), why)
    return caught(table.house, field="why", found=why)


@fraud("void-not-allowed")
def a_shoe_void_since_the_bank_left_though_it_sits() -> Planted:
    table = at_table("chinese", (1, 2, 3))
    table.settle_bank()
    shoe = table.prepare()
    table.leave(2)
    assert table.table.bank == 1
    table.void(shoe, "bank")
    return caught(table.house, field="why", found="bank")


# Requests.


@fraud("void-not-allowed", each=["boxes-p7", None])
def a_reshuffle_that_nobody_at_the_table_asked_for(who: str | None) -> Planted:
    table = at_table("boxes")
    table.asked_reshuffle(who)  # type: ignore[arg-type]
    return caught(table.house, field="why", found="reshuffle")


@fraud("void-not-allowed")
def a_reshuffle_asked_for_by_somebody_who_left() -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    table.leave(2)
    table.void(shoe, "reshuffle", "boxes-p2")
    return caught(table.house, field="why", found="reshuffle")


@fraud("void-not-allowed")
def a_second_reshuffle_between_two_seals() -> Planted:
    table = at_table("boxes")
    table.asked_reshuffle("boxes-p1")
    table.asked_reshuffle("boxes-p2")
    table.asked_reshuffle("boxes-p1")
    return caught(table.house, field="why", found="reshuffle")


@fraud("void-not-allowed")
def a_second_reshuffle_by_the_same_chair_under_another_name() -> Planted:
    """Each chair has one, whoever sits in it; else a shill only had to sit down anew."""
    table = at_table("boxes")
    table.asked_reshuffle("boxes-p2")
    table.leave(2)
    table.chips("buy-in", 2, 100, player="eve")
    table.asked_reshuffle("eve")
    return caught(table.house, field="why", found="reshuffle")


# Seeds that were not opened.


@fraud("void-not-allowed", each=["opened", "waits", "no hash", "nobody"])
def a_shoe_void_for_somebody_whose_turn_it_is_not(who: str) -> Planted:
    """By who has opened, by who comes after another, by who sent no hash, without a name while bets stand."""
    table, shoe, _ = bets_at((1, 2, 3))
    table.opened(shoe, "boxes-p3")
    table.house.wait(POLICY["seed"], table.house.now)
    name = {"opened": "boxes-p3", "waits": "boxes-p1", "no hash": "boxes-p7", "nobody": None}[who]
    table.void(shoe, "seed", name, 1)
    return caught(table.house, field="why", found="seed")


@fraud("void-not-allowed", each=["casino", "boxes"])
def a_shoe_void_where_the_player_should_be_struck(game: str) -> Planted:
    """Nobody has opened, others remain: it goes on without."""
    table = at_table(game)
    shoe = table.prepare()
    if game == "boxes":
        log_open(table, shoe, table.offers([1, 2]))
    table.house.wait(POLICY["seed"], table.house.now)
    table.void(shoe, "seed", f"{game}-p2", 1 if game == "boxes" else None)
    return caught(table.house, field="why", found="seed")


@fraud("lapse-not-allowed", each=["opened", "last"])
def somebody_struck_where_the_shoe_is_void(when: str) -> Planted:
    """A house that knows the order would choose whose seed counts."""
    table, shoe, _ = bets_at()
    if when == "opened":
        table.opened(shoe, "boxes-p2")
    else:
        table.house.wait(POLICY["seed"], table.house.now)
        table.lapse(shoe, "boxes-p2")
    table.house.wait(POLICY["seed"], table.house.now)
    table.lapse(shoe, "boxes-p1")
    return caught(table.house, expected="the shoe void", found="boxes-p1")


@fraud("seed-out-of-turn")
def somebody_struck_before_the_turn() -> Planted:
    table, shoe, _ = bets_at((1, 2, 3))
    table.house.wait(POLICY["seed"], table.house.now)
    table.lapse(shoe, "boxes-p1")
    return caught(table.house, field="player", expected="boxes-p3", found="boxes-p1")


@fraud("step-out-of-order")
def a_seal_where_no_bet_remains() -> Planted:
    """Who bet lapsed, who passed did not: there is nothing to deal."""
    table = at_table("boxes")
    shoe = table.prepare()
    log_open(table, shoe, table.offers([2]), passed=(1,))
    table.house.wait(POLICY["seed"], table.house.now)
    table.lapse(shoe, "boxes-p2")
    table.opened(shoe, "boxes-p1")
    table.seal(shoe)
    return caught(table.house)


@fraud("key-mismatch")
def another_key_for_a_void_shoe() -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    shoe.key = hashlib.sha256(b"another").digest()
    table.void(shoe, "reshuffle", "boxes-p1")
    return caught(table.house, field="key")


@fraud("step-out-of-order", each=["missing", "another"])
def a_void_that_does_not_say_whose_bets_go_back(wrong: str) -> Planted:
    table, shoe, _ = bets_at()
    table.opened(shoe, "boxes-p2")
    table.house.wait(POLICY["seed"], table.house.now)
    number = None if wrong == "missing" else 2
    table.void(shoe, "seed", "boxes-p1", number)
    return caught(table.house, field="round", expected=1, found=number)
