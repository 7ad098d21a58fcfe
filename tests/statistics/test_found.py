"""What the statistics find, what they say where they cannot, and how seldom honest shoes are suspected."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import defaultdict

import pytest
import scipy

from audit_cli.report.statistics.collection import MAX_DECKS, OrderCount
from audit_cli.report.statistics.measurement import FOUND, NOTHING, TOO_FEW, Measurement
from audit_cli.report.statistics.positions import Integers
from fairshoe.cards import french
from fairshoe.protocol.deck import Deck, deck_of
from fairshoe.protocol.shoe import seal
from tests.statistics.shuffled import FAULTY, shuffled, stuck

LEVEL = 0.01
PACK, SHOE = french(1), french(6)


def collected(deck: Deck, rows: Integers, dealt: int = 0) -> OrderCount:
    """These orders, of each of which so many cards were dealt."""
    found = OrderCount()
    for order in rows.tolist():
        found.add(deck, order)
        found.add_dealt(deck, [deck[card] for card in order[:dealt]])
    return found


def result(deck: Deck, rows: Integers) -> dict[str, Measurement]:
    return {each.name: each for each in collected(deck, rows).result(LEVEL).tests}


def names(found: OrderCount) -> set[str]:
    return {each.name for each in found.result(LEVEL).found}


@pytest.mark.parametrize("deck", [PACK, SHOE])
def test_an_honest_shuffle_is_not_suspected(deck: Deck) -> None:
    assert not names(collected(deck, shuffled(1, 300, len(deck))))


def test_p_values_of_honest_shoes_are_uniform() -> None:
    """By the protocol itself, 40 times 132 shoes; where there are only a few values, small ones may be seldom."""
    values: dict[tuple[str, bool], list[float]] = defaultdict(list)
    alarms = 0
    for number in range(40):
        found = OrderCount()
        for i in range(132):
            deck = SHOE if i % 2 else PACK
            name = f"set/{number}/{i}"
            sealed = seal(key=hashlib.sha256(name.encode()).digest(), shoe=name, deck=deck)
            found.add(deck, sealed.order_indexes())
            found.add_dealt(deck, sealed.first(4))
        tests = found.result(LEVEL)
        alarms += bool(tests.found)
        for each in tests.tests:
            if each.p is not None:
                values[f"{each.deck} {each.name}", each.exact].append(each.p)
    assert alarms <= 2
    assert len(values) >= 8
    for (_, exact), each in values.items():
        side = "greater" if exact else "two-sided"
        assert scipy.stats.kstest(each, "uniform", alternative=side).pvalue > 0.01 / len(values)


@pytest.mark.parametrize(
    ("deck", "name", "shoes"), [(PACK, "Sattolo", 300), (PACK, "swap with any", 600), (SHOE, "modulo of 8 bits", 1_200)]
)
def test_a_faulty_shuffle_is_found(deck: Deck, name: str, shoes: int) -> None:
    assert names(collected(deck, shuffled(2, shoes, len(deck), FAULTY[name])))


def test_what_cannot_be_seen_is_never_a_pass() -> None:
    test = result(SHOE, shuffled(4, 20, 312))["label by position"]
    assert test.status == TOO_FEW
    assert test.sentence.endswith("30 shoes, has 20")
    assert OrderCount().result(LEVEL).tests == ()
    assert {each.status for each in result(PACK, shuffled(16, 1, 52)).values()} == {TOO_FEW}


def test_a_card_stuck_in_its_place_is_named() -> None:
    each = result(SHOE, stuck(shuffled(5, 600, 312), 0.06, card=13, place=7))["card stuck in its place"]
    assert each.status == FOUND
    assert each.effect_words.startswith("Ad at position 7")
    assert each.effect == pytest.approx(0.06, abs=0.03)


def test_the_smallest_bias_is_stated_and_falls_with_the_shoes() -> None:
    few, many = (result(PACK, shuffled(6, shoes, 52)) for shoes in (200, 2_000))
    assert few["card stuck in its place"].status == NOTHING
    assert few["card stuck in its place"].sentence.endswith("1 of 11 shoes")
    assert many["card stuck in its place"].sentence.endswith("1 of 46 shoes")
    for name, each in few.items():
        if each.smallest is not None and each.p is not None:
            assert many[name].smallest < each.smallest


def test_tens_that_are_dealt_too_often_are_found() -> None:
    """A house that stops a shoe where the next card helps the players: four cards or five."""
    honest, crooked = OrderCount(), OrderCount()
    for row in shuffled(14, 3_000, 52).tolist():
        cards = [PACK[i] for i in row]
        honest.add_dealt(PACK, cards[: 12 if cards[9][0] in "TJQK" else 10])  # it knew the past only
        crooked.add_dealt(PACK, cards[: 12 if cards[11][0] in "TJQK" else 11])  # and here the next card
    assert "dealt against left" not in names(honest)
    assert "dealt against left" in names(crooked)


def test_a_first_card_that_is_an_ace_too_often_is_found() -> None:
    rows = shuffled(15, 400, 312)
    for row in rows[::8]:
        ace = next(at for at, card in enumerate(row) if SHOE[card][0] == "A")
        row[0], row[ace] = row[ace], row[0]
    assert {"first card after the seal", "first cards dealt"} <= names(collected(SHOE, rows, 10))


def test_large_decks_and_many_decks_are_left_out() -> None:
    large = deck_of([f"card {i}" for i in range(513)])
    found = OrderCount()
    found.add(large, range(513))
    found.add_dealt(large, list(large))
    for number in range(MAX_DECKS + 3):
        found.add(deck_of([f"{number}", "x", "y", "z"]), [0, 2, 1, 3])
    assert (found.result(LEVEL).shoes, found.result(LEVEL).left_out) == (MAX_DECKS, 4)


def test_the_smallest_decks_are_counted() -> None:
    """Of 180 honest sets about one in a hundred may have a finding; of equal cards none."""
    decks = [deck_of([f"{i}" for i in range(size)]) for size in range(1, 7)]
    alarms = sum(
        bool(names(collected(deck, shuffled(100 * len(deck) + seed, 120, len(deck)), len(deck))))
        for deck in decks
        for seed in range(30)
    )
    assert alarms <= 5
    assert not names(collected(deck_of(["x"] * 20), shuffled(3, 200, 20), 20))


# Without scipy and numpy the auditor works; only the statistics say what they need.


def python(code: str, *hidden: str) -> str:
    hide = f"import sys; sys.modules.update(dict.fromkeys({hidden!r}))\n"
    return subprocess.run([sys.executable, "-c", hide + code], capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    ("module", "unused"), [("verify.run", {"numpy", "scipy"}), ("report.run", {"scipy.stats", "scipy.optimize"})]
)
def test_the_auditor_loads_no_more_than_it_needs(module: str, unused: set[str]) -> None:
    code = f"import audit_cli.main, audit_cli.{module}; print({unused} & sys.modules.keys())"
    assert python(code) == "set()\n"


@pytest.mark.parametrize("hidden", ["numpy", "scipy"])
def test_an_error_names_the_extra(hidden: str) -> None:
    code = (
        "from fairshoe.errors import InputError\n"
        "try:\n    import audit_cli.report.statistics.collection\n"
        "except InputError as error:\n    print(error)\n"
    )
    told = python(code, hidden)
    assert f"{hidden} is not installed" in told
    assert "pip install '.[stats]'" in told
