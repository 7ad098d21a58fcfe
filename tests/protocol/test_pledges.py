"""Hash first, seed later: the order of the steps, and what each refuses."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairshoe
from fairshoe import Committed, InputError, RuleError, french

KEY = bytes(range(32))
SEEDS = {"alice": b"alice's own entropy", "bob": b"\x00", "carol": bytes(128)}


def hash_of(seed: bytes) -> str:
    return sha256(seed).hexdigest()


def pledged(*names: str) -> Committed:
    shoe = fairshoe.commit("s", french(1), key=KEY)
    for name in names or SEEDS:
        shoe.pledge(name, hash_of(SEEDS[name]))
    return shoe


@given(st.lists(st.sampled_from(sorted(SEEDS))))
def test_the_newest_opens_first_and_the_roster_has_the_order_of_the_pledges(tries: list[str]) -> None:
    shoe = pledged()
    for name in [*tries, "carol", "bob", "alice"]:
        turn, opened = shoe.opens[:1], shoe.seeds
        if name in turn or name in dict(opened):
            shoe.contribute(name, SEEDS[name])
        else:
            with pytest.raises(RuleError, match=f"{turn[0]} opens first"):
                shoe.contribute(name, SEEDS[name])
            assert (shoe.opens[:1], shoe.seeds) == (turn, opened)
    assert shoe.seeds == tuple(SEEDS.items())
    plain = fairshoe.seal(key=KEY, shoe="s", deck=french(1), seeds=list(SEEDS.items()))
    assert shoe.seal().transcript.text == plain.transcript.text


def test_who_came_last_is_asked_first() -> None:
    shoe = pledged()
    assert shoe.opens == ("carol", "bob", "alice")
    shoe.contribute("carol", SEEDS["carol"])
    assert shoe.opens == ("bob", "alice")
    assert shoe.pledges == {name: hash_of(seed) for name, seed in SEEDS.items()}


def test_only_the_seed_that_was_hashed_is_taken() -> None:
    shoe = pledged()
    with pytest.raises(InputError, match=f"the seed of {hash_of(SEEDS['alice'])}"):
        shoe.contribute("alice", b"another")
    assert shoe.seeds == ()
    with pytest.raises(RuleError, match="carol opens first") as caught:
        shoe.contribute("alice", SEEDS["alice"])
    assert "strike" in caught.value.remedy
    assert shoe.seeds == ()


@pytest.mark.parametrize("text", ["00ff", "00FF", "00ff\n"])
def test_a_hash_of_the_digits_is_told_when_the_seed_comes(text: str) -> None:
    shoe = pledged()
    shoe.pledge("dave", sha256(text.encode()).hexdigest())
    with pytest.raises(InputError, match="hex digits"):
        shoe.contribute("dave", b"\x00\xff")


def test_the_same_hash_again_changes_nothing_and_another_is_refused() -> None:
    shoe = pledged()
    shoe.pledge("alice", hash_of(SEEDS["alice"]))
    with pytest.raises(RuleError, match="another hash"):
        shoe.pledge("alice", "00" * 32)
    with pytest.raises(RuleError, match="somebody else"):
        shoe.pledge("dave", hash_of(SEEDS["alice"]))
    assert list(shoe.pledges) == ["alice", "bob", "carol"]


LATE: dict[str, tuple[Callable[[Committed], object], str]] = {
    "a pledge": (lambda shoe: shoe.pledge("dave", "00" * 32), "being opened"),
    "a seed without a hash": (lambda shoe: shoe.contribute("dave", b"x"), "no hash of dave"),
    "a strike": (lambda shoe: shoe.strike("alice"), "decides no roster"),
    "a strike of who has opened": (lambda shoe: shoe.strike("carol"), "decides no roster"),
    "a seed before its turn": (lambda shoe: shoe.contribute("alice", SEEDS["alice"]), "bob opens first"),
    "a cut": (lambda shoe: shoe.fix_cut(20), "too late"),
    "a seal": (lambda shoe: shoe.seal(), "bob is pledged and not open"),
}


@pytest.mark.parametrize("name", LATE)
def test_refused_once_a_seed_is_open(name: str) -> None:
    late, match = LATE[name]
    shoe = pledged()
    shoe.contribute("carol", SEEDS["carol"])
    before = (shoe.pledges, shoe.seeds, shoe.opens, shoe.cut)
    with pytest.raises(RuleError, match=match) as caught:
        late(shoe)
    assert caught.value.remedy
    assert "strike" not in caught.value.remedy
    assert (shoe.pledges, shoe.seeds, shoe.opens, shoe.cut) == before


def test_who_does_not_open_is_struck_while_nobody_has_opened_and_somebody_else_remains() -> None:
    shoe = pledged()
    with pytest.raises(RuleError, match="strike who"):
        shoe.seal()
    shoe.strike("carol")
    for again in (
        lambda: shoe.pledge("carol", hash_of(SEEDS["carol"])),
        lambda: shoe.contribute("carol", SEEDS["carol"]),
    ):
        with pytest.raises(RuleError, match="carol is struck"):
            again()
    with pytest.raises(RuleError, match="no hash of carol"):
        shoe.strike("carol")
    shoe.strike("alice")
    with pytest.raises(RuleError, match="nobody would remain"):
        shoe.strike("bob")
    with pytest.raises(RuleError, match="commit to another shoe"):
        shoe.seal()
    shoe.contribute("bob", SEEDS["bob"])
    assert shoe.seal().transcript.seeds == (("bob", SEEDS["bob"]),)


def test_nobody_pledges_after_a_seed_that_nobody_hashed() -> None:
    shoe = fairshoe.commit("s", french(1))
    shoe.contribute("alice", b"x")
    with pytest.raises(RuleError, match="nobody hashed"):
        shoe.pledge("bob", "00" * 32)


def test_at_most_64_pledge() -> None:
    shoe = fairshoe.commit("s", french(1))
    for number in range(64):
        shoe.pledge(f"{number}", hash_of(b"%d" % number))
    with pytest.raises(RuleError, match="64"):
        shoe.pledge("64", hash_of(b"64"))


def test_the_cut_is_fixed_with_the_pledges() -> None:
    shoe = pledged("alice")
    shoe.fix_cut(20)
    shoe.fix_cut(20)
    with pytest.raises(RuleError, match="a cut at 20"):
        shoe.fix_cut(21)
    shoe.contribute("alice", SEEDS["alice"])
    with pytest.raises(RuleError, match="a cut at 20"):
        shoe.seal(cut=0)
    assert shoe.seal().cut == 20
    uncut = pledged("alice")
    uncut.contribute("alice", SEEDS["alice"])
    with pytest.raises(RuleError, match="fix_cut before any seed"):
        uncut.seal(cut=5)
    assert uncut.seal(cut=0).cut == 0


def test_without_pledges_the_cut_may_come_with_the_seal_or_be_fixed_before_a_seed() -> None:
    shoe = fairshoe.commit("s", french(1), key=KEY)
    shoe.fix_cut(0)
    shoe.contribute("alice", b"x")
    with pytest.raises(RuleError, match="a cut at 0"):
        shoe.seal(cut=5)
    assert shoe.seal(cut=0).cut == 0
    late = fairshoe.commit("s", french(1), key=KEY)
    late.contribute("alice", b"x")
    with pytest.raises(RuleError, match="too late"):
        late.fix_cut(5)
    assert late.seal(cut=5).cut == 5


def test_a_beacon_is_added_once() -> None:
    shoe = pledged("alice")
    shoe.add_beacon("ab", 1, "cd")
    with pytest.raises(RuleError, match="stands"):
        shoe.add_beacon("ab", 2, "ef")


# What is called in the wrong half of a shoe's life.


def committed() -> Committed:
    return fairshoe.commit("game-42", french(1), draws={"dice/0": 6}, key=KEY)


@pytest.mark.parametrize(
    "name", ["draw", "draw_index", "order", "first", "order_indexes", "reveal", "number", "reshuffle"]
)
def test_nothing_comes_of_a_shoe_before_it_is_sealed(name: str) -> None:
    given = {"number": ["dice/0"], "reshuffle": [[1, 2]]}.get(name, [])
    with pytest.raises(RuleError, match="not sealed yet") as caught:
        getattr(committed(), name)(*given)
    assert (caught.value.where, caught.value.remedy[:6]) == (name, "call s")


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
