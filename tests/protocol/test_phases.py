"""What is called in the wrong half of a shoe's life, and what to do about small mistakes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

import fairshoe
from fairshoe import Committed, FairshoeError, InputError, Proof, RuleError, Sealed, french

KEY = bytes(range(32))


def committed() -> Committed:
    return fairshoe.commit("game-42", french(1), draws={"dice/0": 6}, key=KEY)


@pytest.mark.parametrize("name", ["draw", "draw_index", "order", "first", "order_indexes", "reveal"])
def test_nothing_comes_of_a_shoe_before_it_is_sealed(name: str) -> None:
    with pytest.raises(RuleError, match="not sealed yet") as caught:
        getattr(committed(), name)()
    assert (caught.value.where, caught.value.remedy[:6]) == (name, "call s")


def test_no_number_and_no_reshuffle_either() -> None:
    for call in (lambda: committed().number("dice/0"), lambda: committed().reshuffle([1, 2], cut=False)):
        with pytest.raises(RuleError, match="seal"):
            call()


CONTRIBUTIONS: dict[str, tuple[object, ...]] = {
    "pledge": ("alice", sha256(b"x").hexdigest()),
    "contribute": ("alice", b"x"),
    "strike": ("alice",),
    "fix_cut": (1,),
    "add_beacon": ("ab", 1, "cd"),
    "seal": (),
}


@pytest.mark.parametrize("name", CONTRIBUTIONS)
def test_nothing_is_contributed_to_a_sealed_shoe(name: str) -> None:
    with pytest.raises(RuleError, match="the shoe is sealed") as caught:
        getattr(committed().seal(), name)(*CONTRIBUTIONS[name])
    assert (caught.value.where, caught.value.remedy) == (name, "commit to another shoe")


@pytest.mark.parametrize("shoe", [committed(), committed().seal()])
def test_a_name_that_nobody_knows_is_an_attribute_error(shoe: Committed | Sealed) -> None:
    with pytest.raises(AttributeError):
        shoe.nothing  # type: ignore[union-attr]  # noqa: B018
    assert not hasattr(shoe, "nothing")


def test_a_sealed_shoe_still_tells_its_name_and_its_commitment() -> None:
    sealed = fairshoe.resume(fairshoe.keep(committed().seal(), bytes(32)), bytes(32))
    assert isinstance(sealed, Sealed)
    assert (sealed.shoe, sealed.commitment) == ("game-42", committed().commitment)
    sealed.reshuffle(range(10))
    assert sealed.commitment == sealed.reveal().commitment


def twice() -> None:
    shoe = committed()
    shoe.contribute("alice", b"x")
    shoe.contribute("alice", b"y")


def twice_opened() -> None:
    shoe = committed()
    shoe.pledge("alice", sha256(b"x").hexdigest())
    shoe.contribute("alice", b"x")
    shoe.contribute("alice", b"x")


HASH = sha256(b"x").hexdigest().replace("a", "b")


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda: fairshoe.commit("my game!", french(1)), "write it as 'my-game-'"),
        (lambda: committed().contribute("alice b", b"x"), "write it as 'alice-b'"),
        (lambda: fairshoe.commit("", french(1)), "pass text, such as"),
        (lambda: fairshoe.commit("s", french(1), draws={"dice/0": 0}), "pass how many values it has"),
        (lambda: committed().pledge("alice", "AB" * 32), "write it in lower case, without spaces or 0x"),
        (lambda: committed().pledge("alice", "0x" + HASH), "write it in lower case, without spaces or 0x"),
        (lambda: committed().pledge("alice", HASH[:60]), "these are 60 digits, not 64"),
        (lambda: committed().pledge("alice", "z" * 64), "write nothing but the digits 0-9 a-f"),
        (twice, "leave the second seed out"),
        (twice_opened, "leave the second seed out"),
        (lambda: fairshoe.commit("s", french(1), key=bytes(31)), "fairshoe.new_key() makes one"),
        (lambda: Proof.from_json("\ufeff" + committed().seal().reveal().to_json()), "without a byte order mark"),
    ],
)
def test_a_small_mistake_is_told_with_what_to_do(call: Callable[[], object], remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert remedy in caught.value.remedy
    assert isinstance(caught.value, FairshoeError)
