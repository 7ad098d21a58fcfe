"""The shoe: lazy dealing, reshuffles, the order of its life, uniformity."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest

import fairshoe
from fairshoe import InputError, Opening, Sealed, VerificationError, commit, french, seal, shuffle
from fairshoe.cards import named_deck
from fairshoe.errors import RuleError
from fairshoe.protocol import word_stream as shuffling
from fairshoe.protocol.word_stream import SPAN, stream

from .conftest import both, packed

KEY = sha256(b"a fixed key").digest()


def sealed_52(cut: int = 0) -> Sealed:
    return seal(key=KEY, shoe="s", deck=french(1), cut=cut)


@both
@pytest.mark.parametrize("cut", [0, 1, 2039, 2040, 4999])
def test_drawing_crosses_chunks(cut: int) -> None:
    shoe = seal(key=KEY, shoe="s", deck=[str(i) for i in range(5000)], cut=cut)
    assert [shoe.draw() for _ in range(5000)] == shoe.order()
    assert shoe.left == 0
    with pytest.raises(RuleError, match="empty"):
        shoe.draw()


@both
@pytest.mark.parametrize(("size", "cut"), [(1, 0), (2, 1), (9, 3), (17, 16), (52, 0), (52, 40), (312, 200), (5000, 0)])
def test_the_first_cards_are_those_of_the_whole_order(size: int, cut: int) -> None:
    shoe = seal(key=KEY, shoe="s", deck=[str(i) for i in range(size)], cut=cut)
    whole = shoe.order()
    assert sorted(whole, key=int) == [str(i) for i in range(size)]
    for count in {0, 1, 2, 6, size // 8, size // 2, size - cut, size - cut + 1, size - 1, size, size + 1}:
        assert shoe.first(count) == whole[:count]
    assert shoe.position == 0, "nothing is drawn"


@both
@pytest.mark.parametrize(("size", "cut"), [(1, 0), (52, 0), (52, 40), (312, 200)])
def test_dealing_goes_on_behind_any_card(size: int, cut: int) -> None:
    shoe = seal(key=KEY, shoe="s", deck=[str(i) for i in range(size)], cut=cut)
    for position in range(size + 1):
        shoe.go_to(position)
        assert [shoe.draw() for _ in range(shoe.left)] == shoe.order()[position:]
    with pytest.raises(InputError, match="position"):
        shoe.go_to(size + 1)


@pytest.mark.parametrize("count", [-1, 1.0, "1", None, True])
def test_a_number_of_cards_is_a_whole_number(count: int) -> None:
    with pytest.raises(InputError, match="count"):
        sealed_52().first(count)


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many words the shuffles derive, each time."""
    asked: list[int] = []

    def counting(key: bytes, salt: bytes, info: bytes, count: int) -> bytes:
        asked.append(count)
        return stream(key, salt, info, count)

    monkeypatch.setattr(shuffling, "stream", counting)
    return asked


@both
def test_few_cards_cost_few_words(derived: list[int]) -> None:
    shoe = seal(key=KEY, shoe="s", deck=french(6))
    for _ in range(16):
        shoe.draw()
    assert derived == [16]
    assert shoe.first(6) == seal(key=KEY, shoe="s", deck=french(6), cut=0).first(6)
    assert derived[1:] == [6, 6]
    seal(key=KEY, shoe="s", deck=french(6), cut=100).first(6)
    assert derived[3:] == [106]
    shoe.order()
    assert derived[4:] == [311], "the last card takes none"


@both
def test_discarded_words_are_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    tops = [SPAN - 1, SPAN - 2, *range(100)]
    monkeypatch.setattr(shuffling, "stream", lambda key, salt, info, count: packed(tops[:count]))
    items = shuffling.dealt(KEY, bytes(32), range(5), 0, 5)
    assert items == [4, 1, 3, 2, 0]  # by hand: 2^32 - 1 is discarded, then 4 below 5, 0 below 4, 1 below 3, 0 below 2
    assert shuffling.dealt(KEY, bytes(32), range(5), 2, 2) == [3, 2]
    assert [*shuffling.iterate_deal(KEY, bytes(32), 5, 0)] == items


def test_reshuffle_keeps_deck_order_and_draws() -> None:
    shoe = commit("s", french(1), draws={"dice/0": 6}, key=KEY).seal()
    dice = shoe.number("dice/0")
    before = [shoe.draw() for _ in range(40)]
    shoe.reshuffle([30, 3, 7])
    assert sorted(shoe.order_indexes()) == [3, 7, 30]
    assert shoe.number("dice/0") == dice
    assert shoe.transcript.text.splitlines()[-1].startswith("reshuffle 1 3 ")
    again = [shoe.draw() for _ in range(3)]
    proof = shoe.reveal()
    assert fairshoe.verify(proof).dealt == [before, again]
    assert proof.reshuffles[0].after == 40


@pytest.mark.parametrize("gathered", [[], [1, 1], [52], [-1]])
def test_reshuffle_refuses(gathered: list[int]) -> None:
    shoe = sealed_52()
    with pytest.raises(InputError, match="gathered"):
        shoe.reshuffle(gathered)
    assert shoe.reshuffles == []


def test_what_is_just_allowed() -> None:
    deck = ["x" * 64, "é" * 32, "🂡" * 16, " ", "\u2028", "\ufeff", "x" * 64]
    draws = {"cut": 7, "z" * 64: 2**32, "one": 1, "d/1": 2, "d/0": 2, "d/": 2, "d/x": 2, "/0": 2}
    seeds = [(f"{i}", bytes(128)) for i in range(64)]
    shoe = seal(key=bytes(32), shoe="._:/-", deck=deck, seeds=seeds, beacon=("ab" * 64, 2**53 - 1, "00"), draws=draws)
    assert sorted(shoe.order()) == sorted(deck)
    assert shoe.number("one") == 0
    assert len(shuffle(key=bytes(32), shoe="s", deck=["a"] * 65_536)) == 65_536


@pytest.mark.parametrize("packs", [0, -1, 1261, True, 1.0, "1"])
def test_packs(packs: int) -> None:
    assert named_deck("french:6") == french(6) == french(1) * 6
    with pytest.raises(InputError, match="packs"):
        french(packs)


def test_fresh_keys_differ() -> None:
    assert commit("s", french(1)).commitment != commit("s", french(1)).commitment


def chi_square(counts: Counter[tuple[str, ...]], cells: int) -> float:
    expected = counts.total() / cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (cells - len(counts)) * expected


@pytest.mark.parametrize(
    ("size", "cut", "limit"),
    [(3, 0, 20.5), (4, 0, 49.7), (4, 3, 49.7), (5, 2, 174.0)],  # chi-square 0.999 quantiles for size! − 1
)
def test_orders_are_uniform(size: int, cut: int, limit: float) -> None:
    deck = [str(i) for i in range(size)]
    cells = [*permutations(deck)]
    keys = (sha256(b"uniform %d" % i).digest() for i in range(100 * len(cells)))
    counts = Counter(tuple(shuffle(key=key, shoe="s", deck=deck, cut=cut)) for key in keys)
    assert set(counts) <= set(cells)
    assert chi_square(counts, len(cells)) < limit


def test_draws_are_uniform() -> None:
    shoe = seal(key=KEY, shoe="s", deck=["x"], draws={f"dice/{i}": 6 for i in range(3000)})
    counts = Counter((str(shoe.number(name)),) for name in shoe.draws)
    assert chi_square(counts, 6) < 20.5


def test_after_the_reveal_nothing_is_drawn_and_the_proof_stays() -> None:
    shoe = commit("s", french(1), draws={"dice/0": 6}, key=KEY).seal()
    cards = [shoe.draw() for _ in range(3)]
    proof = shoe.reveal()
    for late in (shoe.draw, shoe.draw_index, lambda: shoe.go_to(3), lambda: shoe.reshuffle([1, 2])):
        with pytest.raises(RuleError, match="revealed") as caught:
            late()
        assert "commit to another shoe" in caught.value.remedy
    assert shoe.reveal() is proof
    assert (shoe.position, shoe.left, shoe.revealed) == (3, 49, True)
    assert fairshoe.verify(proof, commitment=shoe.transcript.commitment).dealt == [cards]
    assert shoe.number("dice/0") == proof.draws["dice/0"][1]  # published already, so that nobody gains by asking


def test_a_card_is_shown_before_the_reveal() -> None:
    shoe = commit("s", french(1), key=KEY).seal(cut=20)
    root = str(shoe.cards_root)
    card, opening = shoe.draw(), Opening.from_json(shoe.open(0).to_json())
    opening.verify(root)
    assert (opening, opening.label, opening.pos) == (shoe.open(0), card, 0)
    for changed in ({"label": "Ac"}, {"pos": 1}, {"n": 32}, {"salt": bytes(16)}, {"path": opening.path[1:]}):
        with pytest.raises(VerificationError):
            opening._replace(**changed).verify(root)
    with pytest.raises(VerificationError):
        opening.verify("00" * 32)
    for bad in (root[1:], root.upper(), bytes.fromhex(root)):
        with pytest.raises(InputError):
            opening.verify(bad)  # type: ignore[arg-type]
    for text in ("", "[]", "{}", opening.to_json().replace('"pos"', '"place"'), None):
        with pytest.raises(VerificationError):
            Opening.from_json(text)  # type: ignore[arg-type]
    for position in (-1, 52, "0"):
        with pytest.raises(InputError):
            shoe.open(position)  # type: ignore[arg-type]
    with pytest.raises(RuleError):
        commit("s", french(1)).open(0)
    shoe.reshuffle(range(5))
    with pytest.raises(RuleError):
        shoe.open(0)
