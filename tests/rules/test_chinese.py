"""chinese, clause by clause. Cards in the order dealt: the dealer's, then every seat's; then again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import ShoeCards
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.chinese import Chinese
from fairshoe.engine.table import HOUSE, Bet, Table, move_chips
from fairshoe.engine.view import PUBLIC, view
from fairshoe.errors import IllegalBet, RuleError
from fairshoe.protocol.shoe import seal
from tests.hands import Bets, bets_of, check_hand, every_hand, go_on, hand_of, legal, nets, ranks, refused, seated, won
from tests.hands_bank import banked, begin, chips, outcomes, pack, seen, settle

RULES = Chinese()


def play(cards: str, moves: str = "", *, bets: Bets = (10,), bank: int | None = None, **options: Any) -> Round:
    return begin(banked("chinese", bets, bank=bank, **options), cards, bets, moves)


def one(dealer: str, player: str, more: str = "", moves: str = "", **options: Any) -> Round:
    """One player against the dealer: two cards each, then `more`."""
    (d1, d2), (p1, p2) = dealer.split(), player.split()
    return play(f"{d1} {p1} {d2} {p2} {more}", moves, **options)


def net(dealer: str, player: str, more: str = "", moves: str = "", **options: Any) -> int:
    """The player's net in bets."""
    return nets(one(dealer, player, more, moves, **options))[0] // 10


def refused_bets(table: Table, bets: Bets, expected: str) -> None:
    """No round is opened with these bets, for this reason."""
    with pytest.raises(IllegalBet) as refusal:
        begin(table, "", bets)
    assert expected in refusal.value.expected


COVER = "3 times the bet"


def turn(player: str, more: str = "", moves: str = "", *, dealer: str = "T 8", **options: Any) -> Round:
    """Seat 1's turn with these two cards and `more`, some moves later; cards that are not reached lie behind."""
    (d1, d2), (p1, p2) = dealer.split(), player.split()
    table = banked("chinese", [10], **options)
    return begin(table, f"{d1} {p1} {d2} {p2} {more} 9 9 9", [10], moves)


def asked(round: Round) -> tuple[int, set[str], str]:
    """Who is asked, what is legal, and what the table would do."""
    assert round.ask
    assert round.ask.default_decision().by == "table"
    return round.ask.actor, legal(round), round.ask.default_decision().move


@pytest.mark.parametrize(("packs", "participants"), [(1, 10), (2, 20)])
def test_CH_01_one_pack_for_ten_participants_and_two_for_twenty(packs: int, participants: int) -> None:
    rules = rules_of("chinese", {"packs": packs})
    assert (rules.deck, rules.cards, rules.chairs) == (f"french:{packs}", 52 * packs, (2, participants))
    full = [1] * (participants - 1)
    table = banked("chinese", full, packs=packs)
    assert begin(table, " ".join(["T"] * 2 * participants), full).ask
    more = [1] * participants
    refused_bets(banked("chinese", more, packs=packs), more, f"at most {participants - 1}")
    assert move_chips(seated("chinese", [1], packs=packs), "buy-in", participants, "p", 9).players[participants] == "p"
    with pytest.raises(RuleError):
        move_chips(seated("chinese", [1], packs=packs), "buy-in", participants + 1, "p", 9)


def test_CH_02_two_participants_at_least_one_of_them_the_dealer() -> None:
    assert one("T 7", "T 8", "", "stand reveal@1").is_over
    refused_bets(banked("chinese", [10]), [], "at least one")
    refused_bets(banked("chinese", [10]), {2: 10}, "acting order")
    refused_bets(seated("chinese", [1, 2]), {1: 10}, "a dealer")


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
            if result == "V" and round.ask.actor == table.bank:  # who has 15 points
                round.decide(Decision(table.bank, "stop"))
            else:
                round.decide(round.ask.default_decision())
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


def left(table: Table, seat: int) -> Table:
    """The table after this seat cashed out and left."""
    return move_chips(table, "cash-out", seat, table.players[seat], table.purse[seat], leaves=True)


@pytest.mark.parametrize(("direction", "dealer"), [("clockwise", 5), ("anticlockwise", 1)])
def test_CH_03_when_the_dealer_leaves_the_next_chair_deals(direction: str, dealer: int) -> None:
    table = seated("chinese", [1, 3, 5, 6], direction=direction).after({}, bank=3, memory={"held": 1})
    gone = left(table, 3)
    assert (gone.bank, sorted(gone.players), 3 in gone.purse) == (HOUSE, [1, 5, 6], False)
    for seats in (gone, move_chips(gone, "buy-in", 3, "newcomer", 1000), move_chips(gone, "buy-in", 4, "other", 1)):
        result = settle(seats).result
        assert (result.table.bank, result.why, dict(result.table.memory)) == (dealer, "rotation", {"held": 0})
    with pytest.raises(IllegalBet):
        begin(gone, "", {1: 10})


def test_CH_03_who_takes_the_chair_of_a_dealer_who_left_comes_last() -> None:
    table = seated("chinese", [1, 3], chips={1: 2, 3: 9}).after({}, bank=3)
    alone = left(table, 3)
    assert settle(alone).result == (alone, "", 0), "nobody can cover"
    again = move_chips(alone, "buy-in", 3, "newcomer", 1000)
    assert settle(again).result.table.bank == 3
    assert settle(move_chips(again, "buy-in", 1, "player-1", 1)).result.table.bank == 1


def test_CH_03_a_player_who_leaves_moves_no_bank() -> None:
    table = seated("chinese", [1, 3, 5], rotation="fixed").after({}, bank=3, memory={"held": 1})
    gone = left(table, 5)
    assert (gone.bank, dict(gone.memory), sorted(gone.players)) == (3, {"held": 1}, [1, 3])
    assert settle(gone).result == (gone, "", 0)
    assert settle(left(gone, 3)).result.table.bank == 1, "a fixed dealer can leave too"


def test_CH_04_house_rules_are_switches_that_are_off() -> None:
    switches = ("free_hand", "five_dragon_21_triple", "twenty_one_double")
    assert [RULES.options[name] for name in switches] == [False, False, False]


def test_CH_05_whoever_loses_three_times_the_bet_has_it() -> None:
    assert begin(banked("chinese", [10], chips={1: 30, 2: 30}), "A 8 A 9", {1: 10}).purse == {1: 0, 2: 60}
    assert begin(banked("chinese", [10], chips={1: 30, 2: 30}), "8 A 9 A", {1: 10}).purse == {1: 60, 2: 0}


def test_CH_05_a_round_has_its_bets_in_seat_order() -> None:
    table = banked("chinese", {1: 10, 2: 10, 4: 10}, bank=3)
    assert RULES.acting_order(table) == [4, 1, 2]
    assert begin(table, "T T T T 7 8 8 8", {4: 10, 1: 10, 2: 10}).ask
    refused_bets(table, {1: 10, 4: 10}, "acting order")
    refused_bets(table, [Bet(4, 10, 4), Bet(4, 10, 4)], "acting order")
    refused_bets(table, {4: 10, 5: 10}, "acting order")


def covered(table: Table, *offered: tuple[int, int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The bets that count and those without cover, as (seat, amount)."""
    fit, uncovered = table.rules.partition_covered(table, [Bet(seat, amount, seat) for seat, amount in offered])
    if fit:
        begin(table, " ".join(["T"] * 2 * (len(fit) + 1)), fit)
    return [bet[:2] for bet in fit], [bet[:2] for bet in uncovered]


def test_CH_05_bets_count_in_the_direction_of_the_deal() -> None:
    purses = {1: 99, 2: 99, 3: 60, 4: 99}
    for direction, fit, left in (
        ("clockwise", [(4, 10), (1, 10)], [(2, 10)]),
        ("anticlockwise", [(2, 10), (1, 10)], [(4, 10)]),
    ):
        table = banked("chinese", {1: 10, 2: 10, 4: 10}, bank=3, chips=purses, direction=direction)
        assert covered(table, (4, 10), (1, 10), (2, 10)) == (fit, left)


def test_CH_05_a_dealer_does_not_bet_and_without_one_nothing_counts() -> None:
    table = banked("chinese", {1: 1, 2: 1})
    with pytest.raises(IllegalBet):
        covered(table, (1, 10), (3, 10))
    gone = left(table, 3)
    assert covered(gone, (1, 10), (2, 10)) == ([], [(1, 10), (2, 10)])


def test_CH_05_a_dealer_who_cannot_cover_the_minimum_bet_is_passed_over() -> None:
    table = seated("chinese", [1, 2, 3], chips={1: 29, 2: 30, 3: 100}, minimum=10)
    assert [RULES_OF_TEN.can_bank(table, chair) for chair in (1, 2, 3, 4)] == [False, True, True, False]
    assert settle(table).result.table.bank == 2
    assert settle(table.after({2: 29}, bank=2)).result.table.bank == 3
    assert settle(table.after({2: 30}, bank=2)).result.why == ""


def test_CH_05_where_no_dealer_can_cover_nobody_is_dealt_until_somebody_buys_in() -> None:
    table = seated("chinese", [1, 2, 3], chips=29, minimum=10).after({}, bank=2, memory={"held": 1})
    assert settle(table).result == (table, "", 0)
    refused_bets(table, {3: 10}, COVER)
    bought = move_chips(table, "buy-in", 1, "player-1", 1)
    assert (settle(bought).result.table.bank, settle(bought).result.why) == (1, "rotation")
    own = move_chips(table, "buy-in", 2, "player-2", 1)
    assert settle(own).result == (own, "", 0), "who can cover again goes on"


RULES_OF_TEN = rules_of("chinese", {"minimum": 10})


def test_CH_06_the_participant_on_the_dealers_right_cuts() -> None:
    assert RULES.cut_range() == (1, 51)
    assert rules_of("chinese", {"packs": 2}).cut_range() == (1, 103)
    assert RULES.cutters(banked("chinese", {1: 1, 2: 1, 5: 1}, bank=3), 0) == [2]
    assert RULES.cutters(banked("chinese", {1: 1, 2: 1, 5: 1}, bank=1), 2) == [5]
    assert RULES.cutters(banked("chinese", {3: 1}, bank=3), 0) == [], "never the dealer"
    turned = rules_of("chinese", {"direction": "anticlockwise"})
    assert turned.cutters(banked("chinese", {1: 1, 2: 1, 5: 1}, bank=3, direction="anticlockwise"), 2) == [5]


def test_CH_07_later_draws_continue_along_the_cut() -> None:
    plain = seal(key=bytes(32), shoe="t/1", deck=french(1)).order()
    shoe = seal(key=bytes(32), shoe="t/1", deck=french(1), cut=50)
    round = Round(banked("chinese", [10]), ShoeCards(shoe), bets_of([10]))
    while round.ask is not None:
        round.decide(
            Decision(1, "hit") if "hit" in legal(round) and round.ask.actor == 1 else round.ask.default_decision()
        )
    assert len(round.cards) > 4
    assert round.cards == (plain[50:] + plain[:50])[: len(round.cards)]


def test_CH_08_two_circuits_from_the_dealer_himself_in_the_direction_of_the_option() -> None:
    bets = {1: 10, 4: 10, 5: 10}
    table = banked("chinese", bets, bank=2, direction="anticlockwise")
    assert table.rules.acting_order(table) == [1, 5, 4]
    round = begin(table, "T 9 8 7 | 7 8 9 T", {1: 10, 5: 10, 4: 10})
    assert [(hand.seat, ranks(hand)) for hand in round.hands] == [(1, "9 8"), (5, "8 9"), (4, "7 T")]
    assert ranks(round.dealer) == "T 7"
    refused_bets(table, {1: 10, 4: 10, 5: 10}, "acting order")


@pytest.mark.parametrize(
    ("player", "more", "moves", "only"),
    [
        ("2 2", "", "", "hit"),
        ("T 5", "", "", "hit"),
        ("A 4", "", "", "hit"),
        ("2 3", "T", "hit", "hit"),
        ("A 2", "T", "hit", "hit"),
        ("2 3", "4 6", "hit hit", "hit"),
        ("9 8", "4", "hit", "stand"),
        ("5 6", "T", "hit", "stand"),
        ("2 3", "T 6", "hit hit", "stand"),
        ("T 6", "6", "hit", "stand"),
        ("T T", "T", "hit", "stand"),
        ("2 3", "T T", "hit hit", "stand"),
        ("A 9", "T T", "hit hit", "stand"),
        ("2 3", "4 9 4", "hit hit hit", "stand"),
    ],
)
def test_CH_09_CH_27_CH_29_CH_32_GE_12_does_not_hold_every_step_waits_for_its_owner(
    player: str, more: str, moves: str, only: str
) -> None:
    """Below 16; at 21; over 21; over 21 with five cards."""
    round = turn(player, more, moves)
    assert asked(round) == (1, {only}, only)
    assert (RULES.total(round.hands[0]) < 16) == (only == "hit")
    cards = len(round.hands[0].cards)
    for wrong in ("hit", "stand", "reveal@1", "continue", "stop"):
        if wrong != only:
            refused(round, wrong)
    refused(round, Decision(2, only))
    assert (len(round.hands[0].cards), outcomes(round), len(round.decisions)) == (cards, [""], cards - 2)
    round.decide(Decision(1, only))
    assert round.decisions[-1] == Decision(1, only), "and is logged"


@pytest.mark.parametrize(
    "hands", [["T 7", "9 9", "A 9"], ["2 3 T 6", "9 7 2 T", "4 5 3 4"], ["T 6 5", "T 6 9", "2 T 7"]]
)
def test_CH_09_whatever_a_hand_holds_the_others_see_the_same(hands: list[str]) -> None:
    """Standing, at 21, bust: with as many cards, every step looks the same to the public, the dealer and the next."""
    shown = []
    for hand in hands:
        first, second, *more = hand.split()
        round = play(f"8 {first} T | 9 {second} 8 | {' '.join(more)}", bets=[10, 10])
        steps = [[view(round, audience) for audience in (PUBLIC, 2, 3)]]
        while round.ask and round.ask.actor == 1:
            go_on(round, "hit" if len(round.hands[0].cards) < len(hand.split()) else "stand")
            steps.append([view(round, audience) for audience in (PUBLIC, 2, 3)])
        assert [decision.actor for decision in round.decisions] == [1] * (len(hand.split()) - 1)
        shown.append(steps)
    assert shown[0] == shown[1] == shown[2]
    assert [step[0]["turn"] for step in shown[0]] == [1] * (len(shown[0]) - 1) + [2]


TOTALS = """A A 21, A K 21, A 9 20, A 5 16, A 2 T 13, A A 9 20, A 5 5 20, A 9 T 20, A A A 21, A A T 21, A 2 3 4 10,
A A A A 4, A 9 T A 21, A T T A 22, T 6 T 26, A T T 21, K 3 13, Q 3 13, J 3 13, 9 3 12, 5 3 8, 2 3 5"""


def test_CH_10_CH_11_every_ace_for_itself_and_less_with_more_cards() -> None:
    for cards, total in (each.rsplit(" ", 1) for each in TOTALS.replace("\n", " ").split(", ")):
        assert RULES.total(hand_of(cards)) == int(total), cards


def test_CH_12_specials_of_both_sides_are_exposed_at_once() -> None:
    round = play("A T A | K 8 K", bets=[10, 10])
    assert round.is_over
    assert seen(round, PUBLIC) == [["T", "8"], ["A", "K"], ["A", "K"]]
    round = play("T A T | 8 K 8", bets=[10, 10])
    assert seen(round, PUBLIC) == [["A", "K"], [None, None], [None, None]]
    assert (chips(round, [1, 2, 3]), outcomes(round)) == ([20, -10, -20], ["ban-nag", ""]), "before anybody acts"


@pytest.mark.parametrize("escape", [True, False])
@pytest.mark.parametrize("free_hand", [True, False])
def test_CH_19_two_switches_each_by_itself(escape: bool, free_hand: bool) -> None:
    options: dict[str, Any] = {"escape": escape, "free_hand": free_hand}
    price = 0 if escape else 1
    assert (net("A A", "T 5", **options), net("A K", "T 5", **options)) == (-3 * price, -2 * price)
    assert (net("T 5", "A A", **options), net("T 5", "A K", **options)) == (3 * price, 2 * price)
    assert legal(turn("T 5", **options)) == ({"continue", "stop"} if free_hand else {"hit"})
    dealer = turn("T 8", dealer="T 5", **options)
    assert asked(dealer)[:2] == ((2, {"continue", "stop"}) if free_hand else (1, {"hit", "stand"}))


@pytest.mark.parametrize("cards", ["5 T", "K 5", "6 9", "7 8", "A 4", "A 5", "A 6", "A 3", "7 7", "T 6", "T 4", "8 8"])
def test_CH_20_which_hands_are_fifteen(cards: str) -> None:
    free = cards in ("5 T", "K 5", "6 9", "7 8", "A 4", "A 5")
    first, second = cards.split()
    stock = pack(f"T {first} 8 {second} 6 6 6")
    assert ("continue" in legal(Round(banked("chinese", [10], free_hand=True), stock, bets_of([10])))) == free
    assert net("A A", cards) == (0 if free else -3)
    assert net(cards, "A K") == (0 if free else 2)


def test_CH_21_a_player_decides_before_any_draw_in_seat_order() -> None:
    round = play("T 7 T A | 8 8 9 5", "", bets=[10, 10, 10], free_hand=True)
    assert round.ask
    assert (round.ask.actor, round.ask.default_decision().move) == (1, "continue")
    go_on(round, "stop")
    assert round.ask.actor == 3
    assert (chips(round, [1]), outcomes(round), seen(round, PUBLIC)[0]) == ([0], ["free hand", "", ""], ["7", "8"])
    go_on(round, "stop")
    assert round.ask.actor == 2, "only they leave"
    assert nets(go_on(round, "stand reveal@2")) == [0, 10, 0]


@pytest.mark.parametrize("special", ["A A", "A K"])
@pytest.mark.parametrize("options", [{}, {"free_hand": True}])
def test_CH_22_15_points_escape_a_special_without_a_decision_in_both_directions(
    special: str, options: dict[str, Any]
) -> None:
    round = one(special, "7 8", **options)
    assert (nets(round), outcomes(round), round.decisions) == ([0], ["escape"], [])
    assert seen(round, PUBLIC) == [["7", "8"], special.split()], "the escaping hand is exposed"
    round = one("7 8", special, **options)
    assert (nets(round), outcomes(round), round.decisions) == ([0], ["escape"], [])
    assert seen(round, PUBLIC) == [special.split(), ["7", "8"]]
    assert (won(round), won(round, 2)) == (0, 0)


def test_CH_22_the_dealers_escape_is_from_the_special_alone() -> None:
    round = play("T A T | 5 K 8 | 4", bets=[10, 10])
    assert (outcomes(round), seen(round, PUBLIC)) == (["escape", ""], [["A", "K"], [None, None], ["T", "5"]])
    assert asked(round)[0] == 2
    assert nets(go_on(round, "stand reveal@2")) == [0, -10], "with the other he plays on"
    free = play("T A T | 5 K 8", bets=[10, 10], free_hand=True)
    assert asked(free)[0] == 3, "he decides for the others"
    assert nets(go_on(free, "stop")) == [0, 0]


def test_CH_24_a_dealer_who_does_not_continue_voids_the_round() -> None:
    round = play("T T A | 5 8 K", bets=[10, 10], free_hand=True)
    assert outcomes(round) == ["", "escape"]
    assert round.ask
    assert (round.ask.actor, round.ask.hand) == (3, -1)
    assert seen(round, PUBLIC)[-1] == ["T", "5"], "his escape has shown them"
    go_on(round, "stop")
    assert (nets(round), outcomes(round)) == ([0, 0], ["void", "escape"])
    assert seen(round, PUBLIC) == [[None, None], ["A", "K"], ["T", "5"]], "the others' cards stay their own"
    round = play("T T 9 | 5 8 8", bets=[10, 10], free_hand=True)
    assert asked(round) == (3, {"continue", "stop"}, "continue")
    assert seen(round, PUBLIC)[-1] == [None, None], "not before he has chosen"
    go_on(round, "stop")
    assert seen(round, PUBLIC) == [[None, None], [None, None], ["T", "5"]]
    assert won(round, 3) == 0


def test_CH_24_the_void_round_leaves_bank_and_memory_and_the_bets_may_stand_or_change() -> None:
    table = banked("chinese", [10, 20, 30], free_hand=True).after({}, memory={"held": 2})
    void = begin(table, "T T A 9 | 5 8 A 9", [10, 20, 30], "stop")
    assert outcomes(void) == ["void", "escape", "void"]
    after = void.close()
    assert (after.bank, dict(after.memory), after.purse) == (4, {"held": 2}, table.purse)
    assert settle(after).result == (after, "", 0), "the same dealer deals again"
    for bets in (void.bets, {1: 15}):
        assert begin(after, "T T T T T T T T", bets).ask


def test_CH_24_only_unsettled_bets_return() -> None:
    table = banked("chinese", [10, 10, 10], free_hand=True, escape=False, chips={1: 30, 2: 30, 3: 30, 4: 90})
    void = begin(table, "T T A 7 | 5 8 K 8", [10, 10, 10], "stop stop")
    assert (nets(void), outcomes(void)) == ([0, 20, 0], ["void", "ban-nag", "free hand"])
    after = void.close()
    assert (after.purse[2], after.purse[4]) == (50, 70)
    assert covered(after, (1, 10), (2, 10), (3, 10)) == ([(1, 10), (2, 10)], [(3, 10)]), "what the dealer still covers"


def test_CH_25_each_player_in_turn_from_the_dealers_left() -> None:
    round = play("T T T T | 8 7 8 9", bets={3: 10, 4: 10, 1: 10}, bank=2)
    actors = []
    for _ in range(3):
        assert round.ask
        actors.append(round.ask.actor)
        go_on(round, "stand")
    assert actors == [3, 4, 1]


@pytest.mark.parametrize(
    ("player", "more", "moves"),
    [
        *((cards, "", "") for cards in ("T 6", "T 7", "T 8", "T 9", "T T", "A 9", "A 5")),
        ("2 T", "5", "hit"),
        ("5 6", "9", "hit"),
        ("2 3", "T A", "hit hit"),
        ("2 3", "T 5", "hit hit"),
    ],
)
def test_CH_20_CH_28_from_16_to_20_hit_or_stand(player: str, more: str, moves: str) -> None:
    """An ace and a five are 15 points for leaving and 16 for standing."""
    round = turn(player, more, moves)
    assert asked(round) == (1, {"hit", "stand"}, "stand")
    refused(round, "reveal@1")
    refused(round, Decision(2, "stand"))


def test_CH_30_five_cards_collect_double_at_once() -> None:
    round = play("T 2 T | 8 3 9 | 4 5 6", "hit hit hit", bets=[10, 10])
    assert asked(round)[0] == 2, "which ends the turn"
    assert (chips(round, [1, 3]), outcomes(round)) == ([20, -20], ["5-dragon", ""])
    assert seen(round, PUBLIC)[0] == ["2", "3", "4", "5", "6"], "exposed"
    assert nets(go_on(round, "stand reveal@2")) == [20, 10]


def test_CH_32_a_bust_is_concealed_and_unsettled() -> None:
    round = play("T T T | 8 6 9 | T", "hit", bets=[10, 10])
    assert asked(round) == (1, {"stand"}, "stand"), "its owner ends the turn"
    refused(round, "hit")
    go_on(round, "stand")
    assert (outcomes(round), chips(round, [1, 3])) == (["", ""], [-10, 0])
    assert seen(round, PUBLIC)[0] == [None, None, None]
    go_on(round, "stand reveal@2")
    assert outcomes(round) == ["", "win"]
    assert seen(round, PUBLIC)[0] == [None, None, None]
    go_on(round, "reveal@1")
    assert (nets(round), outcomes(round)) == ([-10, 10], ["bust", "win"])
    assert seen(round, PUBLIC)[0] == ["T", "6", "T"]


@pytest.mark.parametrize("cards", ["T 6", "T 7", "T 8", "T 9", "T T", "A 9"])
def test_CH_35_from_16_to_20_reveal_some_or_hit(cards: str) -> None:
    bets = [10, 10, 10]
    d1, d2 = cards.split()
    round = play(f"{d1} T T T {d2} 8 8 8", "stand stand stand", bets=bets)
    assert legal(round) == {"reveal", "hit"}
    assert round.ask
    assert (round.ask.actor, round.ask.hand) == (4, -1), "no hand of his is played"
    assert round.ask.default.among == (1, 2, 3)
    assert round.ask.default_decision().chosen == (1, 2, 3), "the time limit reveals everybody"
    for wrong in ("reveal", "reveal@4", "reveal@1,1", "reveal@2,1", "stand", "reveal@1,5"):
        refused(round, wrong)
    for some in ("reveal@1", "reveal@1,3", "reveal@2,3", "reveal@1,2,3"):
        again = play(f"{d1} T T T {d2} 8 8 8", f"stand stand stand {some}", bets=bets)
        assert again.is_over == (some == "reveal@1,2,3")


def test_CH_35_reveals_and_hits_alternate_and_no_hit_must_follow() -> None:
    round = play("T T T T | 6 7 6 9 | A 3", "stand stand stand reveal@1 hit reveal@2", bets=[10, 10, 10])
    assert outcomes(round) == ["win", "lose", ""]
    refused(round, "reveal@1")
    assert nets(go_on(round, "hit reveal@3")) == [10, -10, -10]


def test_CH_47_every_round_has_a_new_shuffle_and_cut() -> None:
    assert RULES.one_round
    assert RULES.is_worn_out(4, 52, {})
    assert RULES.draws() == {"cut": 52}


HANDS = """
CH-04 a dragon of 21 pays as any other: T 2 7 3 | 4 5 7, hit hit hit = 20
CH-04 and 21 the bet: T 5 7 6 | T, hit stand reveal@1 = 10
CH-04 15 may not stop: T T 8 5 ? hit
CH-04 two switches bring no free hand {five_dragon_21_triple twenty_one_double}: T T 5 8 ? hit stand
CH-04 two others no triple dragon {free_hand twenty_one_double}: T 2 8 3 | 4 5 7, hit hit hit = 20
CH-04 nor the last two a double 21 {free_hand five_dragon_21_triple}: T 5 8 6 | T, hit stand reveal@1 = 10
CH-13 a player's ban-ban against ban-nag: A A K A = 30
CH-13 against the rest: T A 8 A = 30 ~ 30
CH-13 against ban-ban: A A A A = 0
CH-14 a dealer's ban-ban: A T A 8 = -30
CH-14 against ban-nag: A A A K = -30
CH-14 against 16: A T A 6 = -30
CH-14 against ban-ban: A A A A = 0 push
CH-14 and of two ban-nags: A A K K = 0 push
CH-15 a player's ban-nag: T A 8 K = 20
CH-15 the ace last: T T 6 A = 20
CH-15 against ban-ban: A A A K = -30
CH-15 against ban-nag: A A J K = 0
CH-15 with a ten: T A 8 T = 20
CH-15 with a jack: T A 8 J = 20
CH-15 with a queen: T A 8 Q = 20
CH-15 an ace and a nine are none: T A 8 9 ? hit stand
CH-16 a dealer's ban-nag: A T K 8 = -20
CH-16 against ban-ban: A A K A = 30
CH-16 against ban-nag: A A K Q = 0
CH-16 the ace last: K 7 A 9 = -20
CH-17 a dealer's special ends the round, nobody draws [10 10 10 10]: A 2 T A A | K 3 8 A K = -20, -20, 30, 0
CH-18 a player's settles only that player [10 10]: T A T | 8 K 9, stand reveal@2 = 20 ban-nag, 10 win
CH-21 CH-24 who continues plays on by the total {free_hand}: T T 8 5 | 4, continue hit stand reveal@1 = 10
CH-24 the dealer must hit 15 {free_hand}: T T 5 8 | 4, continue stand reveal@1 = -10 # T 5 4
CH-24 and may reveal with 16 {free_hand}: A T 5 8, continue stand ? reveal hit
CH-22 no escape where the switch is off [10 10] {escape=0}: A T A | K 5 8 = -20 lose, -20 lose
CH-22 whatever else is on {escape=0 free_hand}: T A 5 K = 20 ban-nag
CH-23 nobody is left to ask the dealer about {free_hand}: T 7 5 8, stop = 0
CH-23 of two free hands the player decides first {free_hand}: T 7 5 8 ?1 continue stop
CH-23 the dealer last {free_hand}: T 7 5 8, continue ?2 continue stop
CH-26 until he has five: T 2 8 3 | 4 8 A, hit hit hit = 20
CH-26 has 21: T 9 8 8 | 4, hit stand reveal@1 = 10 % 21
CH-26 busts: T 9 8 8 | 9, hit stand reveal@1 = -10 bust % 26
CH-26 or stands: T 2 8 3 | T 3, hit hit stand reveal@1 = 0 push % 18
CH-30 CH-32 27 in five cards is a bust: T 2 8 3 | 4 9 9, hit hit hit stand reveal@1 = -10
CH-30 CH-32 and so is 22: T 2 8 3 | 4 8 5, hit hit hit stand reveal@1 = -10
CH-30 21 is not: T 2 8 3 | 4 8 4, hit hit hit = 20
CH-30 11 will do: T 2 8 2 | 2 2 3, hit hit hit = 20
CH-30 final whatever the dealer gets [10 10]: 2 2 T | 3 3 9 | 4 5 6 | 4 5 6, hit hit hit stand = 20, -20 # 2 3 4 5 6
CH-32 a bust of five is settled with the dealer's end: T 2 6 3 | 4 8 5 T, hit hit hit stand hit = 0
CH-32 CH-39 the bet {five_dragon_21_triple twenty_one_double}: T 2 8 3 | 4 8 5, hit hit hit stand reveal@1 = -10
CH-33 no turn if nobody is unsettled: 2 A 3 K = 20
CH-33 after a dragon neither: 2 2 3 3 | 4 5 6, hit hit hit = 20
CH-34 below 16 the dealer must hit: 2 T 3 8 | T 2, stand ?2 reveal hit # 2 3 T 2
CH-35 ending on 16: T T 6 8, stand reveal@1 = 10
CH-36 CH-38 21 in five cards is a dragon {twenty_one_double}: 2 T 3 8 | 4 5 7, stand = -20
CH-30 CH-36 a player's too {twenty_one_double}: T 2 8 3 | 4 5 7, hit hit hit = 20
CH-36 with 21 everybody is revealed [10 10]: T T T | 6 7 6 | 5 5, stand hit stand hit = -10 lose, 0 push # T 6 5
CH-38 from everybody [1 1 1 1]: 2 T 5 T T | 3 6 6 8 9 | T | T | 4 5 6, hit stand hit stand stand stand = -2, -2, -2, -2
CH-38 who is settled is untouched [10 10]: T T 9 | 6 7 8 | A A A, stand stand reveal@1 hit hit hit = 10, -20 # T 6 A A A
CH-38 24 in five cards is a bust: 2 T 3 8 | 4 6 9, stand = 10
CH-40 who is revealed is settled for good [10 10]: T T T | 7 8 9 | 4, stand stand reveal@1 hit = 10, -10 # T 7 4
CH-40 a bust pays the rest [10 10]: T T T | 7 8 9 | T, stand stand reveal@1 hit = 10, 10
CH-46 but who bust [10 10 10]: T T T T | 6 6 8 7 | T | T, hit stand stand stand reveal@3 hit = 0 push, 10 win, 10 win
CH-48 no split, double, insurance, surrender: T 8 8 8 ? hit stand ! split double insure:1 surrender
CH-48 with two tens: T T 8 T ? hit stand ! split double insure:1 surrender
CH-48 nor after a hit: T 5 8 6 | 5, hit ? hit stand ! split double insure:1 surrender
"""


start = play


@every_hand(HANDS)
def test_hands(line: str) -> None:
    check_hand(start, line)


@pytest.mark.parametrize(
    "switches", [{}, {"free_hand": True, "five_dragon_21_triple": True, "twenty_one_double": True}]
)
def test_CH_31_CH_37_CH_39_CH_41_CH_42_CH_43_CH_44_CH_45_the_settlement_table(switches: dict[str, Any]) -> None:
    """What the player wins, in bets: without the house rules and with them."""
    on = bool(switches)
    expected = [
        # CH-31, CH-39: five cards of 21.
        (("T 8", "2 3", "4 5 6", "hit hit hit"), 2, 2),
        (("T 8", "2 3", "4 5 7", "hit hit hit"), 2, 3),
        (("2 3", "T 8", "4 5 6", "stand"), -2, -2),
        (("2 3", "T 8", "4 5 7", "stand"), -2, -3),
        # CH-37, CH-45: the dealer busts.
        (("T 6", "T 8", "T", "stand hit"), 1, 1),
        (("T 6", "T 8", "T T", "hit stand hit"), 0, 0),
        (("T 6", "5 6", "T T", "hit stand hit"), 1, 2),
        # CH-41, CH-42: a bust or a lower total loses, an equal one ties whatever the number of cards.
        (("T 8", "T 7", "", "stand reveal@1"), -1, -1),
        (("T 8", "T 7", "T", "hit stand reveal@1"), -1, -1),
        (("T 8", "T 8", "", "stand reveal@1"), 0, 0),
        (("T 8", "5 6", "7", "hit stand reveal@1"), 0, 0),
        (("T 8", "T 9", "", "stand reveal@1"), 1, 1),
        # CH-43, CH-44: the dealer's 21, the player's.
        (("T 6", "T 7", "5", "stand hit"), -1, -2),
        (("T 6", "T 8", "T 5", "hit stand hit"), -1, -2),
        (("T 6", "T 8", "4", "stand hit reveal@1"), -1, -1),
        (("T 6", "5 6", "T 5", "hit stand hit"), 0, 0),
        (("T 8", "5 6", "T", "hit stand reveal@1"), 1, 2),
        (("T 8", "5 3", "3 T", "hit hit stand reveal@1"), 1, 2),
    ]
    for hand, standard, house in expected:
        assert net(*hand, **switches) == (house if on else standard), hand
