"""chinese, clause by clause. Cards in the order dealt: the dealer's, then every seat's; then again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.hand import UP
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.chinese import Chinese
from fairshoe.engine.table import Table
from fairshoe.engine.view import PUBLIC, view
from fairshoe.errors import IllegalBet, InputError
from fairshoe.protocol.shoe import seal
from tests.hands import Bets, bets_of, go_on, hand_of, legal, nets, ranks, refused, seated, won
from tests.hands_bank import Pack, banked, begin, chips, outcomes, seen, settle, totals

RULES = Chinese()
HOUSE_RULES = {"free_hand": True, "five_dragon_21_triple": True, "twenty_one_double": True}


def play(cards: str, moves: str = "", *, bets: Bets = (10,), bank: int | None = None, **options: Any) -> Round:
    return begin(banked("chinese", bets, bank=bank, **options), cards, bets, moves)


def one(dealer: str, player: str, more: str = "", moves: str = "", **options: Any) -> Round:
    """One player against the dealer: two cards each, then `more`."""
    (d1, d2), (p1, p2) = dealer.split(), player.split()
    return play(f"{d1} {p1} {d2} {p2} {more}", moves, **options)


def net(dealer: str, player: str, more: str = "", moves: str = "", **options: Any) -> int:
    """The player's net in bets."""
    return nets(one(dealer, player, more, moves, **options))[0] // 10


def refused_bets(table: Table, bets: Bets) -> None:
    with pytest.raises(IllegalBet):
        begin(table, "", bets)


# The table.


def test_CH_01_one_pack_for_ten_participants_and_two_for_twenty() -> None:
    assert (RULES.deck, RULES.chairs) == ("french:1", (2, 10))
    two = rules_of("chinese", {"packs": 2})
    assert (two.deck, two.chairs) == ("french:2", (2, 20))
    assert (10 * 5 <= 52, 20 * 5 <= 104) == (True, True), "five cards each never exhaust the stock"
    for wrong in (0, 3):
        with pytest.raises(InputError):
            rules_of("chinese", {"packs": wrong})
    refused_bets(banked("chinese", [1] * 10, chips=10_000), [1] * 10)
    assert begin(banked("chinese", [1] * 9, chips=10_000), " ".join(["T"] * 20), [1] * 9).ask
    assert begin(banked("chinese", [1] * 19, chips=10_000, packs=2), " ".join(["T"] * 40), [1] * 19).ask


def test_CH_02_two_participants_at_least_one_of_them_the_dealer() -> None:
    assert one("T 7", "T 8", "", "stand reveal@1").over
    refused_bets(banked("chinese", [10]), [])
    refused_bets(banked("chinese", [10]), {2: 10})
    refused_bets(seated("chinese", [1, 2]), {1: 10})


def rounds(table: Table, results: Iterable[str]) -> list[int]:
    """Who deals before each of these rounds, and after them: L the dealer loses, W wins, D draws, V void."""
    cards = {"L": ("T 7", "T 8"), "W": ("T 8", "T 7"), "D": ("T 8", "T 8"), "V": ("T 5", "T 8")}
    dealers = []
    for result in results:
        table = settle(table).result.table
        dealers.append(table.bank)
        (d1, d2), (p1, p2) = (pair.split() for pair in cards[result])
        seats = table.rules.acting_order(table)
        order = " ".join([d1, *[p1] * len(seats), d2, *[p2] * len(seats)])
        round = begin(table, order, dict.fromkeys(seats, 10))
        while round.ask is not None:
            if result == "V" and round.ask.actor == table.bank:
                round.decide(Decision(table.bank, "stop"))
            else:
                round.decide(round.ask.by_default())
        table = round.close()
    return [*dealers, settle(table).result.table.bank]


def test_CH_03_the_dealer_rotates_after_three_completed_rounds() -> None:
    table = seated("chinese", [1, 3, 4])
    assert settle(table).result[1:] == ("rotation", 0)
    assert rounds(table, "LWDLWDLLLL") == [1, 1, 1, 3, 3, 3, 4, 4, 4, 1, 1]
    assert rounds(seated("chinese", [1, 3, 4], direction="anticlockwise"), "LLLLLLL") == [1, 1, 1, 4, 4, 4, 3, 3]


def test_CH_03_or_after_three_won_rounds_or_never() -> None:
    assert rounds(seated("chinese", [1, 2], rotation="three_wins"), "WLDWLWL") == [1, 1, 1, 1, 1, 1, 2, 2]
    assert rounds(seated("chinese", [1, 2], rotation="fixed"), "LWLWLWLW") == [1] * 9
    with pytest.raises(InputError):
        rules_of("chinese", {"rotation": "sometimes"})


def test_CH_03_a_void_round_counts_for_neither() -> None:
    assert rounds(seated("chinese", [1, 2], free_hand=True), "LLVVLL") == [1, 1, 1, 1, 1, 2, 2]
    assert rounds(seated("chinese", [1, 2], free_hand=True, rotation="three_wins"), "WWVWW") == [1, 1, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("first", "direction", "dealer"),
    [(1, "clockwise", 2), (4, "clockwise", 4), (5, "clockwise", 7), (5, "anticlockwise", 4), (9, "clockwise", 2)],
)
def test_CH_03_the_first_dealer_is_chair_1_or_the_one_named_or_the_next(
    first: int, direction: str, dealer: int
) -> None:
    table = seated("chinese", [2, 4, 7], first_dealer=first, direction=direction)
    result = settle(table).result
    assert (result.table.bank, result.why) == (dealer, "rotation")
    again = settle(result.table)
    assert (again.ask, again.result.why, again.result.table.bank) == (None, "", dealer)


def test_CH_03_the_next_chair_deals_when_the_dealer_has_left() -> None:
    table = seated("chinese", [1, 3, 4]).after({}, bank=2, memory={"held": 1})
    result = settle(table).result
    assert (result.table.bank, result.table.memory["held"]) == (3, 0)


def test_CH_04_house_rules_are_switches_that_are_off() -> None:
    switches = ("free_hand", "five_dragon_21_triple", "twenty_one_double")
    assert [RULES.options[name] for name in switches] == [False, False, False]
    assert net("A A", "7 8") == -3
    assert net("T 7", "2 3", "4 5 7") == 2
    assert net("T 7", "5 6", "T", "reveal@1") == 1
    assert legal(one("T 5", "T 8")) == {"hit", "stand"}, "15 is no free hand"


def test_CH_05_bets_need_three_times_their_cover_on_both_sides() -> None:
    assert begin(banked("chinese", [10], chips={1: 30, 2: 30}), "T T 7 8", {1: 10}).ask
    refused_bets(banked("chinese", [10], chips={1: 29, 2: 30}), {1: 10})
    refused_bets(banked("chinese", [10], chips={1: 30, 2: 29}), {1: 10})
    two = banked("chinese", [10, 10], chips={1: 100, 2: 100, 3: 60})
    assert begin(two, "T T T 7 8 8", {1: 10, 2: 10}).ask
    refused_bets(two, {1: 10, 2: 11})
    refused_bets(two, {1: 0})
    refused_bets(two, {1: 101})


def test_CH_05_bets_are_taken_in_seat_order() -> None:
    table = banked("chinese", {1: 10, 2: 10, 4: 10}, bank=3)
    assert RULES.acting_order(table) == [4, 1, 2]
    assert begin(table, "T T T T 7 8 8 8", {4: 10, 1: 10, 2: 10}).ask
    refused_bets(table, {1: 10, 4: 10})


def test_CH_05_a_dealer_who_cannot_cover_the_minimum_bet_is_passed_over() -> None:
    table = seated("chinese", [1, 2, 3], chips={1: 29, 2: 30, 3: 100}, minimum=10)
    assert settle(table).result.table.bank == 2
    assert settle(table.after({2: 29}, bank=2)).result.table.bank == 3
    nobody = table.after({2: 29, 3: 29}, bank=2)
    assert settle(nobody).result == (nobody, "", 0)
    refused_bets(table.after({2: 29, 3: 29}), {1: 10})


def test_CH_06_the_participant_on_the_dealers_right_cuts() -> None:
    assert RULES.cut_range() == (1, 51)
    assert rules_of("chinese", {"packs": 2}).cut_range() == (1, 103)
    assert RULES.cutter(banked("chinese", {1: 1, 2: 1, 5: 1}, bank=3), 1) == 2
    assert RULES.cutter(banked("chinese", {1: 1, 2: 1, 5: 1}, bank=1), 7) == 5
    turned = rules_of("chinese", {"direction": "anticlockwise"})
    assert turned.cutter(banked("chinese", {1: 1, 2: 1, 5: 1}, bank=3, direction="anticlockwise"), 1) == 5


def test_CH_07_later_draws_continue_along_the_cut() -> None:
    plain = seal(key=bytes(32), shoe="t/1", deck=french(1)).order()
    shoe = seal(key=bytes(32), shoe="t/1", deck=french(1), cut=50)
    round = Round(banked("chinese", [10]), ShoeCards(shoe), bets_of([10]))
    while round.ask is not None:
        round.decide(Decision(1, "hit") if round.ask.actor == 1 else round.ask.by_default())
    assert len(round.cards) > 4
    assert round.cards == (plain[50:] + plain[:50])[: len(round.cards)]


def test_CH_08_two_circuits_of_one_card_from_the_dealer_himself() -> None:
    round = play("T 9 8 | 7 8 9", bets=[10, 10])
    assert [ranks(hand) for hand in (round.dealer, *round.hands)] == ["T 7", "9 8", "8 9"]


def test_CH_08_the_direction_is_an_option() -> None:
    bets = {1: 10, 4: 10, 5: 10}
    table = banked("chinese", bets, bank=2, direction="anticlockwise")
    assert table.rules.acting_order(table) == [1, 5, 4]
    round = begin(table, "T 9 8 7 | 7 8 9 T", {1: 10, 5: 10, 4: 10})
    assert [(hand.seat, ranks(hand)) for hand in round.hands] == [(1, "9 8"), (5, "8 9"), (4, "7 T")]
    refused_bets(table, {1: 10, 4: 10, 5: 10})
    with pytest.raises(InputError):
        rules_of("chinese", {"direction": "up"})


def test_CH_09_everything_lies_face_down_also_hits_and_busts() -> None:
    round = play("T 9 T | 7 8 6 | 5", "stand", bets=[10, 10])
    assert seen(round, PUBLIC) == [[None, None], [None, None], [None, None]]
    assert seen(round, 2) == [[None, None], ["T", "6"], [None, None]]
    assert totals(round, 2) == [None, 16, None]
    bust = play("T T 9 | 7 6 8 | K", "hit", bets=[10, 10])
    assert seen(bust, PUBLIC)[0] == [None, None, None], "only the number of cards"
    assert totals(bust, PUBLIC)[0] is None
    shown = view(bust, PUBLIC)
    assert "outcome" not in shown["hands"][0]
    assert shown["chips"]["1"] == 990
    assert seen(bust, 1)[0] == ["T", "6", "K"]


@pytest.mark.parametrize(("card", "value"), [("K", 10), ("Q", 10), ("J", 10), ("T", 10), ("9", 9), ("5", 5), ("2", 2)])
def test_CH_10_pictures_count_10_and_the_rest_their_face(card: str, value: int) -> None:
    assert RULES.total(hand_of(f"{card} 3")) == value + 3


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("A A", 21),
        ("A K", 21),
        ("A 9", 20),
        ("A 5", 16),
        ("A 2 T", 13),
        ("A A 9", 20),
        ("A 5 5", 20),
        ("A 9 T", 20),
        ("A A A", 21),
        ("A A T", 21),
        ("A 2 3 4", 10),
        ("A A A A", 4),
        ("A 9 T A", 21),
        ("A T T A", 22),
        ("T 6 T", 26),
        ("A T T", 21),
    ],
)
def test_CH_11_every_ace_for_itself_and_less_with_more_cards(cards: str, total: int) -> None:
    assert RULES.total(hand_of(cards)) == total


# The check.


def test_CH_12_specials_of_both_sides_are_exposed_at_once() -> None:
    round = play("A T A | K 8 K", bets=[10, 10])
    assert round.over
    assert seen(round, PUBLIC) == [["T", "8"], ["A", "K"], ["A", "K"]]
    round = play("T A T | 8 K 8", bets=[10, 10])
    assert seen(round, PUBLIC) == [["A", "K"], [None, None], [None, None]]
    assert (chips(round, [1, 2, 3]), outcomes(round)) == ([20, -10, -20], ["ban-nag", ""]), "before anybody acts"


def test_CH_13_player_ban_ban_wins_triple() -> None:
    assert (net("A K", "A A"), net("T 8", "A A"), net("A A", "A A")) == (3, 3, 0)
    assert won(one("T 8", "A A"), 2) == -30


def test_CH_14_dealer_ban_ban_wins_triple_from_everybody_else() -> None:
    assert (net("A A", "T 8"), net("A A", "A K"), net("A A", "T 5"), net("A A", "A A")) == (-3, -3, -3, 0)


def test_CH_15_player_ban_nag_wins_double() -> None:
    assert (net("T 8", "A K"), net("T 5", "T A"), net("A A", "A K"), net("A J", "A K")) == (2, 2, -3, 0)
    assert [net("T 8", f"A {card}") for card in ("T", "J", "Q", "K")] == [2] * 4
    assert legal(one("T 8", "A 9")) == {"hit", "stand"}


def test_CH_16_dealer_ban_nag_wins_double() -> None:
    assert (net("A K", "T 8"), net("A K", "A A"), net("A K", "A Q"), net("K A", "7 8")) == (-2, 3, 0, -2)


def test_CH_17_a_dealers_special_ends_the_round_for_everybody() -> None:
    round = play("A 2 T A A | K 3 8 A K", bets=[10, 10, 10, 10])
    assert (round.over, round.decisions, nets(round)) == (True, [], [-20, -20, 30, 0])
    assert len(round.cards) == 10, "nobody draws"


def test_CH_18_a_players_special_settles_only_that_player() -> None:
    round = play("T A T | 8 K 9", "stand reveal@2", bets=[10, 10])
    assert (nets(round), outcomes(round)) == ([20, 10], ["ban-nag", "win"])


def test_CH_19_a_free_hand_is_a_house_rule() -> None:
    assert legal(one("T 8", "T 5", free_hand=True)) == {"continue", "stop"}
    standard = one("T 8", "T 5", "3", "stand reveal@1")
    assert (ranks(standard.hands[0]), nets(standard)) == ("T 5 3", [0]), "15 must draw like any other"
    assert net("T 5", "A A") == 3, "and is no escape"
    assert net("A A", "T 5") == -3


@pytest.mark.parametrize(
    ("cards", "free"),
    [
        ("5 T", True),
        ("K 5", True),
        ("6 9", True),
        ("7 8", True),
        ("A 4", True),
        ("A 5", True),
        ("A 6", False),
        ("A 3", False),
        ("7 7", False),
        ("T 6", False),
        ("T 4", False),
        ("8 8", False),
    ],
)
def test_CH_20_which_hands_are_fifteen(cards: str, free: bool) -> None:
    first, second = cards.split()
    pack = Pack(f"T {first} 8 {second} 6 6 6")
    assert ("continue" in legal(Round(banked("chinese", [10], free_hand=True), pack, bets_of([10])))) == free


def test_CH_20_ace_and_five_still_counts_16_for_standing() -> None:
    assert legal(one("T 8", "A 5", "", "continue", free_hand=True)) == {"hit", "stand"}


def test_CH_21_a_player_decides_before_any_draw_in_seat_order() -> None:
    round = play("T 7 T A | 8 8 9 5", "", bets=[10, 10, 10], free_hand=True)
    assert round.ask
    assert (round.ask.actor, round.ask.by_default().move) == (1, "continue")
    go_on(round, "stop")
    assert round.ask.actor == 3
    assert (chips(round, [1]), outcomes(round), seen(round, PUBLIC)[0]) == ([0], ["free hand", "", ""], ["7", "8"])
    go_on(round, "stop")
    assert round.ask.actor == 2, "only they leave"
    assert nets(go_on(round, "stand reveal@2")) == [0, 10, 0]


def test_CH_21_who_continues_plays_on() -> None:
    assert net("T 8", "T 5", "4", "continue stand reveal@1", free_hand=True) == 1


def test_CH_22_a_free_hand_escapes_a_special_without_a_decision_in_both_directions() -> None:
    for dealer in ("A A", "A K"):
        round = one(dealer, "7 8", free_hand=True)
        assert (nets(round), outcomes(round), round.decisions) == ([0], ["escape"], [])
        assert seen(round, PUBLIC)[0] == ["7", "8"], "the escaping hand is exposed"
    for player in ("A A", "A K"):
        round = one("7 8", player, free_hand=True)
        assert (nets(round), outcomes(round), round.decisions) == ([0], ["escape"], [])
        assert seen(round, PUBLIC)[1] == ["7", "8"]
    assert net("A K", "A A", free_hand=True) == 3
    assert net("T 8", "A K", free_hand=True) == 2


def test_CH_22_the_dealers_escape_is_from_the_special_alone() -> None:
    round = play("T A T | 5 K 8", bets=[10, 10], free_hand=True)
    assert (outcomes(round), seen(round, PUBLIC)[2]) == (["escape", ""], ["T", "5"])
    assert round.ask
    assert round.ask.actor == 3, "he decides for the others"
    assert nets(go_on(round, "stop")) == [0, 0]


def test_CH_23_of_two_free_hands_the_players_decide_first_the_dealer_last() -> None:
    round = one("T 5", "7 8", free_hand=True)
    actors = []
    for _ in range(2):
        assert round.ask
        actors.append(round.ask.actor)
        go_on_open(round, "continue")
    assert actors == [1, 2]
    round = one("T 5", "7 8", "", "stop", free_hand=True)
    assert (round.over, nets(round)) == (True, [0]), "nobody is left to ask the dealer about"


def go_on_open(round: Round, word: str) -> None:
    """Decide although no further card is on the pack."""
    assert round.ask
    round._source._rest.extend(["9s", "2s", "9h", "2h"])  # type: ignore[attr-defined]
    round.decide(Decision(round.ask.actor, word))


def test_CH_24_a_dealer_who_does_not_continue_voids_the_round() -> None:
    round = play("T T A | 5 8 K", bets=[10, 10], free_hand=True)
    assert outcomes(round) == ["", "escape"]
    go_on(round, "stop")
    assert (nets(round), outcomes(round)) == ([0, 0], ["void", "escape"])
    assert seen(round, PUBLIC) == [[None, None], ["A", "K"], ["T", "5"]], "the others' cards stay their own"
    assert won(round, 3) == 0


def test_CH_24_a_dealer_who_continues_plays_by_his_total() -> None:
    round = one("T 5", "T 8", "4", "continue stand reveal@1", free_hand=True)
    assert ranks(round.dealer) == "T 5 4", "15 must hit"
    round = one("A 5", "T 8", "", "continue stand", free_hand=True)
    assert legal(round) == {"reveal", "hit"}, "16 may reveal"


# The players.


def test_CH_25_each_player_in_turn_from_the_dealers_left() -> None:
    round = play("T T T T | 8 7 8 9", bets={3: 10, 4: 10, 1: 10}, bank=2)
    actors = []
    for _ in range(3):
        assert round.ask
        actors.append(round.ask.actor)
        go_on(round, "stand")
    assert actors == [3, 4, 1]


def test_CH_26_more_than_one_card_until_he_stands_has_21_busts_or_has_five() -> None:
    assert ranks(one("T 8", "2 3", "4 8 A", "hit").hands[0]) == "2 3 4 8 A"
    assert ranks(one("T 8", "9 8", "4", "hit reveal@1").hands[0]) == "9 8 4", "21 stands"
    assert ranks(one("T 8", "9 8", "9", "hit reveal@1").hands[0]) == "9 8 9", "a bust ends the turn"


def test_CH_27_below_16_he_must_hit() -> None:
    round = one("T 8", "2 3", "T 2", "stand reveal@1")
    assert (ranks(round.hands[0]), len(round.decisions)) == ("2 3 T 2", 2), "no decision below 16"
    assert nets(round) == [-10]


@pytest.mark.parametrize("cards", ["T 6", "T 7", "T 8", "T 9", "T T", "A 9", "A 5"])
def test_CH_28_from_16_to_20_hit_or_stand(cards: str) -> None:
    round = one("T 8", cards)
    assert legal(round) == {"hit", "stand"}
    refused(round, "reveal@1")
    refused(round, Decision(2, "stand"))


def test_CH_28_also_with_three_or_four_cards() -> None:
    assert legal(one("T 8", "2 3", "T A")) == {"hit", "stand"}
    assert legal(one("T 8", "2 T", "5")) == {"hit", "stand"}


def test_CH_29_21_stands_by_itself() -> None:
    round = one("T 8", "5 6", "T")
    assert round.ask
    assert round.ask.actor == 2
    assert nets(go_on(round, "reveal@1")) == [10]


def test_CH_30_five_cards_collect_double_at_once() -> None:
    round = play("T 2 T | 8 3 9 | 4 5 6", bets=[10, 10])
    assert (chips(round, [1, 3]), outcomes(round)) == ([20, -20], ["5-dragon", ""])
    assert seen(round, PUBLIC)[0] == ["2", "3", "4", "5", "6"], "exposed"
    assert nets(go_on(round, "stand reveal@2")) == [20, 10]
    assert net("T 8", "2 3", "4 9 9", "hit reveal@1") == -1, "27 in five cards is a bust"


def test_CH_30_final_whatever_the_dealer_gets() -> None:
    round = play("2 2 T | 3 3 9 | 4 5 6 | 4 5 6", "stand", bets=[10, 10])
    assert (ranks(round.dealer), nets(round)) == ("2 3 4 5 6", [20, -20])


def test_CH_31_five_cards_of_21_triple_as_a_house_rule() -> None:
    assert net("T 8", "2 3", "4 5 7") == 2
    assert net("T 8", "2 3", "4 5 7", five_dragon_21_triple=True) == 3
    assert net("T 8", "2 3", "4 5 6", five_dragon_21_triple=True) == 2


def test_CH_32_a_bust_is_concealed_and_unsettled() -> None:
    round = play("T T T | 8 6 9 | T", "hit", bets=[10, 10])
    assert (outcomes(round), chips(round, [1, 3])) == (["", ""], [-10, 0])
    assert seen(round, PUBLIC)[0] == [None, None, None]
    go_on(round, "stand reveal@2")
    assert outcomes(round) == ["", "win"]
    go_on(round, "reveal@1")
    assert (nets(round), outcomes(round)) == ([-10, 10], ["bust", "win"])


# The dealer.


def test_CH_33_the_dealer_acts_last_with_his_cards_up_and_may_hit_more_than_once() -> None:
    round = one("T 6", "T 8", "A A 3")
    assert seen(round, PUBLIC)[1] == [None, None]
    go_on(round, "stand")
    assert seen(round, PUBLIC)[1] == ["T", "6"]
    go_on(round, "hit hit")
    assert (seen(round, PUBLIC)[1], round.dealer.faces) == (["T", "6", "A", "A"], [UP] * 4)
    assert totals(round, PUBLIC) == [None, 18]


def test_CH_33_no_turn_if_nobody_is_unsettled() -> None:
    round = one("2 3", "A K")
    assert (round.over, len(round.cards)) == (True, 4)
    assert one("2 3", "2 3", "4 5 6").over


def test_CH_34_below_16_he_must_hit_and_may_not_reveal() -> None:
    round = one("2 3", "T 8", "T 2", "stand")
    assert (ranks(round.dealer), legal(round)) == ("2 3 T 2", {"reveal", "hit"})


@pytest.mark.parametrize("cards", ["T 6", "T 7", "T 8", "T 9", "T T", "A 9"])
def test_CH_35_from_16_to_20_reveal_some_or_hit(cards: str) -> None:
    bets = [10, 10, 10]
    d1, d2 = cards.split()
    round = play(f"{d1} T T T {d2} 8 8 8", "stand stand stand", bets=bets)
    assert legal(round) == {"reveal", "hit"}
    assert round.ask
    assert round.ask.default.among == (1, 2, 3)
    assert round.ask.by_default().chosen == (1, 2, 3), "the time limit reveals everybody"
    for wrong in ("reveal", "reveal@4", "reveal@1,1", "reveal@2,1", "stand", "reveal@1,5"):
        refused(round, wrong)
    for some in ("reveal@1", "reveal@1,3", "reveal@2,3", "reveal@1,2,3"):
        again = play(f"{d1} T T T {d2} 8 8 8", f"stand stand stand {some}", bets=bets)
        assert again.over == (some == "reveal@1,2,3")


def test_CH_35_reveals_and_hits_alternate_and_no_hit_must_follow() -> None:
    round = play("T T T T | 6 7 6 9 | A 3", "stand stand stand reveal@1 hit reveal@2", bets=[10, 10, 10])
    assert outcomes(round) == ["win", "lose", ""]
    refused(round, "reveal@1")
    assert nets(go_on(round, "hit reveal@3")) == [10, -10, -10]
    assert net("T 6", "T 8", "", "stand reveal@1") == 1, "ending on 16"


def test_CH_36_with_21_everybody_is_revealed() -> None:
    round = play("T T T | 6 7 6 | 5 5", "stand hit hit", bets=[10, 10])
    assert (ranks(round.dealer), nets(round), outcomes(round)) == ("T 6 5", [-10, 0], ["lose", "push"])


def test_CH_36_a_21_of_five_cards_is_a_dragon_alone() -> None:
    round = one("2 3", "T 8", "4 5 7", "stand", twenty_one_double=True)
    assert nets(round) == [-20]
    assert net("2 3", "T 8", "4 5 7", "stand", twenty_one_double=True, five_dragon_21_triple=True) == -3
    assert net("T 8", "2 3", "4 5 7", twenty_one_double=True) == 2


def test_CH_37_over_21_the_dealer_busts() -> None:
    assert net("T 6", "T 8", "T", "stand hit") == 1


def test_CH_38_a_dealers_dragon_wins_double_from_every_unsettled_player() -> None:
    bets = [10, 10, 10, 10]
    cards = "2 T 5 T T | 3 6 6 8 9 | T | T | 4 5 6"
    round = play(cards, "hit stand stand", bets=bets)
    assert [ranks(hand) for hand in round.hands] == ["T 6 T", "5 6 T", "T 8", "T 9"]
    assert nets(round) == [-20, -20, -20, -20], "a bust and 21 too"
    settled = play("T T 9 | 6 7 8 | A A A", "stand stand reveal@1 hit hit hit", bets=[10, 10])
    assert (ranks(settled.dealer), nets(settled)) == ("T 6 A A A", [10, -20]), "who is settled is untouched"
    assert net("2 3", "T 8", "4 6 9", "stand") == 1, "24 in five cards is a bust"


def test_CH_39_a_dealers_dragon_of_21_wins_triple_as_a_house_rule() -> None:
    assert net("2 3", "T 8", "4 5 7", "stand") == -2
    assert net("2 3", "T 8", "4 5 7", "stand", five_dragon_21_triple=True) == -3
    assert net("2 3", "T 8", "4 5 6", "stand", five_dragon_21_triple=True) == -2


def test_CH_40_a_revealed_hand_is_settled_for_good() -> None:
    round = play("T T T | 7 8 9 | 4", "stand stand reveal@1 hit", bets=[10, 10])
    assert (ranks(round.dealer), nets(round)) == ("T 7 4", [10, -10])
    assert seen(round, PUBLIC)[0] == ["T", "8"]
    bust = play("T T T | 7 8 9 | T", "stand stand reveal@1 hit", bets=[10, 10])
    assert nets(bust) == [10, 10]


def test_CH_41_a_bust_or_lower_total_loses() -> None:
    assert net("T 8", "T 7", "", "stand reveal@1") == -1
    assert net("T 8", "T 7", "T", "hit reveal@1") == -1


def test_CH_42_equal_totals_tie_and_a_higher_one_wins() -> None:
    assert net("T 8", "T 8", "", "stand reveal@1") == 0
    assert net("T 8", "5 6", "7", "stand reveal@1") == 0, "the number of cards breaks no tie"
    assert net("T 8", "T 9", "", "stand reveal@1") == 1


def test_CH_43_a_dealers_21_wins_double_as_a_house_rule() -> None:
    assert net("T 6", "T 8", "5", "stand hit") == -1
    assert net("T 6", "T 8", "5", "stand hit", twenty_one_double=True) == -2
    assert net("T 6", "T 8", "T 5", "hit hit", twenty_one_double=True) == -2, "from a busted player too"
    assert net("T 6", "T 8", "4", "stand hit reveal@1", twenty_one_double=True) == -1
    assert net("T 6", "5 6", "T 5", "hit", twenty_one_double=True) == 0


def test_CH_44_a_players_21_wins_double_as_a_house_rule() -> None:
    assert net("T 8", "5 6", "T", "reveal@1") == 1
    assert net("T 8", "5 6", "T", "reveal@1", twenty_one_double=True) == 2
    assert net("T 8", "5 3", "3 T", "reveal@1", twenty_one_double=True) == 2
    assert net("T 8", "T 9", "", "stand reveal@1", twenty_one_double=True) == 1


def test_CH_45_a_bust_dealer_pays_21_double_as_a_house_rule() -> None:
    assert net("T 6", "5 6", "T T", "hit") == 1
    assert net("T 6", "5 6", "T T", "hit", twenty_one_double=True) == 2
    assert net("T 6", "T 8", "T", "stand hit", twenty_one_double=True) == 1


def test_CH_46_a_bust_dealer_pays_every_unsettled_player_who_did_not_bust() -> None:
    round = play("T T T T | 6 6 8 7 | T | T", "hit stand stand reveal@3 hit", bets=[10, 10, 10])
    assert (nets(round), outcomes(round)) == ([0, 10, 10], ["push", "win", "win"])
    assert won(round, 4) == -20


def test_CH_47_every_round_has_a_new_shuffle_and_cut() -> None:
    assert RULES.one_round
    assert RULES.worn(4, 52, {})
    assert RULES.draws() == {"cut": 52}


def test_CH_48_no_split_double_insurance_or_surrender() -> None:
    for cards in ("8 8", "T T", "5 6"):
        round = one("A 9", cards, "5" if cards == "5 6" else "")
        assert legal(round) == {"hit", "stand"}
        for wrong in ("split", "double", "insure:1", "surrender"):
            refused(round, wrong)


@pytest.mark.parametrize("switches", [{}, HOUSE_RULES])
def test_the_settlement_table(switches: dict[str, Any]) -> None:
    on = bool(switches)
    expected = [
        (("A A", "A A"), 0, 0),
        (("T 8", "A A"), 3, 3),
        (("T 5", "A A"), 3, 0),
        (("A K", "A A"), 3, 3),
        (("A K", "A Q"), 0, 0),
        (("A A", "A K"), -3, -3),
        (("T 8", "A K"), 2, 2),
        (("T 5", "A K"), 2, 0),
        (("A A", "T 8"), -3, -3),
        (("A K", "T 8"), -2, -2),
        (("A A", "7 8"), -3, 0),
        (("A K", "7 8"), -2, 0),
        (("T 8", "2 3", "4 5 6"), 2, 2),
        (("T 8", "2 3", "4 5 7"), 2, 3),
        (("2 3", "T 8", "4 5 6", "stand"), -2, -2),
        (("2 3", "T 8", "4 5 7", "stand"), -2, -3),
        (("T 6", "T 8", "T", "stand hit"), 1, 1),
        (("T 6", "T 8", "T T", "hit hit"), 0, 0),
        (("T 6", "5 6", "T T", "hit"), 1, 2),
        (("T 8", "T 7", "", "stand reveal@1"), -1, -1),
        (("T 6", "T 7", "5", "stand hit"), -1, -2),
        (("T 8", "T 8", "", "stand reveal@1"), 0, 0),
        (("T 8", "T 9", "", "stand reveal@1"), 1, 1),
        (("T 8", "5 6", "T", "reveal@1"), 1, 2),
    ]
    for hand, standard, house in expected:
        assert net(*hand, **switches) == (house if on else standard), hand


def test_the_test_vectors() -> None:
    assert net("A K", "A A") == 3
    assert net("A A", "A K") == -3
    assert net("A Q", "A K") == 0
    assert (net("A A", "7 8"), net("A A", "7 8", free_hand=True)) == (-3, 0)
    assert net("T 8", "2 3", "4 5 6") == 2
    must = one("T 8", "A 2", "T 5", "stand reveal@1")
    assert (ranks(must.hands[0]), RULES.total(hand_of("A 2 T"))) == ("A 2 T 5", 13)
    may = one("T 8", "A 9", "T")
    assert legal(may) == {"hit", "stand"}
    assert totals(go_on(may, "hit"), 1)[0] == 20
    assert net("T 6", "T 6", "T 9", "hit hit") == 0
    round = play("T T T | 7 8 Q | 3", "stand stand reveal@1 hit reveal@2", bets=[10, 10])
    assert nets(round) == [10, 0]
