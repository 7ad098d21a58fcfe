"""What the statistics find, and what they say where they cannot."""

from __future__ import annotations

import pytest

from audit_cli.statistics.collected import Collected, Shoes
from audit_cli.statistics.layout import Integers, Layout, layout_of
from audit_cli.statistics.measured import FOUND, NOTHING, TOO_FEW, Judged, judged
from fairshoe.cards import french
from fairshoe.protocol.deck import deck_of
from tests.statistics.shuffled import FAULTY, riffled, shuffled, stuck

LEVEL = 0.01
PACK, SHOE = layout_of(french(1)), layout_of(french(6))


def result(layout: Layout, rows: Integers) -> dict[str, Judged]:
    sums = Shoes(layout)
    sums.add_rows(rows)
    return {each.test.name: each for each in judged(sums.tests(), LEVEL)}


def found(layout: Layout, rows: Integers) -> set[str]:
    return {name for name, each in result(layout, rows).items() if each.status == FOUND}


@pytest.mark.parametrize("layout", [PACK, SHOE])
def test_an_honest_shuffle_is_not_suspected(layout: Layout) -> None:
    assert not found(layout, shuffled(1, 300, layout.size))


@pytest.mark.parametrize(
    ("layout", "name", "shoes"),
    [
        (PACK, "Sattolo", 300),
        (PACK, "swap with any", 600),
        (PACK, "modulo of 8 bits", 4_000),
        (SHOE, "modulo of 8 bits", 1_200),
    ],
)
def test_a_faulty_shuffle_is_found(layout: Layout, name: str, shoes: int) -> None:
    assert found(layout, shuffled(2, shoes, layout.size, FAULTY[name]))


def test_what_cannot_be_seen_is_never_a_pass() -> None:
    test = result(SHOE, shuffled(4, 20, 312))["label by position"]
    assert test.status == TOO_FEW
    assert test.sentence == "not enough: needs 30 shoes, has 20"


def test_a_card_stuck_in_its_place_is_named() -> None:
    tests = result(SHOE, stuck(shuffled(5, 600, 312), 0.06, card=13, place=7))
    each = tests["card stuck in its place"]
    assert each.status == FOUND
    assert each.test.effect_words.startswith("Ad at position 7 in ")
    assert each.test.effect == pytest.approx(0.06, abs=0.03)


def test_the_smallest_bias_is_stated_and_falls_with_the_shoes() -> None:
    few, many = (result(PACK, shuffled(6, shoes, 52)) for shoes in (200, 2_000))
    assert few["card stuck in its place"].status == NOTHING
    assert few["card stuck in its place"].sentence.endswith("a card stuck in its place in 1 of 11 shoes")
    assert many["card stuck in its place"].sentence.endswith("a card stuck in its place in 1 of 46 shoes")
    for name, each in few.items():
        if each.test.smallest is not None and each.test.p is not None:
            assert many[name].test.smallest < each.test.smallest


def test_three_riffles_are_found() -> None:
    names = found(PACK, riffled(7, 60, 52, times=3))
    assert {"runs", "label by position"} <= names


def test_ranks_that_follow_each_other_are_found() -> None:
    rows = shuffled(8, 400, 52)
    for row in rows[::4]:  # the aces of a quarter of the shoes lie side by side
        aces = [int(card) for card in row if card % 13 == 0]
        rest = [int(card) for card in row if card % 13]
        row[:] = rest[:20] + aces + rest[20:]
    assert {"equal neighbours", "pairs"} <= found(PACK, rows)


def test_decks_of_more_than_512_cards_are_left_out() -> None:
    collected, deck = Collected(), deck_of([f"card {i}" for i in range(513)])
    collected.add(deck, range(513))
    collected.add_dealt(deck, list(deck))
    assert (collected.result(LEVEL).shoes, collected.result(LEVEL).left_out) == (0, 1)


def test_nothing_is_said_of_no_shoes() -> None:
    assert Collected().result(LEVEL).tests == ()
    assert {each.status for each in result(PACK, shuffled(16, 1, 52)).values()} == {TOO_FEW}


def test_tens_that_are_dealt_too_often_are_found() -> None:
    """A house that stops a shoe where the next card helps the players: four cards or five."""
    honest, crooked = Collected(), Collected()
    deck = french(1)
    for row in shuffled(14, 3_000, 52).tolist():
        cards = [deck[i] for i in row]
        honest.add_dealt(deck, cards[: 12 if cards[9][0] in "TJQK" else 10])  # it knew the past only
        crooked.add_dealt(deck, cards[: 12 if cards[11][0] in "TJQK" else 11])  # and here the next card
    assert "dealt against left" not in {each.test.name for each in honest.result(LEVEL).found}
    assert "dealt against left" in {each.test.name for each in crooked.result(LEVEL).found}


def test_a_first_card_that_is_an_ace_too_often_is_found() -> None:
    collected, deck = Collected(), french(6)
    for i, row in enumerate(shuffled(15, 400, 312).tolist()):
        cards = [deck[card] for card in row]
        if not i % 8:
            ace = next(at for at, card in enumerate(cards) if card[0] == "A")
            cards[0], cards[ace] = cards[ace], cards[0]
        collected.add_dealt(deck, cards[:10])
    names = {each.test.name for each in collected.result(LEVEL).found}
    assert {"first card after the seal", "first cards dealt"} <= names
