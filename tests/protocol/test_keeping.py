"""A live shoe over a restart: the very next card, and nothing in clear."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairshoe
from fairshoe import Committed, InputError, RuleError, Sealed, french

KEY = bytes(range(32))
SECRET = bytes(32)
SEEDS = {"alice": b"alice's own entropy", "bob": b"\x00"}


def kept(shoe: Committed | Sealed) -> Committed | Sealed:
    return fairshoe.resume(fairshoe.keep(shoe, SECRET), SECRET)


def committed() -> Committed:
    return fairshoe.commit("s", french(1), draws={"dice/0": 6, "cut": 52}, key=KEY)


def sealed() -> Sealed:
    shoe = committed()
    for name, seed in SEEDS.items():
        shoe.contribute(name, seed)
    return shoe.seal(cut=7)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["draw", "reshuffle", "uncut", "number"]), max_size=30))
def test_a_shoe_that_is_kept_at_every_step_deals_as_one_that_is_not(steps: list[str]) -> None:
    one, other = sealed(), sealed()
    for step in steps:
        if step == "number":
            assert other.number("dice/0") == one.number("dice/0")
        elif step != "draw":
            for shoe in (one, other):
                shoe.reshuffle(range(3, 30), cut=step == "reshuffle")
        elif one.left:
            assert other.draw_index() == one.draw_index()
        again = kept(other)
        assert isinstance(again, Sealed)
        other = again
    assert (other.left, other.position, other.cut, other.deck) == (one.left, one.position, one.cut, one.deck)
    assert other.order() == one.order()
    assert other.reveal() == one.reveal()


def test_a_committed_shoe_goes_on_in_the_middle_of_the_seeds() -> None:
    shoe: Committed | Sealed = kept(committed())
    assert isinstance(shoe, Committed)
    assert shoe.commitment == committed().commitment
    shoe.pledge("carol", "00" * 32)
    for name, seed in SEEDS.items():
        shoe.pledge(name, sha256(seed).hexdigest())
    shoe.fix_cut(7)
    shoe.strike("carol")
    shoe = kept(shoe)
    assert isinstance(shoe, Committed)
    with pytest.raises(RuleError, match="struck"):
        shoe.pledge("carol", "00" * 32)
    shoe.contribute("bob", SEEDS["bob"])
    shoe.add_beacon("ab", 1, "cd")
    shoe = kept(shoe)
    assert isinstance(shoe, Committed)
    assert (shoe.cut, shoe.beacon, shoe.opens) == (7, ("ab", 1, "cd"), ("alice",))
    with pytest.raises(RuleError, match="being opened"):
        shoe.pledge("dave", "11" * 32)
    shoe.contribute("alice", SEEDS["alice"])
    made = shoe.seal()
    plain = fairshoe.seal(
        key=KEY, shoe="s", deck=french(1), seeds=[*SEEDS.items()], beacon=("ab", 1, "cd"), cut=7, draws=shoe.draws
    )
    assert made.reveal() == plain.reveal()


def test_a_revealed_shoe_stays_revealed() -> None:
    shoe = sealed()
    shoe.draw()
    proof = shoe.reveal()
    again = kept(shoe)
    assert isinstance(again, Sealed)
    assert again.reveal() == proof
    with pytest.raises(RuleError, match="revealed"):
        again.draw()


def test_a_sealed_shoe_is_not_kept_by_its_first_half() -> None:
    shoe = committed()
    shoe.seal()
    with pytest.raises(RuleError, match="keep what `seal` returned"):
        fairshoe.keep(shoe, SECRET)


def test_nothing_stands_in_clear_and_no_two_states_are_alike() -> None:
    shoe = sealed()
    first, second = fairshoe.keep(shoe, SECRET), fairshoe.keep(shoe, SECRET)
    assert first != second
    for secret in (KEY, KEY.hex().encode(), SEEDS["alice"], b"alice", b'"Ac"'):
        assert secret not in first


def damaged(data: bytes) -> list[bytes]:
    flipped = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in {0, 5, 17, 18, 29, 30, len(data) - 1}]
    return [*flipped, b"", data[:10], data[:18], data[:25], data[:30], data[:-1], data + b"x", data[1:]]


def test_changed_data_and_another_secret_are_one_error() -> None:
    data = fairshoe.keep(sealed(), SECRET)
    messages = set()
    for bad, secret in [*((bad, SECRET) for bad in damaged(data)), (data, bytes(31) + b"x")]:
        with pytest.raises(InputError) as caught:
            fairshoe.resume(bad, secret)
        messages.add(str(caught.value))
    assert len(messages) == 1
    assert "with this secret" in messages.pop()
