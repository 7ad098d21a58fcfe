"""pontoon, clause by clause. Cards in the order dealt: every seat's hole card, the dealer's last; then the second."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fairshoe.cards import french
from fairshoe.engine.cards import ShoeCards, Stack
from fairshoe.engine.hand import UP
from fairshoe.engine.moves import Decision
from fairshoe.engine.round import Round
from fairshoe.engine.rules import rules_of
from fairshoe.engine.rules.pontoon import Pontoon
from fairshoe.engine.table import HOUSE, Bet, Table, move_chips
from fairshoe.engine.view import PUBLIC
from fairshoe.errors import IllegalBet, IllegalDecision, InputError, RuleError
from fairshoe.protocol.shoe import Sealed, seal
from fairshoe.protocol.word_stream import draw_named
from tests.hands import (
    Bets,
    bets_of,
    check_hand,
    decision,
    every_hand,
    go_on,
    labels,
    legal,
    nets,
    ranks,
    refused,
    seated,
    won,
)
from tests.hands_bank import banked, begin, chips, outcomes, seen, settle, totals

RULES = Pontoon()


def play(cards: str, moves: str = "", *, bets: Bets = (1,), **kwargs: Any) -> Round:
    return begin(banked("pontoon", bets, **kwargs), cards, bets, moves)


def refused_bets(table: Table, bets: Bets) -> None:
    with pytest.raises(IllegalBet):
        begin(table, "", bets)


def shoe_of(deck: list[str] | None = None, *, gone: int = 1) -> Sealed:
    """A sealed shoe of which `gone` cards, the burned one among them, are out."""
    shoe = seal(key=bytes(range(32)), shoe="t/1", deck=deck or french(1), draws={"cut": len(deck or french(1))})
    for _ in range(gone):
        shoe.draw()
    return shoe


def test_PO_01_two_to_fourteen_participants_and_seven_by_default() -> None:
    assert rules_of("pontoon").chairs == (2, 7)
    assert rules_of("pontoon", {"participants": 14}).chairs == (2, 14)
    assert play("2 3 4 5", "stand stand").is_over, "two take part, the dealer included"
    order = " ".join(["2"] * 14 + ["3"] * 14)
    assert play(order, "stand " * 14, bets=[1] * 13, participants=14).is_over
    refused_bets(banked("pontoon", [1] * 7), [1] * 7)
    assert play(" ".join(["2"] * 7 + ["3"] * 7), bets=[1] * 6).ask


def test_PO_02_always_one_pack() -> None:
    assert (RULES.deck, RULES.cards) == ("french:1", 52)
    with pytest.raises(InputError):
        rules_of("pontoon", {"packs": 2})


def test_PO_03_an_ace_counts_1_or_11() -> None:
    round = play("A T 6 7 | K", "hit")
    assert totals(round, 1)[0] == 17
    assert play("A T 6 7", "stand stand").hands[0].total == 17


def first_bank(table: Table, dealt: str, chairs: list[int]) -> tuple[int, list[str]]:
    rest = [label for label in french(1) if label not in dealt.split()]
    return RULES.draw_first_bank(table, Stack([*dealt.split(), *rest]), chairs)


@pytest.mark.parametrize(
    ("dealt", "seat"), [("Js", 5), ("Jh Jc", 9), ("Jd As Jc", 2), ("Jh Jd Ks Js", 5), ("Qs Qc As Ts 9s Jc", 2)]
)
def test_PO_04_the_first_black_jack_from_the_lowest_seats_left_finds_the_first_banker(dealt: str, seat: int) -> None:
    for chairs in ([2, 5, 9], [9, 2, 5]):
        assert first_bank(seated("pontoon", [2, 5, 9]), dealt, chairs) == (seat, dealt.split())


@pytest.mark.parametrize(("dealt", "seat"), [("Jc", 9), ("Ah Js", 5), ("Ah Ad Jc", 9)])
def test_PO_04_only_the_chairs_that_take_part_are_dealt(dealt: str, seat: int) -> None:
    table = seated("pontoon", [2, 5, 9])
    assert first_bank(table, dealt, [5, 9]) == (seat, dealt.split()), "chair 5 is the lowest of them"
    assert first_bank(table, dealt, [9]) == (9, dealt.split()), "one alone gets every card"
    with pytest.raises(RuleError):
        first_bank(table, dealt, [])


def test_PO_04_the_chairs_that_cover_the_minimum_may_be_dealt() -> None:
    table = seated("pontoon", [2, 5, 9], chips={2: 1, 5: 2, 9: 3})
    assert RULES.bank_candidates(table) == [5, 9]
    assert rules_of("pontoon", {"minimum": 2}).bank_candidates(table) == []
    house_has_chips = table.after({HOUSE: 100})
    assert [chair for chair in range(12) if RULES.can_bank(house_has_chips, chair)] == [5, 9]
    assert RULES.needs_first_bank(seated("pontoon", [2, 5], chips=1)), "and waits where none does"


def test_PO_04_before_the_first_deal_and_again_if_the_dealer_has_left() -> None:
    table = seated("pontoon", [2, 5, 9])
    assert RULES.needs_first_bank(table)
    refused_bets(table, {5: 1})
    found = table.after({}, bank=5)
    assert not RULES.needs_first_bank(found)
    left = RULES.leave_chair(found, 5)
    assert (left.bank, dict(left.players), sorted(left.purse)) == (HOUSE, {2: "player-2", 9: "player-9"}, [0, 2, 9])
    assert RULES.needs_first_bank(left)
    assert RULES.leave_chair(found, 9).bank == 5
    assert not RULES.needs_first_bank(RULES.leave_chair(found, 9)), "another left"
    assert not RULES.needs_first_bank(RULES.leave_chair(left, 2)), "nobody to deal to"
    entitled = RULES.leave_chair(found.after({}, memory={"entitled": 9}), 5)
    assert (entitled.bank, dict(entitled.memory)) == (HOUSE, {"entitled": 9})
    assert not RULES.needs_first_bank(entitled), "the entitled seat deals"


def test_PO_04_the_chair_of_a_dealer_who_left_brings_no_bank() -> None:
    left = RULES.leave_chair(seated("pontoon", [2, 5, 9], bank=5), 5)
    taken = move_chips(left, "buy-in", 5, "somebody else", 100)
    assert RULES.needs_first_bank(taken)
    refused_bets(taken, {9: 1})


def test_PO_04_again_where_the_dealer_cannot_cover_the_minimum() -> None:
    table = seated("pontoon", [2, 5], bank=5, chips={2: 100, 5: 2})
    assert not RULES.needs_first_bank(table)
    poor = table.after({5: 1})
    assert RULES.needs_first_bank(poor)
    assert not RULES.needs_first_bank(poor.after({}, memory={"entitled": 2}))
    rules = rules_of("pontoon", {"minimum": 5})
    assert rules.needs_first_bank(table.after({5: 9}))
    assert not rules.needs_first_bank(table.after({5: 10}))
    assert not RULES.needs_first_bank(table.after({2: 0})), "what the others have does not matter"


def test_PO_05_any_other_player_may_cut_or_decline() -> None:
    assert RULES.cut_range() == (0, 51)
    assert RULES.draws() == {"cut": 52}
    assert not RULES.waits_for_cut, "a cut comes with a hash"


@pytest.mark.parametrize(
    ("bank", "seats"), [(1, [6, 4, 2]), (2, [1, 6, 4]), (4, [2, 1, 6]), (6, [4, 2, 1]), (3, [2, 1, 6, 4])]
)
def test_PO_05_of_several_cuts_the_nearest_to_the_dealers_right_counts(bank: int, seats: list[int]) -> None:
    table = seated("pontoon", [1, 2, 4, 6], bank=bank)
    for last in (0, 2, bank):
        assert RULES.cutters(table, last) == seats, "never the dealer, whoever cut last"
    assert RULES.cutters(table.after({}, bank=HOUSE), 0) == [6, 4, 2, 1], "where nobody deals yet, all"


def test_PO_06_the_top_card_is_burned_and_the_first_round_begins_behind_it() -> None:
    assert RULES.burns
    shoe = shoe_of()
    round = Round(banked("pontoon"), ShoeCards(shoe), bets_of([1]))
    assert (round.position, round.present, round.size) == (1, 52, 52)
    assert round.cards == shoe_of(gone=0).order()[1:5]


def test_PO_07_discards_are_not_dealt_again_before_a_new_shuffle() -> None:
    shoe = shoe_of()
    dealt: list[str] = []
    table = banked("pontoon")
    for _ in range(5):
        round = Round(table, ShoeCards(shoe), bets_of([1]))
        while round.ask is not None:
            round.decide(decision(round, "stand"))
        dealt += round.cards
        assert all(hand.faces == [UP, UP] for hand in (*round.hands, round.dealer)), "they go away face up"
    assert dealt == shoe_of(gone=0).order()[1 : 1 + len(dealt)]


def test_PO_08_PO_09_the_burned_card_reached_in_a_deal_is_shuffled_with_the_earlier_discards() -> None:
    shoe = shoe_of(gone=50)
    source = ShoeCards(shoe)
    round = Round(banked("pontoon"), source, bets_of([1]))
    assert round.reshuffled == (2,), "the third card was the burned one's turn"
    on_table = set(round.cards[:2])
    gathered = [shoe.deck[index] for index in shoe.gathered]
    assert sorted(gathered) == sorted(set(french(1)) - on_table)
    cut = shoe.reshuffles[0].cut
    assert cut == draw_named(bytes(range(32)), shoe.transcript.digest, "cut", 50), "by the named draw"
    assert len(source.burned) == 1
    assert [*source.burned, *round.cards[2:4]] == shoe.order()[:3], "burned again, then the same deal goes on"
    assert len(set(round.cards)) == len(round.cards)
    assert RULES.is_worn_out(shoe.position, source.present, {}), "and reshuffled before the next"


def test_PO_08_hands_that_were_settled_in_this_deal_are_not_gathered() -> None:
    shoe = shoe_of(["Ts", "Th", "Td", "Tc", "9s", "9h", "9d", "9c", "8s", "8h", "8d", "8c", "2s", "2h"], gone=8)
    round = Round(banked("pontoon", [1, 1]), ShoeCards(shoe), bets_of([1, 1]))
    while round.ask is not None and not round.reshuffled:
        round.decide(decision(round, "hit"))
    assert round.hands[0].outcome == "bust"
    gathered = {shoe.deck[index] for index in shoe.gathered}
    assert gathered == set(shoe.deck) - set(round.cards[: round.reshuffled[0]])


def test_PO_09_an_empty_stock_at_the_end_of_a_deal_is_reshuffled_before_the_next() -> None:
    assert RULES.is_worn_out(52, 52, {})
    assert not RULES.is_worn_out(51, 52, {})
    assert not RULES.is_worn_out(1, 52, {})
    for position, present in ((46, 46), (2, 46), (2, 51)):
        assert RULES.is_worn_out(position, present, {}), "one that was reshuffled in the deal, whatever is left of it"


def drawable(left: int, gatherable: int, cards: str = "8 T 8 T") -> Round:
    """Seat 1 to act, with so many cards in the stock and so many to gather."""
    return begin(banked("pontoon"), cards + " 2" * left, size=4 + left + gatherable)


def test_PO_10_what_is_not_drawable_is_not_legal() -> None:
    assert drawable(0, 0).is_over, "nobody can take a card, the dealer neither"
    assert legal(drawable(0, 1)) == {"hit", "stand"}
    assert legal(drawable(1, 0)) == {"hit", "stand"}, "a split needs two"
    assert legal(drawable(0, 2)) == {"hit", "stand", "split"}, "the one that is burned can be gathered again"
    assert legal(drawable(1, 1)) == {"hit", "stand", "split"}
    assert legal(drawable(0, 3)) == {"hit", "stand", "split"}
    assert legal(drawable(0, 1, "5 T 6 T")) == {"hit", "stand", "double"}
    assert drawable(0, 0, "5 T 6 T").is_over


def test_PO_10_a_card_is_kept_for_a_right_hand_that_awaits_it() -> None:
    table = banked("pontoon")
    order = "8 T 8 T | 2 3"
    round = begin(table, order, size=6)
    go_on(round, "split")
    assert ranks(round.hands[0]) == "8 2"
    assert ranks(round.hands[1]) == "8 3", "no HIT on the left: its only card was the right hand's"
    assert round.is_over, "and nothing is left for the right hand, nor for the dealer"
    round = begin(table, order + " 4", size=7)
    go_on(round, "split hit")
    assert [ranks(hand) for hand in round.hands] == ["8 2 3", "8 4"]
    assert round.is_over
    round = begin(table, order + " 4", [1], "split stand", size=7)
    assert round.ask
    assert (round.ask.hand, legal(round)) == (1, {"hit", "stand"}), "nobody else awaits the last card"


def test_PO_10_also_for_the_dealer() -> None:
    round = begin(banked("pontoon"), "8 T 9 2", size=4)
    assert (round.is_over, round.decisions, nets(round)) == (True, [], [1]), "he must stand on 12"
    round = begin(banked("pontoon"), "8 T 9 2 | 5", size=5, moves="stand hit")
    assert (ranks(round.dealer), nets(round)) == ("T 2 5", [-1])


def test_PO_10_the_second_reshuffle_of_a_deal_and_a_single_card_that_is_not_burned() -> None:
    low = ["As", "Ah", "Ad", "Ac", "2s", "2h", "2d", "2c", "3s"]
    shoe = shoe_of(low, gone=3)
    source = ShoeCards(shoe)
    round = Round(banked("pontoon"), source, bets_of([1]))
    stock = []
    while legal(round) >= {"hit", "stand"} and round.ask is not None and round.ask.actor == 1:
        stock.append(round.drawable)
        round.decide(decision(round, "hit"))
    assert stock == [5, 4, 3, 2, 1], "2 + 3 gatherable; the card burned can be gathered again"
    assert round.reshuffled == (6, 8)
    assert len(source.burned) == 1, "the second time one card was gathered, and dealt"
    assert sorted(round.cards) == sorted(low)
    assert round.is_over


def test_PO_11_any_entitlement_is_followed_by_the_shuffle_whoever_deals() -> None:
    entitled = banked("pontoon", [1, 1, 1]).after({}, memory={"entitled": 2})
    for moves in ("accept", "give@1 agree", "give@4 agree", "sell:5@4 agree:5", "sell:5@1 refuse"):
        assert settle(entitled, moves).result.why, "a move of the bank ends the shoe"
    assert settle(entitled, "give@4 agree").result.table.bank == entitled.bank == 4, "to the outgoing dealer"
    assert settle(banked("pontoon")).result.why == ""


def test_PO_12_bets_are_one_to_five_chips_and_the_dealer_does_not_bet() -> None:
    table = banked("pontoon", [1, 1])
    for amount in (1, 5):
        assert begin(table, "2 3 4 5", {1: amount}).ask
    for wrong in (0, 6, -1):
        refused_bets(table, {1: wrong})
    refused_bets(table, {1: 1, 3: 1})
    refused_bets(table, {})
    refused_bets(table, [Bet(1, 1, 1), Bet(1, 1, 1)])
    refused_bets(table, {2: 1, 1: 1})
    refused_bets(table, {7: 1})
    assert begin(banked("pontoon", [1], maximum=50), "2 3 4 5", {1: 50}).ask


def test_PO_13_in_rotation_from_the_dealers_left() -> None:
    table = banked("pontoon", {1: 1, 2: 1, 5: 1}, bank=3)
    assert RULES.acting_order(table) == [5, 1, 2]
    round = begin(table, "2 3 4 5 | 6 7 8 9", {5: 1, 1: 1, 2: 1})
    assert [(hand.seat, ranks(hand)) for hand in round.hands] == [(5, "2 6"), (1, "3 7"), (2, "4 8")]
    assert ranks(round.dealer) == "5 9"
    assert round.ask
    assert round.ask.actor == 5
    refused_bets(table, {1: 1, 5: 1})


@pytest.mark.parametrize("cards", ["T A 9 K", "T K 9 A", "T 2 9 A"])
def test_PO_14_a_dealers_natural_costs_every_player_double(cards: str) -> None:
    round = play(cards)
    natural = cards != "T 2 9 A"
    assert round.is_over == natural
    if natural:
        assert (nets(round), won(round, 1), won(round, 2)) == ([-2], -2, 2)
        assert seen(round, PUBLIC) == [["T", "9"], [cards[2], cards[6]]], "declared with any card up"


def test_PO_16_a_players_natural_is_paid_double_at_once_and_exposed() -> None:
    round = play("A T T | K 8 9", bets=[2, 1])
    assert round.ask
    assert round.ask.actor == 2, "seat 1 is out of the deal"
    assert chips(round, [1, 2, 3]) == [4, -1, -4]
    assert seen(round, PUBLIC)[0] == ["A", "K"]
    assert nets(go_on(round, "stand stand")) == [4, -1]
    assert play("A T K 9").is_over, "with nobody else there is nothing left to play"


def test_PO_18_a_bust_is_turned_up_and_collected_at_once() -> None:
    round = play("T 8 T | 6 9 7 | K", "hit", bets=[2, 1])
    assert (outcomes(round), chips(round, [1, 2, 3])) == (["bust", ""], [-2, -1, 2])
    assert seen(round, PUBLIC)[:2] == [["T", "6", "K"], [None, "9"]]
    assert nets(go_on_with(round, "stand hit", "T")) == [-2, 1], "even if the dealer busts"


def go_on_with(round: Round, moves: str, cards: str) -> Round:
    """Go on with more cards on top of the stock."""
    source = round._source
    assert isinstance(source, Stack)
    source._rest.extend(labels(cards))
    source.order = [*source.order, *labels(cards)]
    return go_on(round, moves)


def test_PO_19_he_may_hit_21_and_his_hits_are_face_up() -> None:
    round = play("T 5 9 6 | T", "stand hit")
    assert round.ask
    assert (round.ask.actor, round.ask.hand, legal(round)) == (2, -1, {"hit", "stand"})
    assert seen(round, PUBLIC)[1] == ["5", "6", "T"]
    assert seen(play("T 5 9 6"), PUBLIC)[1] == [None, "6"], "turned up when his turn comes"
    refused(round, Decision(1, "stand"))
    assert nets(go_on_with(round, "hit", "T")) == [1]


def test_PO_22_the_left_is_played_before_the_right_gets_its_card() -> None:
    round = play("8 T 8 7 | 3 T", "split hit", bets=[2])
    assert [ranks(hand) for hand in round.hands] == ["8 3 T", "8"]
    assert chips(round, [1]) == [-4], "a second, equal bet"
    assert legal(round) == {"hit", "stand"}
    go_on_with(round, "stand hit", "2 T")
    assert [ranks(hand) for hand in round.hands] == ["8 3 T", "8 2 T"]
    assert nets(go_on(round, "stand stand")) == [2, 2]


def test_PO_23_21_after_a_split_is_plain_and_does_not_win_the_bank() -> None:
    round = play("A T A 9 | K Q", "split stand")
    assert (nets(round), outcomes(round)) == ([1, 1], ["win", "win"])
    assert "entitled" not in round.close().memory


def test_PO_24_a_bonus_is_the_settlement_whatever_the_dealer_has() -> None:
    round = play("7 T 8 | 7 9 5 | 7", "hit", bets=[2, 1])
    assert (chips(round, [1, 2, 3]), outcomes(round)[0]) == ([6, -1, -6], "7-7-7")
    assert nets(go_on_with(round, "stand hit stand", "8")) == [6, -1], "collected at once, and only once"


def test_PO_25_five_cards_of_21_or_less_pay_double() -> None:
    round = play("2 T 3 9 | 4 5 2", "hit hit hit", bets=[3])
    assert (chips(round, [1]), outcomes(round)) == ([6], ["5 cards"])
    assert seen(round, PUBLIC)[0] == ["2", "3", "4", "5", "2"], "the claim exposes the hand"


@pytest.mark.parametrize(("cards", "net"), [(5, 2), (6, 4), (7, 8), (8, 16), (9, 32), (10, 64), (11, 128)])
def test_PO_26_the_payment_doubles_with_every_further_card(cards: int, net: int) -> None:
    order = ["A"] * 4 + ["2"] * 4 + ["3"] * 3
    round = play(" ".join([order[0], "T", order[1], "9", *order[2:cards]]), "hit " * (cards - 2) + "stand")
    assert (nets(round), round.hands[0].outcome) == ([net], f"{cards} cards"), "in all, not added to the lower tier"


def test_PO_27_a_paid_hand_may_draw_on_and_the_next_tier_pays_the_difference() -> None:
    round = play("2 T 3 9 | 4 5 2", "hit hit hit", bets=[2])
    assert legal(round) == {"hit", "stand"}
    assert chips(round, [1, 2]) == [4, -4]
    go_on_with(round, "hit", "A")
    assert (chips(round, [1, 2]), outcomes(round)) == ([8, -8], ["6 cards"])
    assert nets(go_on(round, "stand")) == [8]


def test_PO_33_the_bank_stays_until_a_player_has_a_natural_and_the_dealer_none() -> None:
    round = play("T T 9 8", "stand stand")
    assert "entitled" not in round.close().memory
    round = play("A T K 9")
    assert round.close().memory == {"entitled": 1}
    assert round.close().bank == 2, "not before the bets are settled"
    assert settle(round.close(), "accept").result.table.bank == 1
    assert "entitled" not in play("A T 5 9 | 5", "hit stand stand").close().memory, "a 21 of three cards does not"


def test_PO_34_that_player_deals_next_when_all_bets_are_settled() -> None:
    round = play("A T T | K 8 9", bets=[1, 1])
    assert round.table.bank == 3
    table = settle(go_on(round, "stand stand").close(), "accept").result.table
    assert (table.bank, dict(table.memory)) == (1, {})
    assert RULES.acting_order(table) == [2, 3]
    again = settle(table)
    assert (again.ask, again.result.why, again.result.table.bank) == (None, "", 1), (
        "and comes to nothing when run again"
    )


def test_PO_35_of_two_naturals_the_one_nearest_the_dealers_left() -> None:
    bets = {5: 1, 2: 1, 3: 1}
    round = begin(banked("pontoon", bets, bank=4), "A A T T | K K 9 9", bets, "stand stand")
    assert round.close().memory == {"entitled": 5}


def test_PO_36_no_change_if_the_dealer_has_a_natural_too() -> None:
    round = play("A A K K")
    assert "entitled" not in round.close().memory
    between = settle(round.close())
    assert (between.ask, between.result.why, between.result.table.bank) == (None, "", 2)


def entitled(chips: int | Mapping[int, int] = 100) -> Table:
    """Chair 5 may have the bank, which chair 4 holds; chairs 2 and 3 sit there too."""
    return seated("pontoon", [2, 3, 4, 5], bank=4, chips=chips).after({}, memory={"entitled": 5})


def test_PO_37_accept_give_or_sell() -> None:
    between = settle(entitled())
    assert between.ask
    assert (between.ask.actor, between.ask.hand) == (5, -1)
    assert {move.name for move in between.ask.moves} == {"accept", "give", "sell"}
    assert between.ask.default_decision().move == "accept"
    assert settle(entitled(), "accept").result[1:] == ("change", 0)


def test_PO_37_a_gift_or_a_sale_needs_the_recipients_consent() -> None:
    between = settle(entitled(), "give@3")
    assert between.ask
    assert (between.ask.actor, between.ask.hand, between.ask.default_decision().move) == (3, -1, "refuse")
    with pytest.raises(IllegalDecision):
        between.decide(Decision(5, "agree"))
    given = settle(entitled(), "give@3 agree").result
    assert (given.table.bank, given.why, given.price) == (3, "gift", 0)
    refused_gift = settle(entitled(), "give@3 refuse").result
    assert (refused_gift.table.bank, refused_gift.why) == (5, "change"), "otherwise the entitled player deals"
    sold = settle(entitled(), "sell:4@3 agree:4").result
    assert (sold.table.bank, sold.why, sold.price) == (3, "sale", 4)
    assert (sold.table.purse[3], sold.table.purse[5]) == (96, 104)
    unsold = settle(entitled(), "sell:4@3 refuse").result
    assert (unsold.table.bank, unsold.why, unsold.table.purse[5]) == (5, "change", 100)
    for wrong in ("agree", "agree:3"):
        with pytest.raises(IllegalDecision):
            settle(entitled(), f"sell:4@3 {wrong}")


def test_PO_37_what_the_buyer_keeps_covers_the_minimum_and_the_buyer_is_another_participant() -> None:
    table = entitled({2: 3, 3: 2, 4: 50, 5: 7})
    assert settle(table, "sell:1@2 agree:1").result.price == 1
    sold = settle(table, "sell:48@4 agree:48").result.table
    assert (sold.bank, sold.purse[4], RULES.can_bank(sold, 4)) == (4, 2, True), "the outgoing dealer included"
    assert not RULES.needs_first_bank(sold), "a bank that was paid for is not lost at once"
    for wrong in ("sell:2@2", "sell:49@4", "sell@2", "sell:1@3", "sell:1@1", "give@5", "give@1", "give", "give@2,3"):
        with pytest.raises(IllegalDecision):
            settle(table, wrong)
    with pytest.raises(IllegalDecision):
        settle(table, "sell:1@2,4")
    broke = settle(table)
    assert broke.ask
    offers = {move.among: (move.low, move.high) for move in broke.ask.moves if move.name == "sell"}
    assert offers == {(2,): (1, 1), (4,): (1, 48)}, "the bound is said before it is paid"
    agreeing = settle(table, "sell:48@4")
    assert agreeing.ask
    assert [(move.name, move.low, move.high) for move in agreeing.ask.moves] == [("agree", 48, 48), ("refuse", 0, 0)]


def test_PO_37_the_bound_of_the_price_goes_by_the_tables_minimum() -> None:
    table = seated("pontoon", [2, 5], chips={2: 23, 5: 100}, bank=5, minimum=10, maximum=20)
    table = table.after({}, memory={"entitled": 5})
    sold = settle(table, "sell:3@2 agree:3").result.table
    assert (sold.bank, sold.purse[2], sold.rules.can_bank(sold, 2)) == (2, 20, True)
    with pytest.raises(IllegalDecision):
        settle(table, "sell:4@2")


def test_PO_37_one_transfer_none_onward_and_none_by_a_sitting_dealer() -> None:
    table = settle(entitled(), "give@3 agree").result.table
    assert settle(table).ask is None
    assert settle(banked("pontoon")).ask is None
    nobody = settle(entitled().after({}, memory={"entitled": 9}))
    assert (nobody.ask, nobody.result.why) == (None, ""), "nor by a chair that is empty"


def test_PO_37_an_entitled_seat_that_leaves_gives_up_its_claim() -> None:
    assert RULES.may_leave(entitled(), 5)
    left = RULES.leave_chair(entitled(), 5)
    assert (left.bank, dict(left.memory), RULES.needs_first_bank(left)) == (HOUSE, {}, True), "the bank is found anew"
    assert (settle(left).ask, settle(left).result.why) == (None, "")
    other = RULES.leave_chair(entitled(), 3)
    assert (other.bank, dict(other.memory)) == (4, {"entitled": 5})
    assert RULES.leave_chair(RULES.leave_chair(entitled(), 4), 5).bank == HOUSE
    assert dict(RULES.leave_chair(RULES.leave_chair(entitled(), 4), 5).memory) == {}


def test_PO_37_the_first_banker_is_entitled_in_the_same_way() -> None:
    found = RULES.set_first_bank(seated("pontoon", [2, 3, 5]), 5)
    assert (found.bank, dict(found.memory), RULES.needs_first_bank(found)) == (5, {"entitled": 5}, False)
    assert settle(found, "accept").result[1:] == ("change", 0)
    assert settle(found, "accept").result.table.bank == 5
    given = settle(found, "give@2 agree").result
    assert (given.table.bank, given.why, dict(given.table.memory)) == (2, "gift", {})
    sold = settle(found, "sell:7@3 agree:7").result
    assert (sold.table.bank, sold.why, sold.table.purse[5]) == (3, "sale", 1007)
    gone = RULES.leave_chair(found, 5)
    assert (gone.bank, dict(gone.memory), RULES.needs_first_bank(gone)) == (HOUSE, {}, True)


def test_PO_38_the_dealers_balance_may_go_below_zero_and_that_chair_stays() -> None:
    round = play("A T A 9 | A A 2 2 2 2 3 3 3", "hit " * 9 + "stand", bets=[5], chips=10)
    assert round.hands[0].total == 21
    assert (nets(round), round.purse[2]) == ([5 * 128], 10 - 640)
    table = round.close()
    assert RULES.needs_first_bank(table), "who cannot cover the minimum gives up the bank"
    for op, amount, more in (("cash-out", -630, {"leaves": True}), ("cash-out", 1, {}), ("transfer", 1, {"to": 1})):
        with pytest.raises(RuleError):
            move_chips(table, op, 2, "player-2", amount, **more)
    assert not RULES.may_leave(table, 2)
    covered = move_chips(move_chips(table, "transfer", 1, "player-1", 300, to=2), "buy-in", 2, "player-2", 330)
    assert covered.purse[2] == 0
    assert move_chips(covered, "cash-out", 2, "player-2", 0, leaves=True).players == {1: "player-1"}


def test_PO_38_a_dealer_who_cannot_cover_the_minimum_gives_up_the_bank_when_the_shoe_has_ended() -> None:
    for minimum, left in ((1, 1), (1, -5), (3, 5)):
        table = banked("pontoon", minimum=minimum).after({2: left})
        after = table.rules.oust_bank(table)
        assert (after.bank, after.purse, after.players) == (HOUSE, table.purse, table.players)
        assert table.rules.needs_first_bank(after)
        covered = table.after({2: 2 * minimum})
        assert table.rules.oust_bank(covered).bank == 2, "who covers it keeps the bank"
    claimed = entitled().after({4: 1})
    assert RULES.oust_bank(claimed).bank == 4, "and as long as another is asked who deals next"
    assert RULES.oust_bank(seated("pontoon", [2], bank=2, chips=1)).bank == 2, "nobody else could have it"


HANDS = """
PO-15 both natural costs the bet alone, the others double [3 3]: A T A | K 9 K = -3, -6
PO-17 no minimum for standing: 2 T 2 7, stand stand = -1
PO-17 as many cards as one likes: 2 T 2 7 | 3 4, hit hit ? hit stand
PO-17 a 20 may be hit: T T Q 7 | A, hit stand stand = 1
PO-17 and so may 21: T T Q 7 | A, hit ? hit stand
PO-17 there is no double on five: 2 T 3 7 ? hit stand ! double
PO-19 the dealer may stand on 9: T 2 6 3, stand stand = 1
PO-19 may hit 20: T T 6 J | A, stand hit stand = -1
PO-19 may stand on 20: T T 9 J, stand stand = -1
PO-19 has no turn against a bust: T 5 6 6 | K, hit = -1 bust
PO-19 nor against a bonus: 7 5 7 6 | 7, hit = 3 7-7-7
PO-20 a bust dealer pays all who stood [1 2]: T 5 T | 2 6 6 | 4 | K, stand double hit = 1, 4
PO-21 19 beats 18: T T 9 8, stand stand = 1
PO-21 ties pay the dealer: T T 8 8, stand stand = -1
PO-21 17 loses: T T 7 8, stand stand = -1
PO-22 double on 9: 5 T 4 7 ? hit stand double
PO-22 on 11: 5 T 6 7 ? hit stand double
PO-22 not on 8: 5 T 3 7 ? hit stand
PO-22 nor on 12: T T 2 7 ? hit stand
PO-22 nor on soft 19: A T 8 7 ? hit stand
PO-22 5,5 may do either: 5 T 5 7 ? hit stand double split
PO-22 split the same rank: J T J 7 ? hit stand split
PO-22 a jack and a queen not: J T Q 7 ? hit stand
PO-22 aces: A T A 7 ? hit stand split
PO-22 sixes: 6 T 6 7 ? hit stand split
PO-22 neither after a split: 8 T 8 7 | 8, split ? hit stand
PO-22 nor after a hit: 5 T 2 7 | 3, hit ? hit stand
PO-22 even on 11: 5 T 3 7 | 3, hit ? hit stand
PO-23 21 after a split ties with 21, which pays the dealer: T 5 T 6 | A T | T, split stand stand hit stand = -1, -1
PO-23 split aces get one card each: A T A 9 | 2 3, split ?2 hit stand
PO-25 22 in five cards is a bust: 2 T 3 9 | 4 5 8, hit hit hit = -1 bust
PO-25 21 pays as every other five: 2 T 3 9 | 4 5 7, hit hit hit stand = 2 5 cards
PO-27 who was paid may stand: 2 T 3 9 | 4 5 2, hit hit hit stand = 2
PO-27 a later bust keeps the tier: 2 T 3 9 | 4 5 2 | K, hit hit hit hit = 2 5 cards
PO-28 three sevens pay triple and close the hand [5]: 7 T 7 9 | 7, hit = 15 7-7-7
PO-28 two do not: 7 T 6 9 | 8, hit = 2 8-7-6
PO-28 exactly three cards: 7 T 7 7 | 2 5, hit hit stand stand = 1
PO-29 8-7-6 pays double and closes the hand: 8 T 7 9 | 6, hit = 2 8-7-6
PO-29 in any order: 6 T 7 9 | 8, hit = 2 8-7-6
PO-29 the seven first: 7 T 8 9 | 6, hit = 2 8-7-6
PO-29 the seven last: 6 T 8 9 | 7, hit = 2 8-7-6
PO-29 no other 21 of three cards: 9 T 7 9 | 5, hit stand stand = 1
PO-29 with two eights neither: 8 T 5 9 | 8, hit stand stand = 1
PO-30 each split hand has its own bonus [2]: 7 T 7 9 | 7 7 | 8 6, split hit hit = 6 7-7-7, 4 8-7-6
PO-30 a doubled hand never can, 7,7 is too much: 7 T 7 9 ? hit stand split
PO-30 7,8: 7 T 8 9 ? hit stand
PO-30 6,7: 6 T 7 9 ? hit stand
PO-30 6,8: 6 T 8 9 ? hit stand
PO-30 nor what is doubled: 4 T 5 9 | 2, double stand = -2
PO-31 a plain 21 of three cards pays 1-1: 9 T 5 9 | 7, hit stand stand = 1
PO-31 of four cards too: 9 T 5 9 | 3 4, hit hit stand stand = 1
PO-31 and loses to a 21: 9 T 5 9 | 7 2, hit stand hit stand = -1
PO-32 the dealer's three sevens win only the bet: T 7 9 7 | 7, stand hit stand = -1
PO-32 16 in five cards loses to 19: T 2 9 3 | 4 5 2, stand hit hit hit stand = 1
PO-39 no insurance and no surrender: T 9 6 A ? hit stand ! surrender insure:1
"""


start = play


@every_hand(HANDS)
def test_hands(line: str) -> None:
    check_hand(start, line)
