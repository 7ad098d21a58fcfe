"""Both implementations on random inputs: the same words and bytes out, and the same inputs refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairshoe import Proof, seal, shuffle, verify
from fairshoe.cli import main
from fairshoe.protocol.words import SHUFFLE_SALT, stream, words
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


@settings(max_examples=50)
@given(keys, ids, decks, seeds, beacons, st.data())
def test_shuffle(
    key: bytes,
    shoe: str,
    deck: list[str],
    seeds: list[tuple[str, bytes]],
    beacon: tuple[str, int, str] | None,
    data: st.DataObject,
) -> None:
    cut = data.draw(st.integers(0, len(deck) - 1))
    text = second.transcript(key, shoe, deck, seeds, beacon)
    expected = [deck[i] for i in second.permutation(key, text, len(deck), cut)]
    assert shuffle(key=key, shoe=shoe, deck=deck, seeds=seeds, beacon=beacon, cut=cut) == expected
    sealed = seal(key=key, shoe=shoe, deck=deck, seeds=seeds, beacon=beacon, cut=cut)
    assert sealed.transcript.text.encode() == text
    assert [sealed.draw() for _ in deck] == expected


@settings(max_examples=25)
@given(keys, st.dictionaries(ids.filter(lambda name: "/" not in name and name != "cut"), bounds, max_size=8))
def test_named_draws(key: bytes, draws: dict[str, int]) -> None:
    draws |= {"cut": 52, "series/1": 2**31 + 1, "series/0": 1}
    sealed = seal(key=key, shoe="s", deck=second.french(1), draws=draws)
    text = second.transcript(key, "s", second.french(1))
    for name, m in draws.items():
        assert sealed.number(name) == second.draw(key, text, name, m)


@settings(max_examples=40)
@given(keys, decks, seeds, beacons, st.data())
def test_reshuffles(
    key: bytes,
    deck: list[str],
    seeds: list[tuple[str, bytes]],
    beacon: tuple[str, int, str] | None,
    data: st.DataObject,
) -> None:
    sealed = seal(key=key, shoe="s", deck=deck, seeds=seeds, beacon=beacon)
    text = second.transcript(key, "s", deck, seeds, beacon)
    for _ in range(data.draw(st.integers(1, 3))):
        for _ in range(data.draw(st.integers(0, len(sealed)))):
            sealed.draw()
        gathered = data.draw(st.lists(st.integers(0, len(deck) - 1), min_size=1, unique=True))
        cuts = data.draw(st.booleans())
        sealed.reshuffle(gathered, cut=cuts)
        text, where, order = second.reshuffled(key, text, deck, gathered, cuts)
        assert sealed.transcript.text.encode() == text
        assert sealed.reshuffles[-1].cut == where
        assert sealed.order_indexes() == order
        assert sealed.order() == [deck[i] for i in order]
    drawn = [sealed.draw() for _ in range(len(sealed))]
    assert drawn == sealed.order()
    assert verify(Proof.from_json(sealed.reveal().to_json())).dealt[-1] == drawn


def mostly(good: st.SearchStrategy[Any], *bad: Any) -> st.SearchStrategy[Any]:
    """`good` nine times in ten, else one of the bad values."""
    return st.integers(0, 9).flatmap(lambda pick: good if pick else st.sampled_from(bad))


UGLY = ["", " ", "0", "00", "01", "+1", "-1", "1 ", "1\n", "1_0", "٣", "1e3", "0x1", "9" * 20, "9" * 5000, "\udcff"]
key_texts = mostly(keys.map(bytes.hex), "AB" * 32, "ab" * 31, "ab" * 33, "a" * 63, "zz" * 32, "0x" + "ab" * 31, *UGLY)
id_texts = mostly(ids, "a" * 65, "a b", "é", "a=b", "--json", "-h", "--", "a\n", "a\0", *UGLY)
deck_texts = mostly(
    st.integers(1, 9).map(lambda n: f"french:{n}"),
    *("french", "french:", "french:0", "french:1261", "French:1", "french:1:1", "spanish:1", "", "-"),
    *(f"french:{text}" for text in UGLY),
)
line_bytes = st.sampled_from([b"a", b"Ac", b" x ", "🂡".encode(), "é".encode(), b"\r", b"\0", b"\x7f", b"\xff"])
ODD_FILES = [
    *(b"", b"\n", b"a\n", b"a\n\n", b"\na", b"a\r\nb\r\n", b"a\rb"),
    *(b"\xed\xa0\x80", b"\xc2\x85", b"\xe2\x80\xa8", b"\xff"),
    *(b"x" * 64, b"x" * 65, b"\xf0\x9f\x82\xa1" * 16, b"\xf0\x9f\x82\xa1" * 17, b"\xef\xbb\xbfa"),
    b"a\n" * 65537,
]
files = st.lists(labels.map(str.encode) | line_bytes, max_size=9).map(b"\n".join) | st.sampled_from(ODD_FILES)
seed_texts = st.tuples(
    id_texts, mostly(st.binary(min_size=1, max_size=128).map(bytes.hex), "", "AB", "a", "00" * 129, "=00", "0 0")
).map("=".join) | st.sampled_from(["alice", "=", "=00", "alice=", "a=00=00", "same=00", "same=01"])
beacon_texts = st.none() | st.builds(
    "{}:{}:{}".format,
    mostly(hexes, "", "AB", "abc", "00" * 65),
    mostly(st.integers(0, 2**53 - 1), 2**53, *UGLY),
    mostly(hexes, "", "AB", "abc", "00" * 65, "00:00"),
)
draw_texts = mostly(
    st.builds("{}:{}".format, mostly(ids, "a" * 65, "a b", "", "é"), mostly(bounds, 2**32 + 1, *UGLY)),
    *("cut:52", "cut:104", "cut:51", "a/0:6", "a/1:6", "a/2:6", "a/01:6", "a/:6", "/0:6", "/1:1", "a", "", ":", "a:6"),
)


@pytest.fixture(scope="module")
def deck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("decks") / "labels.txt"


@settings(max_examples=120, deadline=None, suppress_health_check=[*HealthCheck])
@given(
    key=key_texts,
    shoe=id_texts,
    deck=deck_texts | files,
    seed_list=st.lists(seed_texts, max_size=3) | st.integers(63, 65).map(lambda n: [f"{i}=00" for i in range(n)]),
    beacon=beacon_texts,
    cut=st.none() | mostly(st.integers(0, 60).map(str), *UGLY),
    draws=st.lists(draw_texts, max_size=4),
    first=st.none() | mostly(st.integers(0, 60).map(str), *UGLY),
    valid=st.booleans(),
)
def test_command_line(
    capfd: pytest.CaptureFixture[str], deck_file: Path, valid: bool, key: str, shoe: str, deck: Any, **rest: Any
) -> None:
    if valid:  # else hardly any example would be: a good key and id, and the other inputs as they come
        key, shoe = "00" * 32, "table-1/7"
    words = ["--key", key, "--shoe", shoe, "--deck", deck if isinstance(deck, str) else f"@{deck_file}"]
    if isinstance(deck, bytes):
        deck_file.write_bytes(deck)
    words += [word for seed in rest["seed_list"] for word in ("--seed", seed)]
    words += [word for draw in rest["draws"] for word in ("--draw", draw)]
    for name in ("beacon", "cut", "first"):
        words += [] if rest[name] is None else [f"--{name}", rest[name]]
    try:
        expected = second.command(
            key, shoe, deck, rest["seed_list"], rest["beacon"], rest["cut"], rest["draws"], rest["first"]
        )
    except second.Refused:
        expected = None
    code = main(["shuffle", *words, "--json"])
    out, err = capfd.readouterr()
    if expected is None:
        assert (code, out) == (2, ""), words
        assert "fairshoe" in err
        assert "Traceback" not in err
    else:
        assert (code, err) == (0, ""), words
        assert json.loads(out) == expected
        assert list(json.loads(out)["draws"]) == list(expected["draws"])
