"""docs/vectors/fairshoe-1.json against both implementations, and against what it promises to hold."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from fairshoe import Proof, Sealed, commitment_of, seal, verify
from fairshoe.protocol.placed_shoe import KeyPlaces, seal_placed
from fairshoe.protocol.placer_chain import new_chain, since_of
from fairshoe.protocol.proof import PlacerKey
from fairshoe.protocol.transcript import PlacerCommitment
from fairshoe.protocol.word_stream import places
from tests.second.vectors import PLACE, PLACED, document, labels_of, listed, load_vectors, placed_document

from .conftest import both

Vector = dict[str, Any]


def sealed_of(vector: Vector) -> Sealed:
    return seal(
        key=bytes.fromhex(vector["key"]),
        shoe=vector["shoe"],
        deck=labels_of(vector["deck"]),
        seeds=[(who, bytes.fromhex(seed)) for who, seed in vector["seeds"]],
        beacon=vector["beacon"],
        cut=vector["cut"],
        draws={draw["name"]: draw["below"] for draw in vector["draws"]},
    )


@both
def test_fairshoe(vector: Vector) -> None:
    shoe = sealed_of(vector)
    assert shoe.transcript.commitment == vector["commitment"]
    assert shoe.transcript.text == vector["transcript"]
    assert shoe.transcript.digest.hex() == vector["transcript_sha256"]
    assert listed(shoe.order()) == vector["order"]
    assert shoe.cards_root == vector["cards_root"]
    assert shoe.open(vector["opening"]["pos"]).form == vector["opening"]
    assert {name: shoe.number(name) for name in shoe.draws} == {d["name"]: d["value"] for d in vector["draws"]}
    for record in vector["reshuffles"]:
        for _ in range(record["after"]):
            shoe.draw()
        shoe.reshuffle(record["gathered"], cut=record["cut"] is not None)
        assert shoe.reshuffles[-1] == (record["after"], tuple(record["gathered"]), record["cut"])
        assert shoe.transcript.text == record["transcript"]
        assert shoe.transcript.digest.hex() == record["transcript_sha256"]
        assert listed(shoe.order()) == record["order"]
        gathered = shoe.bound[-1]
        assert gathered.root().hex() == record["cards_root"]
        assert gathered.open(record["opening"]["pos"]).form == record["opening"]
    proof = Proof.from_json(shoe.reveal().to_json())
    assert verify(proof, commitment=vector["commitment"]).transcript == shoe.transcript.text


def test_the_files_are_what_their_maker_makes() -> None:
    assert PLACE.read_text(encoding="ascii") == document()
    assert PLACED.read_text(encoding="ascii") == placed_document()


@pytest.mark.parametrize("placed", json.loads(PLACED.read_text())["vectors"], ids=lambda vector: vector["name"])
def test_a_shoe_with_a_placer(placed: Vector) -> None:
    key2 = bytes.fromhex(placed["placer_key"])
    placer = PlacerCommitment(*placed["placer"])
    assert commitment_of(key2) == placer.commitment
    shoe = seal_placed(
        key=bytes.fromhex(placed["key"]),
        shoe=placed["shoe"],
        deck=labels_of(placed["deck"]),
        seeds=[(who, bytes.fromhex(seed)) for who, seed in placed["seeds"]],
        cut=placed["decks"][0]["cut"],
        placer=placer,
        placing=KeyPlaces(key2),
    )
    assert shoe.commitment == placed["commitment"]
    for number, deck in enumerate(placed["decks"]):
        if number:
            shoe.reshuffle(deck["gathered"])
        assert (list(shoe.gathered), shoe.cut, shoe.transcript.text) == (
            deck["gathered"],
            deck["cut"],
            deck["transcript"],
        )
        assert shoe.transcript.digest.hex() == deck["transcript_sha256"]
        assert (places(key2, shoe.transcript.digest, len(shoe)), shoe.order()) == (deck["places"], deck["order"])
        assert shoe.cards_root == deck["cards_root"]
        assert [shoe.draw(), shoe.draw()] == deck["order"][:2]
        opening = shoe.open(0)
        assert opening.form == deck["opening"]
        opening.verify(deck["cards_root"])
    (*_, head), *steps = placed["chain"]
    chain = new_chain(placed["origin"], placed["shoe"], placed["commitment"], *placed["placer"])
    assert chain.head.hex() == head
    for parts, line, head in steps:
        chain = chain.extend(line, since_of(parts))
        assert chain.head.hex() == head
    proof = replace(shoe.reveal(), placer=PlacerKey(*placer, key2))
    assert verify(Proof.from_json(proof.to_json()), commitment=placed["commitment"]).dealt[-1] == deck["order"][:2]


def test_the_vectors_meet_what_is_rare() -> None:
    vectors = load_vectors()
    assert len({vector["name"] for vector in vectors}) == len(vectors)
    assert {52, 312, 2041, 5000} <= {len(labels_of(v["deck"])) for v in vectors if v["rejected"]}
    assert max(draw["rejected"] for vector in vectors for draw in vector["draws"]) >= 10
    assert {draw["below"] for vector in vectors for draw in vector["draws"]} >= {1, 2**31 + 1, 2**32}
