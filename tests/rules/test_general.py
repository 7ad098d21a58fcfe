"""The conventions of all rule sets, clause by clause (docs/rules.md, GE)."""

from __future__ import annotations

from typing import Any

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import LoggedCards
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import replay
from fairshoe.engine.rules import RULES, Rules, check_playable, rules_of
from fairshoe.engine.table import MAX_BET, Bet, move_chips
from fairshoe.errors import IllegalBet, IllegalDecision, InputError, RuleError
from tests.hands import begin, bets_of, go_on, hand_of, legal, nets, play, ranks, refused, refused_bets, seated
from tests.hands_bank import banked
from tests.hands_bank import begin as begin_banked

STAND = Decision(1, "stand")


def test_GE_01_a_card_is_rank_suit_and_pack() -> None:
    deck = french(6)
    assert len(deck) == 312
    assert deck.count("Js") == 6
    assert len(set(deck)) == 52
    same = play("casino", "Js 9 Jc 9", "stand")
    other = play("casino", "Jd 9h Jh 9d", "stand")
    assert nets(same) == nets(other), "suits do not matter"
    assert "split" in legal(begin(seated("casino"), "Js 9 Jc 9")), "the rank does"
    assert "split" not in legal(begin(seated("casino"), "Js 9 Qs 9"))


SOFT = "A 11, A A 12, A A 9 21, A 6 17, A 9 20, A 9 A 21, A K 21, A A A A 7 21"
HARD = "A A T 12, A 6 T 17, A 5 6 12, T 6 16, T T A 21, T T 2 22"


@pytest.mark.parametrize("soft", [True, False])
def test_GE_02_one_ace_counts_11_where_it_fits(soft: bool) -> None:
    for cards, total in (each.rsplit(" ", 1) for each in (SOFT if soft else HARD).split(", ")):
        assert (hand_of(cards).total, hand_of(cards).soft) == (int(total), soft), cards


def test_GE_02_the_total_counts_as_cards_are_dealt_and_decides_doubling() -> None:
    round = begin(seated("casino"), "A 5 2 6 | 3 T 2", moves="hit")
    assert (round.hands[0].total, round.hands[0].soft) == (16, True)
    go_on(round, "hit")
    assert (round.hands[0].total, round.hands[0].soft) == (16, False)
    refused(begin(seated("casino"), "A 5 8 6"), "double")


@pytest.mark.parametrize("cards", ["A T", "J A", "A Q", "K A"])
def test_GE_03_a_natural_is_the_first_two_cards_of_an_unsplit_hand(cards: str) -> None:
    assert hand_of(cards).natural


def test_GE_03_no_other_21_is_a_natural() -> None:
    for cards in ("7 7 7", "A 9 A", "A T T", "A A", "A 5 5"):
        assert not hand_of(cards).natural
    split = begin(seated("casino"), "A 9 A 9 | K K", moves="split")
    assert [(hand.total, hand.natural) for hand in split.hands] == [(21, False)] * 2


@pytest.mark.parametrize("name", ["banker", "casino", "boxes"])
def test_GE_04_odd_bets_are_refused_not_rounded(name: str) -> None:
    assert RULES[name].bet_unit == 2
    for amount in (3, 5, 499):
        refused_bets(name, [amount], chairs=[1])
    assert begin(seated(name), "5 5 5 5", [4]).ask


@pytest.mark.parametrize("name", ["chinese", "pontoon", "lounge"])
def test_GE_04_the_others_need_only_integers(name: str) -> None:
    assert RULES[name].bet_unit == 1


def test_GE_07_forced_moves_are_not_decisions() -> None:
    assert play("casino", "A 9 K 9").decisions == []
    assert play("casino", "T 2 9 3 | 4 5 6", "stand").decisions == [STAND], "the dealer's draws"
    assert play("banker", "7 9 7 9 | 7", "hit").decisions == [Decision(1, "hit")], "the automatic stand"


def test_GE_08_a_log_with_an_illegal_choice_does_not_replay() -> None:
    table = seated("casino")

    def cards() -> LoggedCards:
        return LoggedCards(["Ts", "9s", "9s", "9s"], position=0, present=312, size=312)

    assert replay(table, cards(), bets_of([10]), [STAND]).is_over
    with pytest.raises(IllegalDecision):
        replay(table, cards(), bets_of([10]), [Decision(1, "split")])
    with pytest.raises(IllegalDecision):
        replay(table, cards(), bets_of([10]), [STAND, STAND])


def test_GE_09_the_occupied_chairs_act_clockwise_from_the_dealers_left() -> None:
    round = begin(seated("casino", (2, 5, 7)), "T T A 7 | 9 9 K T", {2: 10, 5: 10, 7: 10})
    acted = []
    while round.ask is not None:
        acted.append(round.ask.actor)
        go_on(round, "stand")
    assert acted == [2, 5], "chair 7 needs no decision"
    refused_bets("casino", [Bet(2, 10, 2), Bet(1, 10, 1)])
    refused_bets("casino", [Bet(1, 10, 1), Bet(1, 10, 1)])


def test_GE_10_live_is_not_bust_surrendered_paid_or_collected() -> None:
    round = begin(seated("casino", (1, 2, 3)), "A T T 7 | K 6 8 T | T", [10, 10, 10], "hit")
    assert [hand.live for hand in round.hands] == [False, False, True], "paid, bust, still in play"
    assert not any(hand.live for hand in play("banker", "T 9 6 9", "surrender").hands)


def test_GE_11_the_limits_bind_the_first_bet_only() -> None:
    round = begin(seated("casino"), "5 9 6 9 | T", [500], "double")
    assert (round.hands[0].bet, nets(round)) == (1000, [1000])
    assert begin(seated("casino"), "8 9 8 9 | 2", [500], "split").purse[1] == 0


def test_GE_11_the_lounge_asks_for_no_cover() -> None:
    round = begin(seated("lounge"), "5 6 | T 8", [1000])
    assert round.purse[1] == 0
    assert "double" in legal(round)


def test_GE_11_nor_does_pontoon_whose_bets_are_covered_before_the_deal() -> None:
    table = seated("pontoon", (1, 2), bank=2, chips=2)
    for cards, move in (("5 T 6 9", "double"), ("8 T 8 9", "split")):
        assert move in legal(begin_banked(table, cards, [1]))
    round = begin_banked(table, "5 T 6 9 | 2", [1], "double stand")
    assert (round.purse[1], nets(round)) == (0, [-2])


def test_GE_12_a_single_legal_action_is_taken_and_not_asked() -> None:
    assert legal(begin(seated("casino", chips=10), "9 A 9 9", [10])) == {"hit", "stand"}, "nothing left to insure with"
    refused_bets("casino", [12], chips=10)


@pytest.mark.parametrize(
    ("name", "cards", "bet"),
    [("casino", "8 A 8 9", 10), ("banker", "8 A 8 9", 10), ("boxes", "8 A 8 9", 10), ("lounge", "8 8 A 9", 1000)],
)
def test_GE_12_GE_13_a_round_without_any_answer_is_played_to_its_end(name: str, cards: str, bet: int) -> None:
    round = begin(seated(name), cards, [bet])
    while round.ask is not None:
        assert len(round.ask.moves) > 1, "GE-12"
        round.decide(round.ask.default_decision())
    assert all(decision.by == "table" for decision in round.decisions)
    assert all(hand.outcome for hand in round.hands)
    assert ranks(round.dealer) == "A 9"


def test_GE_09_the_offered_bets_are_put_into_acting_order() -> None:
    for name in ("casino", "banker", "lounge", "boxes"):
        rules = rules_of(name)
        offered = [Bet(5, 10, 5), Bet(1, 10, 1), Bet(3, 10, 3)]
        assert rules.partition_covered(seated(name, (1, 3, 5)), offered) == (sorted(offered), [])
    boxes = [Bet(1, 10, 7), Bet(3, 10, 2), Bet(1, 10, 1)]
    assert rules_of("boxes").partition_covered(seated("boxes", (1, 3)), boxes) == (boxes[::-1], []), (
        "from box 1 to box 7"
    )


@pytest.mark.parametrize("name", ["banker", "casino", "chinese", "pontoon"])
def test_a_bet_is_checked_when_it_is_offered_whatever_the_others_offer(name: str) -> None:
    table = seated(name, (1, 2), bank=2 if name in ("chinese", "pontoon") else None)
    rules = table.rules
    most = rules.maximum
    for others in ([], [Bet(1, most, 1)]):
        rules.check_seat_bets(table, [Bet(1, most, 1)], others)
        for wrong in ([], [Bet(1, most + rules.bet_unit, 1)], [Bet(3, most, 3)], [Bet(1, most, 2)]):
            with pytest.raises(IllegalBet):
                rules.check_seat_bets(table, wrong, others)


@pytest.mark.parametrize("name", sorted(RULES))
def test_no_chair_is_left_below_zero(name: str) -> None:
    table = seated(name, (1, 2)).after({2: -1})
    assert not table.rules.may_leave(table, 2)
    assert table.rules.may_leave(table.after({2: 0}), 2)
    for amount in (-1, 0, 1):
        with pytest.raises(RuleError):
            move_chips(table, "cash-out", 2, "player-2", amount, leaves=True)
        for op, to in (("cash-out", None), ("transfer", 1)):
            with pytest.raises(RuleError):
                move_chips(table, op, 2, "player-2", amount, to=to)
    assert move_chips(table.after({1: 1}), "transfer", 1, "player-1", 1, to=2).purse[2] == 0


@pytest.mark.parametrize("name", sorted(RULES))
def test_nobody_buys_in_for_nothing(name: str) -> None:
    table = seated(name, (1, 2))
    for amount in (0, -1):
        with pytest.raises(IllegalBet):
            table.rules.buy_in(table, 3, amount)


def test_only_pontoon_deals_for_a_first_banker_and_only_the_lounge_forces_bets() -> None:
    for name in sorted(RULES):
        table = seated(name, (1, 2))
        assert bool(table.rules.bank_candidates(table)) == table.rules.needs_first_bank(table) == (name == "pontoon")
        assert (table.rules.forced_bets(table, [1, 2]) is None) == (name != "lounge")
        assert table.rules.set_first_bank(table, 2).bank == 2
        assert table.rules.waits_for_cut == (name != "pontoon")


def test_in_casino_and_pontoon_a_shoe_serves_several_rounds() -> None:
    assert {name for name in RULES if not RULES[name].one_round} == {"casino", "pontoon"}
    assert {name for name in RULES if RULES[name].burns} == {"pontoon"}


RANGES: list[tuple[Any, ...]] = [
    ("banker", "packs", "1 to 8", 0, 9),
    ("boxes", "packs", "4 to 8", 3, 9),
    ("casino", "packs", "3 to 8", 2, 9),
    ("casino", "insert", "60 to 140, half the shoe less 16", 59, 141),
    ("chinese", "packs", "1 to 2", 0, 3),
    ("chinese", "rotation", "three_rounds, three_wins, fixed", "none"),
    ("chinese", "first_dealer", "1 to 64", 0, 65),
    ("chinese", "direction", "clockwise, anticlockwise", "up"),
    ("lounge", "packs", "6 to 8", 5, 9),
    ("lounge", "gift", "1 to 9000", 0, 9_001),
    ("lounge", "fewest", "1 to 61", 0, 62),
    ("pontoon", "packs", "1", 2),
    ("pontoon", "participants", "2 to 14", 1, 15),
]
OUT_OF_RANGE: list[tuple[str, dict[str, Any], str, str]] = [
    *(
        (name, {option: wrong}, option, expected)
        for name in ("banker", "boxes", "casino")
        for option, wrong, expected in (
            ("minimum", 1, "2 to 500, the maximum"),
            ("minimum", 501, "2 to 500, the maximum"),
            ("maximum", 1, f"2 to {MAX_BET}"),
        )
    ),
    *(
        (name, {"minimum": wrong}, "minimum", f"1 to {most}, the maximum")
        for name, most in (("chinese", 100), ("pontoon", 5))
        for wrong in (0, 101)
    ),
    *(
        (name, {option: wrong}, option, expected)
        for name, option, expected, *all_wrong in RANGES
        for wrong in all_wrong
    ),
    ("casino", {"insert": 63, "packs": 3}, "insert", "60 to 62, half the shoe less 16"),
    ("chinese", {"minimum": 6, "maximum": 5}, "minimum", "1 to 5, the maximum"),
    ("pontoon", {"minimum": 6}, "minimum", "1 to 5, the maximum"),
]


@pytest.mark.parametrize(("name", "options", "where", "expected"), OUT_OF_RANGE)
def test_an_option_out_of_its_range_is_named(
    name: str, options: dict[str, int | str], where: str, expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        rules_of(name, options)
    assert (caught.value.where, caught.value.expected) == (f"options.{where}", expected)
    assert caught.value.what == str(options[where])


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.parametrize("bet", [1, 2, 11, 12, 2**40 - 1, 2**40])
def test_GE_04_a_new_table_has_a_legal_bet(name: str, bet: int) -> None:
    """A log that has a table without one is read as ever."""
    if name == "lounge" or bet < RULES[name].bet_unit:
        return
    rules = rules_of(name, {"minimum": bet, "maximum": bet})
    if bet % rules.bet_unit == 0:
        check_playable(rules)
        return
    with pytest.raises(InputError) as caught:
        check_playable(rules)
    assert (caught.value.where, caught.value.what) == ("options.maximum", str(bet))


@pytest.mark.parametrize(("name", "times"), [("chinese", 3), ("pontoon", 2)])
@pytest.mark.parametrize(
    ("cover", "less", "amounts", "count"),
    [
        (10, 0, {5: 5, 1: 5}, [5, 1]),
        (10, 0, {5: 5, 1: 4, 2: 1}, [5, 1, 2]),
        (10, 1, {5: 5, 1: 5, 2: 4}, [5, 2]),
        (5, 1, {5: 5, 1: 4, 2: 1}, [1]),
        (5, 0, {5: 4, 1: 2, 2: 1}, [5, 2]),
        (1, 1, {5: 1, 1: 1, 2: 1}, []),
        (0, 3, {5: 1}, []),
    ],
)
def test_CH_05_PO_38_bets_count_in_acting_order_within_the_bankers_balance(
    name: str, times: int, cover: int, less: int, amounts: dict[int, int], count: list[int]
) -> None:
    """As many times the sum of those that count as a bet may cost; one that does not fit is skipped, a later one may
    still. `cover` is in bets, less some chips."""
    table = banked(name, {1: 1, 2: 1, 5: 1}, bank=3).after({3: times * cover - less})
    offered = [Bet(seat, amount, seat) for seat, amount in sorted(amounts.items())]
    for order in (offered, offered[::-1]):
        fit, uncovered = table.rules.partition_covered(table, order)
        assert [bet.seat for bet in fit] == count
        assert [bet.seat for bet in uncovered] == [seat for seat in amounts if seat not in count]
        assert sorted([*fit, *uncovered]) == offered
    if len(count) < len(amounts):
        with pytest.raises(IllegalBet):
            table.rules.check_round_bets(table, [Bet(seat, amount, seat) for seat, amount in amounts.items()])
    if count:
        table.rules.check_round_bets(table, fit)


@pytest.mark.parametrize(("name", "times"), [("chinese", 3), ("pontoon", 2)])
def test_CH_05_PO_38_a_bet_beyond_its_owners_balance_takes_no_cover_from_others(name: str, times: int) -> None:
    table = banked(name, {1: 1, 2: 1}, bank=3).after({1: 4 * times - 1, 3: 5 * times})
    assert table.rules.partition_covered(table, bets_of([4, 5])) == (bets_of({2: 5}), bets_of({1: 4}))
    assert table.rules.partition_covered(table, bets_of([3, 2])) == (bets_of([3, 2]), [])


@pytest.mark.parametrize("option", ["is_soft", "bank_hits", "deck", "chairs", "lowest_bet"])
def test_an_option_may_not_hide_what_rules_has(option: str) -> None:
    """A house's own game would count its hands by the option's value instead."""
    names = {"name": "hidden", "__annotations__": {option: int}, option: 3, "__module__": __name__}
    with pytest.raises(InputError, match=f"the option '{option}'") as refused:
        type(Rules)("Hidden", (Rules,), names)
    assert refused.value.where == "class Hidden"
    assert "hidden" not in RULES
