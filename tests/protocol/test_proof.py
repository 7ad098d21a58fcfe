"""Proofs: there and back, and every change to one is caught."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from fairshoe import FairshoeError, InputError, Proof, VerificationError, commit, french, verify
from fairshoe.protocol.proof import FIELDS

Body = dict[str, Any]
Trace = Callable[[FrameType, str, object], Any]
KEY = bytes(range(32))


def proof() -> Proof:
    shoe = commit("table-1/7", french(1), draws={"cut": 52, "dice/0": 6, "dice/1": 6}, key=KEY)
    shoe.contribute("alice", b"alice's own entropy")
    shoe.contribute("bob", b"\x00")
    shoe.add_beacon("52db9ba70e0cc0f6", 1000, "fe290beca10872ef")
    sealed = shoe.seal(cut=17)
    for _ in range(30):
        sealed.draw()
    sealed.reshuffle(range(5, 25))
    for _ in range(4):
        sealed.draw()
    sealed.reshuffle(range(8, 25, 2), cut=False)
    for _ in range(3):
        sealed.draw()
    return sealed.reveal()


@pytest.fixture
def body() -> Body:
    return json.loads(proof().to_json())


def check(body: Body) -> None:
    """Read a changed proof and verify it; it goes by its own commitment, deal and draws alone."""
    verify(Proof.from_json(json.dumps(body)), commitment=proof().commitment)


def test_round_trip() -> None:
    made = proof()
    again = Proof.from_json(made.to_json())
    assert again == made
    assert again.to_json() == made.to_json()
    found = verify(again, commitment=made.commitment)
    assert [len(cards) for cards in found.dealt] == [30, 4, 3]
    assert found.draws == {name: value for name, (_, value) in made.draws.items()}


def test_the_verdict_says_whether_a_commitment_was_given() -> None:
    made = proof()
    assert verify(made, commitment=made.commitment).remembered
    assert not verify(made).remembered


def test_a_proof_has_the_declared_types_whatever_it_was_made_of() -> None:
    made = proof()
    lists = {
        "deck": list(made.deck),
        "seeds": [list(seed) for seed in made.seeds],
        "beacon": list(made.beacon or ()),
        "draws": {name: list(pair) for name, pair in made.draws.items()},
        "reshuffles": [(after, list(gathered), cut) for after, gathered, cut in made.reshuffles],
    }
    again = replace(made, **lists)
    assert again == made
    assert again.to_json() == made.to_json()
    assert verify(again).dealt == verify(made).dealt


@pytest.mark.parametrize("labels", [["\U0001f0a1", "\u2028", "\ufeff", '"', "\\"], ["only"]])
def test_round_trip_of_odd_labels(labels: list[str]) -> None:
    made = commit("s", labels).seal().reveal()
    assert verify(Proof.from_json(made.to_json())).dealt == [[]]
    assert Proof.from_json(made.to_json()) == made


def test_the_house_cannot_exchange_the_key(body: Body) -> None:
    other = commit("table-1/7", french(1), key=bytes(32)).seal().reveal()
    with pytest.raises(VerificationError, match="another shoe"):
        verify(other, commitment=body["commitment"])
    body["key"] = "00" * 32
    with pytest.raises(VerificationError, match="not the one that was committed to"):
        check(body)


CAUGHT: dict[str, Callable[[Body], object]] = {
    "commitment": lambda b: b.update(commitment="00" * 32),
    "cut at n": lambda b: b.update(cut=52),
    "draw's value": lambda b: b["draws"]["dice/0"].__setitem__(1, (b["draws"]["dice/0"][1] + 1) % 6),
    "draw's bound": lambda b: b["draws"]["dice/0"].__setitem__(0, 2**32),
    "bound of the cut": lambda b: b["draws"]["cut"].__setitem__(0, 51),
    "draw's name": lambda b: b["draws"].update({"dice/2": b["draws"].pop("dice/0")}),
    "reshuffle after more cards than there were": lambda b: b["reshuffles"][0].__setitem__(0, 53),
    "reshuffle after more cards than gathered": lambda b: b["reshuffles"][1].__setitem__(0, 21),
    "gathered: another card": lambda b: b["reshuffles"][0][1].__setitem__(0, 4),
    "gathered: one less": lambda b: b["reshuffles"][0][1].pop(),
    "gathered: the same twice": lambda b: b["reshuffles"][0][1].append(24),
    "gathered: beyond the deck": lambda b: b["reshuffles"][0][1].append(52),
    "gathered: another order": lambda b: b["reshuffles"][0][1].reverse(),
    "gathered: none": lambda b: b["reshuffles"][1][1].clear(),
    "reshuffle's cut moved": lambda b: b["reshuffles"][0].__setitem__(2, b["reshuffles"][0][2] ^ 1),
    "reshuffle's cut where none is": lambda b: b["reshuffles"][1].__setitem__(2, 0),
    "more dealt than there are": lambda b: b.update(dealt=10),
}


@pytest.mark.parametrize("name", CAUGHT)
def test_tampering_is_caught(body: Body, name: str) -> None:
    CAUGHT[name](body)
    with pytest.raises(VerificationError):
        check(body)


SHOWS: dict[str, Callable[[Body], object]] = {
    "shoe": lambda b: b.update(shoe="table-1/8"),
    "deck": lambda b: b["deck"].reverse(),
    "a label": lambda b: b["deck"].__setitem__(0, "As"),
    "a seed": lambda b: b["seeds"][0].__setitem__(1, "00"),
    "a contributor": lambda b: b["seeds"][0].__setitem__(0, "mallory"),
    "roster order": lambda b: b["seeds"].reverse(),
    "a seed left out": lambda b: b["seeds"].pop(),
    "beacon": lambda b: b["beacon"].__setitem__(1, 1001),
    "no beacon": lambda b: b.update(beacon=None),
    "cut": lambda b: b.update(cut=16),
    "dealt": lambda b: b.update(dealt=2),
    "a reshuffle less": lambda b: b["reshuffles"].pop(),
    "a reshuffle not cut": lambda b: b["reshuffles"][0].__setitem__(2, None),
}


@pytest.mark.parametrize("name", SHOWS)
def test_other_inputs_never_give_the_same_deal(body: Body, name: str) -> None:
    """What a player compares from memory (own seed, cut, shoe) changes the cards, or the draws already fail."""
    before = verify(proof())
    SHOWS[name](body)
    with contextlib.suppress(VerificationError):
        assert verify(Proof.from_json(json.dumps(body))).dealt != before.dealt


MALFORMED: dict[str, Callable[[Body], object]] = {
    "a field less": lambda b: b.pop("cut"),
    "a field more": lambda b: b.update(extra=1),
    "protocol": lambda b: b.update(protocol="fairshoe/2"),
    "protocol null": lambda b: b.update(protocol=None),
    "beacon of four parts": lambda b: b["beacon"].append(0),
    "beacon as an object": lambda b: b.update(beacon={}),
    "seeds as an object": lambda b: b.update(seeds={}),
    "seed of three parts": lambda b: b["seeds"][0].append("00"),
    "seed with a control character in the name": lambda b: b["seeds"][0].__setitem__(0, "\x1b[2J"),
    "seed in upper case": lambda b: b["seeds"][0].__setitem__(1, "AB"),
    "deck as an object": lambda b: b.update(deck={"a": 1}),
    "deck as a string": lambda b: b.update(deck="abc"),
    "empty deck": lambda b: b.update(deck=[]),
    "unpaired surrogate": lambda b: b["deck"].__setitem__(0, "\ud800"),
    "draws as a list": lambda b: b.update(draws=[]),
    "draw of one part": lambda b: b["draws"].update({"dice/0": [6]}),
    "draw as a string": lambda b: b["draws"].update({"dice/0": "61"}),
    "draw's bound of 0": lambda b: b["draws"]["dice/0"].__setitem__(0, 0),
    "draw's bound of 2^32 + 1": lambda b: b["draws"]["dice/0"].__setitem__(0, 2**32 + 1),
    "draw true": lambda b: b["draws"].update({"dice/0": [6, True]}),
    "draw's name": lambda b: b["draws"].update({"a b": [6, 1]}),
    "reshuffles as an object": lambda b: b.update(reshuffles={}),
    "reshuffle of two parts": lambda b: b["reshuffles"][0].pop(),
    "gathered as a string": lambda b: b["reshuffles"][0].__setitem__(1, ""),
    "gathered with a float": lambda b: b["reshuffles"][0][1].__setitem__(0, 5.0),
    "reshuffle's cut false": lambda b: b["reshuffles"][0].__setitem__(2, False),
    "cut true": lambda b: b.update(cut=True),
    "cut null": lambda b: b.update(cut=None),
    "cut below 0": lambda b: b.update(cut=-1),
    "dealt a float": lambda b: b.update(dealt=3.0),
    "dealt as text": lambda b: b.update(dealt="3"),
    "key in upper case": lambda b: b.update(key=b["key"].upper()),
    "key null": lambda b: b.update(key=None),
    "commitment a number": lambda b: b.update(commitment=1),
    "shoe null": lambda b: b.update(shoe=None),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_proofs_are_refused(body: Body, name: str) -> None:
    MALFORMED[name](body)
    with pytest.raises(InputError):
        Proof.from_json(json.dumps(body))


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", "{", "1", "NaN", '"x"', "[" * 100_000, '{"a":1,"a":1}', "9" * 5000, "\ufeff{}"]
)
def test_what_is_no_proof(text: str) -> None:
    with pytest.raises(InputError):
        Proof.from_json(text)


def test_a_repeated_field_is_refused(body: Body) -> None:
    text = json.dumps(body).replace('"cut": 17', '"cut": 17, "cut": 17')
    with pytest.raises(InputError, match="twice"):
        Proof.from_json(text)


WRONG: list[Any] = [5, "x", [1], [None], b"x", {"a": 1}]
BY_HAND = [(name, value) for name in sorted(FIELDS - {"protocol", "dealt"}) for value in WRONG]


@pytest.mark.parametrize(
    ("name", "value"), [pair for pair in BY_HAND if pair not in [("shoe", "x"), ("cut", 5)]], ids=repr
)
def test_a_proof_made_by_hand_is_checked(name: str, value: Any) -> None:
    made = proof()
    with pytest.raises(FairshoeError):
        verify(replace(made, **{name: value}), commitment=made.commitment)


@pytest.mark.parametrize("remembered", ["", "00", "AB" * 32, "\ud800" * 64])
def test_a_remembered_commitment_must_be_one(remembered: str) -> None:
    with pytest.raises(InputError):
        verify(proof(), commitment=remembered)


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python a piece of work runs: it is the same on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Trace:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def reshuffled(times: int) -> str:
    """A proof of a tiny shoe that was reshuffled so often."""
    shoe = commit("s", ["a", "b", "c"], key=KEY).seal()
    for number in range(times):
        shoe.draw()
        shoe.reshuffle([0, 1], cut=bool(number % 2))
    return shoe.reveal().to_json()


def test_many_reshuffles_cost_no_more_than_their_number() -> None:
    verify(Proof.from_json(reshuffled(1)))
    few, many = (lines_run(lambda times=times: verify(Proof.from_json(reshuffled(times)))) for times in (50, 400))
    assert many < 8.5 * few
    proof = Proof.from_json(reshuffled(400))
    assert verify(proof).transcript.count("\nreshuffle ") == 400
