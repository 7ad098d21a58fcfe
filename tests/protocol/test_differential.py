"""Both implementations on random inputs: the same words and bytes out, and the same inputs refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshoe import Proof, seal, shuffle, verify
from fairshoe.protocol.word_stream import SHUFFLE_SALT, stream, words
from tests.second import protocol as second

keys = st.binary(min_size=32, max_size=32)
ids = st.text("AZaz09._:/-", min_size=1, max_size=64)
labels = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=16)
decks = st.lists(labels, min_size=1, max_size=80) | st.integers(1, 8).map(second.french)
seeds = st.dictionaries(ids, st.binary(min_size=1, max_size=128), max_size=64).map(lambda found: [*found.items()])
hexes = st.binary(min_size=1, max_size=64).map(bytes.hex)
beacons = st.none() | st.tuples(hexes, st.integers(0, 2**53 - 1), hexes)
bounds = st.integers(1, 2**32) | st.sampled_from([1, 2**31 + 1, 2**32])


@pytest.mark.parametrize("expect", [1, 7, 16, 2039, 2040, 100_000])
def test_words_do_not_depend_on_how_many_were_expected(expect: int) -> None:
    key, text = bytes(range(32)), b"any transcript\n"
    slow = second.words(key, b"salt", text, b"suffix\n")
    quick = words(key, b"salt", second.hashlib.sha256(text).digest() + b"suffix\n", expect=expect)
    assert [next(quick) for _ in range(5000)] == [next(slow) for _ in range(5000)]


@pytest.mark.parametrize("count", [0, 1, 311, 2039, 2040, 2041, 4080, 5000])
def test_a_stream_is_its_words_in_a_row(count: int) -> None:
    key, digest = bytes(range(32)), bytes(32)
    row = words(key, SHUFFLE_SALT, digest)
    expected = b"".join(next(row).to_bytes(4, "big") for _ in range(count))
    assert stream(key, SHUFFLE_SALT, digest, count) == expected


@settings(max_examples=25)
@given(keys, st.dictionaries(ids.filter(lambda name: "/" not in name and name != "cut"), bounds, max_size=8))
def test_named_draws(key: bytes, draws: dict[str, int]) -> None:
    draws |= {"cut": 52, "series/1": 2**31 + 1, "series/0": 1}
    sealed = seal(key=key, shoe="s", deck=second.french(1), draws=draws)
    text = second.transcript(key, "s", second.french(1))
    for name, m in draws.items():
        assert sealed.number(name) == second.draw(key, text, name, m)


@settings(max_examples=60)
@given(keys, ids, decks, seeds, beacons, st.data())
def test_shuffle_and_reshuffles(key: bytes, shoe: str, deck: Any, seeds: Any, beacon: Any, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(deck) - 1))
    text = second.transcript(key, shoe, deck, seeds, beacon)
    expected = [deck[i] for i in second.permutation(key, text, len(deck), cut)]
    assert shuffle(key=key, shoe=shoe, deck=deck, seeds=seeds, beacon=beacon, cut=cut) == expected
    sealed = seal(key=key, shoe=shoe, deck=deck, seeds=seeds, beacon=beacon, cut=cut)
    assert sealed.transcript.text.encode() == text
    for _ in range(data.draw(st.integers(0, 3))):
        for _ in range(data.draw(st.integers(0, len(sealed)))):
            sealed.draw()
        gathered = data.draw(st.lists(st.integers(0, len(deck) - 1), min_size=1, unique=True))
        cuts = data.draw(st.booleans())
        sealed.reshuffle(gathered, cut=cuts)
        text, where, order = second.reshuffled(key, text, deck, gathered, cuts)
        assert sealed.transcript.text.encode() == text
        assert sealed.reshuffles[-1].cut == where
        assert sealed.order_indexes() == order
        expected = [deck[i] for i in order]
    assert sealed.order() == expected
    assert [sealed.draw() for _ in range(len(sealed))] == expected
    assert verify(Proof.from_json(sealed.reveal().to_json())).dealt[-1] == expected
