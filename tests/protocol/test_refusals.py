"""Everything that the specification does not allow is refused, and the error says where."""

from __future__ import annotations

from typing import Any

import pytest

from fairshoe import InputError, commit, commitment_of, french, seal, shuffle
from fairshoe.cards import named_deck

GOOD: dict[str, Any] = {"key": bytes(32), "shoe": "table-1/7", "deck": ["a", "b"]}
BEACON = ("ab", 1, "cd")

BAD = {
    "a key of 31 bytes": ("key", {"key": bytes(31)}),
    "a shoe id that ends with LF": ("shoe", {"shoe": "a\n"}),
    "no cards": ("deck", {"deck": []}),
    "65,537 cards": ("deck", {"deck": ["a"] * 65_537}),
    "an empty label": ("deck[1]", {"deck": ["a", ""]}),
    "a label with an unpaired surrogate": ("deck[0]", {"deck": ["\ud800"]}),
    "65 contributors": ("seeds", {"seeds": [(str(i), b"x") for i in range(65)]}),
    "a contributor twice": ("seeds", {"seeds": [("a", b"x"), ("a", b"y")]}),
    "a contributor without a name": ("contributor", {"seeds": [("", b"x")]}),
    "a seed of 129 bytes": ("seeds", {"seeds": [("a", bytes(129))]}),
    "a beacon of two parts": ("beacon", {"beacon": BEACON[:2]}),
    "a beacon's chain in upper case": ("beacon chain", {"beacon": ("AB", 1, "cd")}),
    "a beacon's round of 2^53": ("beacon round", {"beacon": ("ab", 2**53, "cd")}),
    "a beacon's odd randomness": ("beacon randomness", {"beacon": ("ab", 1, "cde")}),
    "a cut at n": ("cut", {"cut": 2}),
}
"""One of each argument: docs/vectors has the rest (test_refused)."""


@pytest.mark.parametrize("name", BAD)
def test_shuffle_refuses(name: str) -> None:
    where, changed = BAD[name]
    with pytest.raises(InputError) as caught:
        shuffle(**{**GOOD, **changed})
    assert caught.value.where == where
    assert caught.value.expected


@pytest.mark.parametrize(
    "draws", [{"a": 0}, {"a": True}, {"a": 6.0}, {"a": "6"}, {1: 6}, {"cut": 3}, {"dice/0": 6, "dice/2": 6}], ids=repr
)
def test_draws_are_refused(draws: dict[str, int]) -> None:
    with pytest.raises(InputError, match="draw"):
        commit("s", GOOD["deck"], draws=draws)


def test_what_is_just_allowed() -> None:
    deck = ["x" * 64, "é" * 32, "🂡" * 16, " ", "\u2028", "\ufeff", "x" * 64]
    draws = {"cut": 7, "z" * 64: 2**32, "one": 1, "d/1": 2, "d/0": 2, "d/": 2, "d/x": 2, "/0": 2}
    seeds = [(f"{i}", bytes(128)) for i in range(64)]
    shoe = seal(key=bytes(32), shoe="._:/-", deck=deck, seeds=seeds, beacon=("ab" * 64, 2**53 - 1, "00"), draws=draws)
    assert sorted(shoe.order()) == sorted(deck)
    assert shoe.number("one") == 0
    assert len(shuffle(key=bytes(32), shoe="s", deck=["a"] * 65_536)) == 65_536


def test_only_listed_draws_count() -> None:
    with pytest.raises(InputError, match="no draw"):
        seal(**GOOD, draws={"a": 6}).number("b")


@pytest.mark.parametrize("packs", [0, -1, 1261, True, 1.0, "1"])
def test_packs(packs: int) -> None:
    with pytest.raises(InputError, match="packs"):
        french(packs)


def test_french_packs() -> None:
    assert french(1)[:3] == ("Ac", "2c", "3c")
    assert french(1)[-1] == "Ks"
    assert named_deck("french:6") == french(6) == french(1) * 6
    with pytest.raises(InputError, match="french:N"):
        named_deck("tarot:1")


def test_a_commitment_wants_a_key() -> None:
    with pytest.raises(InputError, match="32 bytes"):
        commitment_of(b"")
