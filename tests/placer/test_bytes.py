"""The bytes of `fairshoe/2`: pinned ones, and a second implementation that agrees."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest

from fairshoe.errors import InputError, RuleError
from fairshoe.protocol.deck import deck_of
from fairshoe.protocol.placed_shoe import KeyPlaces, PlacedShoe
from fairshoe.protocol.placer_chain import new_chain, parse_question, shoe_of, shoe_text, shuffle_line, since_of
from fairshoe.protocol.transcript import PlacerCommitment, Seed, Transcript
from fairshoe.protocol.word_stream import dealt, places
from tests.second import placing as second
from tests.second import protocol

KEY, HOUSE = bytes(range(32, 64)), bytes(range(32))
C2, C = sha256(KEY).hexdigest(), sha256(HOUSE).hexdigest()


def transcript(**more: object) -> Transcript:
    deck = sha256(b"".join(label.encode() + b"\n" for label in protocol.french(1))).hexdigest()
    return Transcript("table-1/7", 52, deck, C, (Seed("alice", b"alice's own entropy"),), **more)  # type: ignore[arg-type]


def test_the_example_of_the_page() -> None:
    placed = transcript(placer=PlacerCommitment("placer.example", C2))
    assert placed.text == second.transcript(transcript().text, "placer.example", C2)
    assert placed.digest.hex() == "f2c741d3ec1fa7e8c2a52c465e2b0426391e1c11e6b8a31faf718c9a33b63c81"
    assert places(KEY, placed.digest, 52)[:6] == [5, 49, 23, 15, 24, 21]
    sealed = PlacedShoe(HOUSE, placed, deck_of(protocol.french(1)), KeyPlaces(KEY))
    assert sealed.cards_root == second.root(HOUSE, placed.text, protocol.french(1), 0)
    assert sealed.cards_root == "3e0deaedc56c1abfec087a970926d310a3cc49781b1329f08cba2198779e918c"
    with pytest.raises(RuleError, match="not given"):
        sealed.open(0)
    card, opening = sealed.draw(), sealed.open(0)
    opening.verify(str(sealed.cards_root))
    assert (card, opening.label, opening.pos, opening.number) == ("9h", "9h", 5, protocol.french(1).index("9h"))
    head = new_chain("example.org", "table-1/7", C, "placer.example", C2)
    after = head.extend(shuffle_line(52, placed.digest, sealed.bound[0].root()), since_of(["7", "00" * 32]))
    assert [head.head.hex(), after.head.hex()] == [
        "2a0fa418cec0e6b2e62df7fb7ba3ce14ccb27be44c8088b10b9ab79efde1ade2",
        "4acea881f03dc8caa056c082ce69f4edefc246a70ea088321eaa1cd0037775ba",
    ]
    order, where = dealt(HOUSE, placed.digest, protocol.french(1), 0, 52), places(KEY, placed.digest, 52)
    assert [order[place] for place in where[:6]] == ["9h", "2s", "7c", "9s", "5d", "Tc"]


def test_a_shoe_without_a_placer_keeps_its_bytes() -> None:
    assert transcript().text.startswith("fairshoe/1\n")
    assert "placer" not in transcript().text


def test_a_second_implementation_agrees_on_a_thousand_shoes() -> None:
    chance = random.Random(23)
    for _ in range(1000):
        key, size = chance.randbytes(32), chance.choice([1, 2, 3, 52, 104])
        placed = transcript(placer=PlacerCommitment("p", sha256(key).hexdigest()))._replace(size=size)
        found = places(key, placed.digest, size)
        assert found == second.places(key, placed.text, size)
        steps = [(since_of(["1", "ab"]), shuffle_line(size, placed.digest, bytes(32)))]
        steps += [("" if place else since_of(["x"]), f"card {place} {found[place]}") for place in range(min(size, 5))]
        steps.append((since_of(["y"]), "end"))
        chain = new_chain("example.org", "s/1", C, "p", sha256(key).hexdigest())
        heads = [chain.head]
        for since, line in steps:
            chain = chain.extend(line, since)
            heads.append(chain.head)
        assert heads == second.chain("example.org", "s/1", C, "p", sha256(key).hexdigest(), steps)
        assert chain.steps == len(steps)


def test_a_question_is_read_as_it_was_written() -> None:
    chain = new_chain("example.org", "s/1", C, "p", C2)
    text = chain.question(["card 0", "card 1"], "ab" * 32)
    assert parse_question(text) == (chain, "ab" * 32, ("card 0", "card 1"))
    assert shoe_of(shoe_text("example.org", "s/1", C)) == ("example.org", "s/1", C)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("card 0", "card 00"),
        lambda text: text.replace("card 0", "card 0 1"),
        lambda text: text.replace("card 0", "draw 0"),
        lambda text: text.replace("card 0\n", "card 0\n" * 65),
        lambda text: text.replace("card 0\n", ""),
        lambda text: text.replace("since ", "since  "),
        lambda text: text.replace("since ", "since A"),
        lambda text: text.replace("\n0\n", "\n-0\n"),
        lambda text: text.replace("question v1", "question v2"),
        lambda text: text.replace(" s/1", ""),
        lambda text: text.removesuffix("\n"),
        lambda text: text + "\n",
    ],
)
def test_a_question_has_one_form(change: object) -> None:
    text = new_chain("example.org", "s/1", C, "p", C2).question(["card 0"], "ab" * 32)
    changed = change(text)  # type: ignore[operator]
    assert changed != text
    with pytest.raises(InputError):
        parse_question(changed)
