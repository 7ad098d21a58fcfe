"""Proofs: there and back, and made by hand; what must be refused of a file is in docs/vectors (test_refused)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest

from fairshoe import Proof, VerificationError, commit, french, verify

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


def test_round_trip() -> None:
    made = proof()
    again = Proof.from_json(made.to_json())
    assert again == made
    assert again.to_json() == made.to_json()
    found = verify(again, commitment=made.commitment)
    assert [len(cards) for cards in found.dealt] == [30, 4, 3]
    assert found.draws == {name: value for name, (_, value) in made.draws.items()}


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


def test_the_house_cannot_exchange_the_key() -> None:
    made, other = proof(), commit("table-1/7", french(1), key=bytes(32)).seal().reveal()
    with pytest.raises(VerificationError, match="another shoe"):
        verify(other, commitment=made.commitment)
    with pytest.raises(VerificationError, match="was committed to"):
        verify(replace(made, key=bytes(32)), commitment=made.commitment)


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
