"""docs/vectors/fairshoe-1.json against both implementations, and against what it promises to hold."""

from __future__ import annotations

from typing import Any

from fairshoe import Proof, Sealed, seal, verify
from tests.second.vectors import PLACE, document, labels_of, listed, load_vectors

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
    proof = Proof.from_json(shoe.reveal().to_json())
    assert verify(proof, commitment=vector["commitment"]).transcript == shoe.transcript.text


def test_the_file_is_what_its_maker_makes() -> None:
    assert PLACE.read_text(encoding="ascii") == document()


def test_the_vectors_meet_what_is_rare() -> None:
    vectors = load_vectors()
    assert len({vector["name"] for vector in vectors}) == len(vectors)
    assert {52, 312, 2041, 5000} <= {len(labels_of(v["deck"])) for v in vectors if v["rejected"]}
    assert max(draw["rejected"] for vector in vectors for draw in vector["draws"]) >= 10
    assert {draw["below"] for vector in vectors for draw in vector["draws"]} >= {1, 2**31 + 1, 2**32}
