"""Bets without a part in the shoe, seats that were not heard, cover, bets that nobody chooses."""

from __future__ import annotations

from fairshoe.engine.moves import Ask, Decision
from fairshoe.engine.table import Bet
from tests.house import POLICY, Prepared, Seating

from ..planting import Planted, at_table, bets_at, caught, fraud, log_open, sealed_at, sealed_table

# Waivers.


@fraud("bet-without-seed")
def a_waiver_by_somebody_who_sat_there_at_the_commitment() -> Planted:
    """The house would drop a hash and deal all the same."""
    table = at_table()
    table.silent = {"casino-p2"}
    shoe, _ = sealed_at(table)
    log_open(table, shoe, table.offers([1, 2]), waived=(2,))
    return caught(table.house, field="waived", expected=[], found=[2])


@fraud("bet-without-seed")
def a_waiver_in_a_shoe_of_one_round() -> Planted:
    table = at_table("boxes")
    shoe = table.prepare()
    table.chips("buy-in", 3, 100)
    log_open(table, shoe, table.offers([1, 2, 3]), waived=(3,))
    return caught(table.house, field="waived", expected=[], found=[3])


@fraud("bet-without-seed")
def a_waiver_of_a_seed_that_is_in_the_shoe() -> Planted:
    table, shoe, _ = sealed_table()
    log_open(table, shoe, table.offers([1, 2]), waived=(2,))
    return caught(table.house, field="waived", expected=[], found=[2])


@fraud("bet-without-seed", each=["late", "struck"])
def a_bet_without_a_seed_or_a_word(why: str) -> Planted:
    """Of somebody who came later, or whose seed was struck, in a shoe of many rounds."""
    table = at_table()
    table.lapsing = {"casino-p2"} if why == "struck" else set()
    shoe, _ = sealed_at(table)
    seat = 2
    if why == "late":
        table.chips("buy-in", 3, 1000)
        seat = 3
    log_open(table, shoe, table.offers(sorted({1, seat})), passed=(2,) if why == "late" else ())
    return caught(table.house, field="waived", found=[])


@fraud("bet-without-seed")
def a_bet_of_somebody_who_came_back_on_the_seed_from_before() -> Planted:
    """Who left and returned is somebody new."""
    table, shoe, _ = sealed_table()
    table.leave(2)
    table.chips("buy-in", 2, 1000)
    log_open(table, shoe, table.offers([1, 2]))
    return caught(table.house, field="waived", expected=[2], found=[])


# Who was heard.


@fraud("seats-unaccounted", each=["casino", "boxes"])
def a_seat_that_nobody_heard(game: str) -> Planted:
    table = at_table(game)
    shoe = table.prepare() if game == "boxes" else sealed_at(table)[0]
    log_open(table, shoe, table.offers([1]))
    return caught(table.house, expected=[2], found=[])


@fraud("seats-unaccounted", each=["passed", "late"])
def a_word_of_somebody_who_has_no_part(word: str) -> Planted:
    table, shoe, _ = sealed_table()
    table.chips("buy-in", 3, 1000)
    table.house.wait(POLICY["bet"], table.house.now)
    log_open(table, shoe, table.offers([1, 2]), **{word: (3,)})
    return caught(table.house, expected=[], found=[3])


@fraud("seats-unaccounted", each=["passed", "late"])
def a_seat_that_bet_and_is_counted_twice(word: str) -> Planted:
    table, shoe, _ = sealed_table()
    table.house.wait(POLICY["bet"], table.house.now)
    log_open(table, shoe, table.offers([1, 2]), **{word: (2,)})
    return caught(table.house, expected=[], found=[2])


@fraud("seats-unaccounted")
def a_banker_who_passed() -> Planted:
    table, shoe = banked("chinese")
    log_open(table, shoe, [Bet(2, 1, 2), Bet(3, 1, 3)], passed=(1,))
    return caught(table.house, expected=[], found=[1])


@fraud("step-out-of-order", "bet-without-seed")
def bets_before_the_hashes() -> Planted:
    table = at_table("boxes")
    log_open(table, table.commit(), table.offers([1, 2]))
    return caught(table.house, expected="a new shoe with its hashes, before its opening", found="open")


@fraud("step-out-of-order")
def bets_before_the_seal_of_a_shoe_of_many_rounds() -> Planted:
    table = at_table()
    shoe = table.prepare()
    table.open_seeds(shoe, [])
    log_open(table, shoe, table.offers([1, 2]))
    return caught(table.house, expected="a sealed shoe", found="open")


@fraud("step-out-of-order")
def a_second_round_from_a_shoe_of_one() -> Planted:
    table, shoe, bets = bets_at()
    table.open_seeds(shoe, bets)
    table.round(shoe, table.seal(shoe), bets)
    log_open(table, shoe, bets)
    return caught(table.house, found="open")


@fraud("step-out-of-order")
def bets_while_a_round_is_open() -> Planted:
    table, shoe, _ = sealed_table()
    log_open(table, shoe, table.offers([1, 2]))
    log_open(table, shoe, table.offers([1, 2]))
    return caught(table.house, expected="the end of round 1", found="open")


@fraud("bet-illegal")
def a_round_without_a_bet() -> Planted:
    table, shoe, _ = sealed_table()
    log_open(table, shoe, [], passed=(1, 2))
    return caught(table.house, field="bets")


# Cover.


class Accepting(Seating):
    """Whoever may have the bank takes it."""

    def choose(self, ask: Ask) -> Decision:
        return ask.by_default()._replace(by="seat")


def banked(game: str, left: tuple[int, ...] = (), **more: int) -> tuple[Seating, Prepared]:
    """A table where a seat banks, in chinese seat 1, with chips `left` to each, and a shoe that bets may be on."""
    table = at_table(game, (1, 2, 3), Accepting, **more)
    if game == "pontoon":
        table.first_bank()
    table.settle_bank()
    assert table.table.bank in (1, 2, 3)
    for seat, chips in enumerate(left, 1):
        table.chips("cash-out", seat, table.table.purse[seat] - chips)
    if game == "chinese":
        return table, table.prepare()
    return table, sealed_at(table)[0]


@fraud("cover-differs")
def a_bet_refused_though_it_was_covered() -> Planted:
    """CH-05: the house would keep those bets out that it knows to win."""
    table, shoe = banked("chinese")
    log_open(table, shoe, [Bet(2, 10, 2)], uncovered=(Bet(3, 10, 3),))
    return caught(table.house, field="uncovered", expected=[], found=[3])


@fraud("cover-differs")
def a_pontoon_bet_refused_though_it_was_covered() -> Planted:
    table, shoe = banked("pontoon")
    bank = table.table.bank
    first, second = table.rules.acting_order(table.table)
    assert bank not in (first, second)
    log_open(table, shoe, [Bet(first, 5, first)], uncovered=(Bet(second, 5, second),))
    return caught(table.house, field="uncovered", expected=[], found=[second])


@fraud("bet-illegal", each=["chinese", "pontoon"])
def a_bet_taken_that_nobody_covers(game: str) -> Planted:
    """CH-05, PO-38: the bank has less than all bets together may cost."""
    table, shoe = banked("chinese", (24, 1000, 1000)) if game == "chinese" else banked("pontoon", chips=18)
    log_open(table, shoe, [Bet(seat, 5, seat) for seat in table.rules.acting_order(table.table)])
    return caught(table.house)


@fraud("bet-illegal")
def a_bet_that_its_own_seat_cannot_cover() -> Planted:
    table, shoe = banked("chinese", (1000, 14, 1000))
    log_open(table, shoe, [Bet(2, 5, 2), Bet(3, 5, 3)])
    return caught(table.house)


@fraud("cover-differs")
def cover_given_to_a_later_seat_first() -> Planted:
    """It goes by the seats' order, whatever the order in which bets came."""
    table, shoe = banked("chinese", (15, 1000, 1000))
    log_open(table, shoe, [Bet(3, 5, 3)], uncovered=(Bet(2, 5, 2),))
    return caught(table.house, field="uncovered", expected=[3], found=[2])


@fraud("bet-illegal")
def bets_that_do_not_stand_in_their_order() -> Planted:
    table, shoe = banked("chinese")
    log_open(table, shoe, [Bet(3, 5, 3), Bet(2, 5, 2)])
    return caught(table.house)


@fraud("bet-illegal")
def an_uncovered_bet_that_no_limit_allows() -> Planted:
    table, shoe = banked("chinese")
    log_open(table, shoe, [Bet(2, 5, 2)], uncovered=(Bet(3, 101, 3),))
    return caught(table.house, field="amount")


@fraud("bet-illegal")
def a_bankers_bet() -> Planted:
    table, shoe = banked("chinese")
    log_open(table, shoe, [Bet(1, 5, 1), Bet(2, 5, 2)])
    return caught(table.house)


# The lounge.


def lounge(dealt: tuple[int, ...], silent: int = 0, **more: tuple[int, ...]) -> Planted:
    table = at_table("lounge", (1, 2, 3), gift=3000)
    table.silent = {f"lounge-p{silent}"}
    shoe = table.prepare()
    log_open(table, shoe, [Bet(seat, 3000, seat) for seat in dealt], **more)
    return caught(table.house, field="bets", found=list(dealt))


@fraud("bets-not-forced")
def a_hand_for_somebody_who_sent_no_hash() -> Planted:
    return lounge((1, 2, 3), silent=3)


@fraud("bets-not-forced")
def a_hand_left_out() -> Planted:
    return lounge((1, 2))


@fraud("bets-not-forced")
def a_lounge_seat_that_is_said_to_have_passed() -> Planted:
    return lounge((1, 2), passed=(3,))
